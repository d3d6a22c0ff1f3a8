import { Badge, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { type Answer, call } from '../api/client.ts'
import { keys, queries } from '../api/queries.ts'
import { queryClient } from '../api/query-client.ts'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { Empty, Failure, Loaded } from '../ui/feedback.tsx'
import { Section, useTitle } from '../ui/page.tsx'
import { toast } from '../ui/toasts.tsx'
import { may } from '../util/may.ts'
import { paths } from '../util/paths.ts'
import { inWords } from '../util/time.ts'

type Manager = Answer<'listManagers'>['data'][number]

/** Who else may read and change the zone's records. */
export function SharingPage() {
  const { zone: name } = useParams({ from: '/signed-in/zones/$zone' })
  useTitle(`${name}: sharing`)
  const zone = useQuery(queries.zone(name))
  const managers = useQuery(queries.managers(name))
  const [removing, setRemoving] = useState<Manager>()
  const isOwner = may.inviteManagers(zone.data)
  return (
    <Stack>
      {isOwner && <InviteSection zone={name} />}
      <Section title={isOwner ? 'Managers' : 'Your part in this zone'}>
        <Loaded of={managers}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty title="Shared with nobody">
                Invite somebody above: managers read and change records, and nothing else.
              </Empty>
            ) : (
              data.map((manager) => (
                <Group key={manager.email} justify="space-between">
                  <div>
                    <Group gap="xs">
                      <Text fw={600}>{manager.email}</Text>
                      {manager.state === 'invited' && <Badge className="badge-orange">Invited</Badge>}
                    </Group>
                    <Text size="sm" className="quiet">
                      {manager.state === 'invited'
                        ? `Invited ${inWords(manager.since)}${manager.expires_at ? `; the invitation ends ${inWords(manager.expires_at)}` : ''}`
                        : `Manager since ${inWords(manager.since)}`}
                    </Text>
                  </div>
                  <Button size="xs" variant="default" onClick={() => setRemoving(manager)}>
                    {!isOwner
                      ? 'Leave the zone'
                      : manager.state === 'invited'
                        ? `Take back the invitation of ${manager.email}`
                        : `Remove ${manager.email}`}
                  </Button>
                </Group>
              ))
            )
          }
        </Loaded>
      </Section>
      {removing && (
        <RemoveDialog zone={name} manager={removing} isSelf={!isOwner} onClose={() => setRemoving(undefined)} />
      )}
    </Stack>
  )
}

function InviteSection({ zone }: { zone: string }) {
  const [email, setEmail] = useState('')
  const invite = useMutation({
    mutationFn: () => call('inviteManager', { params: { zone }, body: { email: email.trim() } }),
    onSuccess: async () => {
      toast(`${email.trim()} is invited.`)
      setEmail('')
      await queryClient.invalidateQueries({ queryKey: [...keys.zone(zone), 'managers'] })
    },
  })
  return (
    <Section
      title="Invite a manager"
      lead="Managers read and change records. They cannot delete the zone, share it further, or cover it with a key that does not name it."
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          invite.mutate()
        }}
      >
        <Group align="flex-end">
          <TextInput
            label="Email"
            type="email"
            required
            withAsterisk={false}
            value={email}
            flex="1 1 240px"
            autoComplete="off"
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <Button type="submit" loading={invite.isPending}>
            Invite
          </Button>
        </Group>
      </form>
      <Failure error={invite.error} />
    </Section>
  )
}

function RemoveDialog({
  zone,
  manager,
  isSelf,
  onClose,
}: {
  zone: string
  manager: Manager
  isSelf: boolean
  onClose: () => void
}) {
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: () => call('removeManager', { params: { zone, account: manager.account ?? manager.email } }),
    onSuccess: async () => {
      if (isSelf) {
        await navigate(paths.zones())
        queryClient.removeQueries({ queryKey: keys.zone(zone) })
        await queryClient.invalidateQueries({ queryKey: keys.zones })
      } else await queryClient.invalidateQueries({ queryKey: [...keys.zone(zone), 'managers'] })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      opened
      title={isSelf ? `Leave ${zone}` : `Remove ${manager.email}`}
      action={isSelf ? 'Leave' : 'Remove'}
      error={remove.error}
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {isSelf
        ? `You will no longer see ${zone}, and your keys no longer cover it. Only its owner can invite you again.`
        : `${manager.email} will no longer see ${zone}, and that account’s keys no longer cover it.`}
    </ConfirmDialog>
  )
}
