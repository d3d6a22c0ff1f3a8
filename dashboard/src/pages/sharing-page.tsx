import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { call } from '../api/client.ts'
import { queries } from '../api/queries.ts'
import { ManagersPanel } from '../components/managers-panel.tsx'
import { useLeaveZone } from '../components/use-leave-zone.ts'
import { useZone } from '../components/use-zone.ts'
import { useTitle } from '../ui/page.tsx'
import { may } from '../util/may.ts'

/** The other people who can read and change the zone's records. */
export function SharingPage() {
  const { zone, name, id } = useZone()
  const leave = useLeaveZone(zone, id)
  useTitle(`${name}: sharing`)
  const { data } = useQuery(queries.zone(zone))
  const managers = useQuery(queries.managers(zone))
  const thing = {
    name,
    isOwner: may.inviteManagers(data),
    lead: 'Managers read and change records. They cannot delete the zone, share it further, or use it with a key that does not list it.',
    may: 'read and change records',
    invite: (email: string) => call('inviteManager', { params: { zone }, body: { email } }),
    remove: (account: string) => call('removeManager', { params: { zone, account } }),
    onLeft: leave,
  }
  return (
    <Stack>
      <ManagersPanel thing={thing} managers={managers} />
    </Stack>
  )
}
