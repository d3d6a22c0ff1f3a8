import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { call } from '../api/client.ts'
import { keys, queries } from '../api/queries.ts'
import { queryClient, renew } from '../api/query-client.ts'
import { ManagersPanel } from '../components/managers-panel.tsx'
import { useEdits } from '../components/use-edits.ts'
import { useZone } from '../components/use-zone.ts'
import { useTitle } from '../ui/page.tsx'
import { noEdits } from '../util/edits.ts'
import { may } from '../util/may.ts'
import { paths } from '../util/paths.ts'

/** The other people who can read and change the zone's records. */
export function SharingPage() {
  const { zone, name, id } = useZone()
  const [, changeEdits] = useEdits(id)
  useTitle(`${name}: sharing`)
  const { data } = useQuery(queries.zone(zone))
  const managers = useQuery(queries.managers(zone))
  const navigate = useNavigate()
  const thing = {
    name,
    isOwner: may.inviteManagers(data),
    lead: 'Managers read and change records. They cannot delete the zone, share it further, or cover it with a key that does not name it.',
    may: 'read and change records',
    invite: (email: string) => call('inviteManager', { params: { zone }, body: { email } }),
    remove: (account: string) => call('removeManager', { params: { zone, account } }),
    onLeft: async () => {
      changeEdits(() => noEdits)
      await navigate(paths.zones())
      queryClient.removeQueries({ queryKey: keys.zone(zone) })
      await renew(keys.zones)
    },
  }
  return (
    <Stack>
      <ManagersPanel thing={thing} managers={managers} />
    </Stack>
  )
}
