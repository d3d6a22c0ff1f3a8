import { Alert, Button, Group, List, Loader, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type Answer, call } from '../api/client.ts'
import { keys, queries } from '../api/queries.ts'
import { queryClient, renew } from '../api/query-client.ts'
import { CopyText } from '../ui/copy.tsx'
import { Failure } from '../ui/feedback.tsx'
import { toast } from '../ui/toasts.tsx'
import { When } from '../ui/when.tsx'

type Zone = Answer<'getZone'>

const outcomes = {
  absent: 'The proof was not found yet. Changes at a registrar or DNS provider often take a few minutes.',
  unknown: 'The domain’s nameservers did not respond. We retry automatically.',
  refused:
    'This proof does not count: another account has proved control of the name, the record is served from that account’s zone here, or records in your parent zone conflict.',
} as const

/** How to prove control of the name, and the state of the check. */
export function VerificationPanel({ zone, address }: { zone: Zone; address: string }) {
  const check = useMutation({
    mutationFn: () => call('verifyZone', { params: { zone: zone.id } }),
    onSuccess: async (checked) => {
      queryClient.setQueryData(queries.zone(address).queryKey, checked)
      if (checked.state === 'live' && zone.state !== 'live') toast(`${checked.unicode_name} is live.`)
      await renew(keys.zones)
    },
  })
  const { verification } = zone
  if (!verification) return null
  const { txt, nameserver, checked_at: checkedAt, outcome, contest_ends_at: contestEnds } = verification
  return (
    <Alert
      color="orange"
      variant="light"
      title={contestEnds ? 'Another account claims this name' : 'Show that the name is yours'}
    >
      <Stack gap="sm">
        {contestEnds ? (
          <Text size="sm">
            Prove again that you control it. Otherwise, the zone moves to the other account <When at={contestEnds} />.
          </Text>
        ) : (
          <Text size="sm">
            Until then its records can be edited, but no nameserver answers them. One of these does:
          </Text>
        )}
        <List size="sm" spacing="sm">
          <List.Item>
            Where the domain’s DNS is today, add a <b>TXT</b> record
            <CopyText text={txt.name} what="the name of the TXT record" />
            with the value
            <CopyText text={txt.value} what="the value of the TXT record" />
          </List.Item>
          <List.Item>
            Or add this nameserver to those of the domain at its registrar
            <CopyText text={nameserver} what="the nameserver" />
          </List.Item>
        </List>
        <Group gap="sm">
          <Button size="sm" loading={check.isPending} onClick={() => check.mutate()}>
            Check now
          </Button>
          <Text size="sm" role="status" aria-live="polite">
            {check.isPending ? (
              <Group gap="xs">
                <Loader size="xs" aria-hidden="true" /> Checking…
              </Group>
            ) : outcome === null ? (
              'Not checked yet. We also check automatically.'
            ) : (
              <>
                {outcomes[outcome]}
                {checkedAt && (
                  <>
                    {' '}
                    Last checked <When at={checkedAt} />.
                  </>
                )}
              </>
            )}
          </Text>
        </Group>
        <Failure error={check.error} />
      </Stack>
    </Alert>
  )
}
