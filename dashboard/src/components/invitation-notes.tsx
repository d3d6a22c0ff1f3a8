import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { call } from '../api/client.ts'
import { keys, queries } from '../api/queries.ts'
import { renew } from '../api/query-client.ts'
import { Failure } from '../ui/feedback.tsx'
import { Names } from '../ui/name.tsx'
import { toast } from '../ui/toasts.tsx'

/** The zones that someone offers to share with this account. */
export function ZoneInvitations() {
  const { data } = useQuery(queries.invitations())
  return (
    <>
      <OtherAccountNote />
      {data?.data.map(({ id, zone, inviter }) => (
        <InvitationNote
          key={id}
          name={zone}
          inviter={inviter}
          says="You could then read and change its records. Your keys cover it only if they name it."
          accept={() => call('acceptInvitation', { params: { id } })}
          decline={() => call('declineInvitation', { params: { id } })}
          renews={[keys.invitations, keys.zones]}
        />
      ))}
    </>
  )
}

/** The domains that someone offers to share with this account. */
export function DomainInvitations() {
  const { data } = useQuery(queries.domainInvitations())
  return (
    <>
      <OtherAccountNote />
      {data?.data.map(({ id, domain, inviter }) => (
        <InvitationNote
          key={id}
          name={domain}
          inviter={inviter}
          says="You could then change its nameservers, lock it, and turn on auto-renew."
          accept={() => call('acceptDomainInvitation', { params: { id } })}
          decline={() => call('declineDomainInvitation', { params: { id } })}
          renews={[keys.domainInvitations, keys.domains]}
        />
      ))}
    </>
  )
}

/** The invitation link was for an address other than that of the signed-in account. */
function OtherAccountNote() {
  const { invited } = useSearch({ strict: false })
  const { data: account } = useQuery(queries.account())
  if (invited === undefined || account === undefined || invited === account.email) return null
  return (
    <Alert color="orange" title={`The invitation is for ${invited}`}>
      You are signed in as {account.email}. To accept it, sign out, and sign in or sign up with {invited}.
    </Alert>
  )
}

function InvitationNote({
  name,
  inviter,
  says,
  accept,
  decline,
  renews,
}: {
  name: string
  inviter: string
  says: string
  accept: () => Promise<unknown>
  decline: () => Promise<unknown>
  /** The queries to refresh after an answer. */
  renews: readonly (readonly string[])[]
}) {
  const accepting = useMutation({
    mutationFn: accept,
    onSuccess: async () => {
      toast(`You manage ${name} now.`)
      await renew(...renews)
    },
  })
  const declining = useMutation({ mutationFn: decline, onSuccess: () => renew(...renews) })
  return (
    <Alert variant="light" title={<Names>{`${inviter} invites you to manage ${name}`}</Names>}>
      <Stack gap="xs">
        <Text size="sm">{says}</Text>
        <Failure error={accepting.error ?? declining.error} />
        <Group>
          <Button size="xs" loading={accepting.isPending} onClick={() => accepting.mutate()}>
            Accept
          </Button>
          <Button size="xs" variant="default" loading={declining.isPending} onClick={() => declining.mutate()}>
            Decline
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}
