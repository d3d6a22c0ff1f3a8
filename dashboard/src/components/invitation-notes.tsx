import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type Answer, call } from '../api/client.ts'
import { keys, queries } from '../api/queries.ts'
import { queryClient } from '../api/query-client.ts'
import { Failure } from '../ui/feedback.tsx'
import { toast } from '../ui/toasts.tsx'

type Invitation = Answer<'listInvitations'>['data'][number]

/** The zones that somebody offers to share with this account. */
export function InvitationNotes() {
  const { data } = useQuery(queries.invitations())
  return data?.data.map((invitation) => <InvitationNote key={invitation.id} invitation={invitation} />)
}

function InvitationNote({ invitation: { id, zone, inviter } }: { invitation: Invitation }) {
  const renew = () => queryClient.invalidateQueries({ queryKey: keys.invitations })
  const accept = useMutation({
    mutationFn: () => call('acceptInvitation', { params: { id } }),
    onSuccess: async () => {
      toast(`You manage ${zone} now.`)
      await Promise.all([renew(), queryClient.invalidateQueries({ queryKey: keys.zones })])
    },
  })
  const decline = useMutation({ mutationFn: () => call('declineInvitation', { params: { id } }), onSuccess: renew })
  return (
    <Alert variant="light" title={`${inviter} invites you to manage ${zone}`}>
      <Stack gap="xs">
        <Text size="sm">
          You could then read and change its records. Keys of yours cover it only when they name it.
        </Text>
        <Failure error={accept.error ?? decline.error} />
        <Group>
          <Button size="xs" loading={accept.isPending} onClick={() => accept.mutate()}>
            Accept
          </Button>
          <Button size="xs" variant="default" loading={decline.isPending} onClick={() => decline.mutate()}>
            Decline
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}
