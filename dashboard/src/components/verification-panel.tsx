import { Button, Text } from '@mantine/core'
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
export function VerificationSteps({ zone, address }: { zone: Zone; address: string }) {
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
    <>
      {contestEnds ? (
        <Text size="sm">
          Prove again that you control it. Otherwise, the zone moves to the account that has proved it{' '}
          <When at={contestEnds} />.
        </Text>
      ) : (
        <>
          <Text component="h2" className="setup-title">
            Verify that the domain is yours
          </Text>
          <Text size="sm">
            Do one of these. You can already add records, but they are not published until the name is verified.
          </Text>
        </>
      )}
      <div className="proofs">
        <div className="proof">
          <Text size="sm" fw={600}>
            Add a TXT record
          </Text>
          <Text size="sm" className="quiet">
            At the current DNS provider of the domain
          </Text>
          <dl className="facts">
            <div>
              <dt>Name</dt>
              <dd>
                <CopyText text={txt.name} what="the name of the TXT record" />
              </dd>
            </div>
            <div>
              <dt>Value</dt>
              <dd>
                <CopyText text={txt.value} what="the value of the TXT record" />
              </dd>
            </div>
          </dl>
        </div>
        <div className="proof">
          <Text size="sm" fw={600}>
            Or add a nameserver
          </Text>
          <Text size="sm" className="quiet">
            To the nameservers of the domain at its registrar
          </Text>
          <dl className="facts">
            <div>
              <dt>Host</dt>
              <dd>
                <CopyText text={nameserver} what="the nameserver" />
              </dd>
            </div>
          </dl>
        </div>
      </div>
      <div className="setup-actions">
        <Button size="sm" loading={check.isPending} onClick={() => check.mutate()}>
          Check now
        </Button>
        <Text size="sm" className="quiet" role="status" aria-live="polite">
          {check.isPending ? (
            'Checking…'
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
      </div>
      <Failure error={check.error} />
    </>
  )
}
