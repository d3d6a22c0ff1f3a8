import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import type { WireConnectRequest } from '@zonewright/contract'
import { call } from '../api/client.ts'
import { clientQueries } from '../api/client-queries.ts'
import { failedWith } from '../api/failure.ts'
import { keys } from '../api/queries.ts'
import { renew } from '../api/query-client.ts'
import { DiffView } from '../components/diff-view.tsx'
import { WarningList } from '../components/warning-list.tsx'
import { Empty, Failure, Loaded } from '../ui/feedback.tsx'
import { TextLink } from '../ui/links.tsx'
import { Page } from '../ui/page.tsx'
import { connectRequestIn } from '../util/connect-request.ts'
import { paths } from '../util/paths.ts'
import { randomKey } from '../util/random-key.ts'
import { shownName } from '../util/shown-name.ts'

/** The page of a Domain Connect link: a service provider asks to change records of a zone. */
export function DomainConnectPage() {
  const { hash } = useLocation()
  const request = connectRequestIn(hash)
  if (request === undefined)
    return (
      <Page title="Connect a service">
        <Empty title="This link is incomplete">Start again at the service provider.</Empty>
      </Page>
    )
  return <CheckedLink key={request} request={request} />
}

function CheckedLink({ request }: { request: string }) {
  const read = useQuery(clientQueries.connectRequest(request))
  return (
    <Page title={read.data ? `Connect ${nameOf(read.data)} to ${read.data.service}` : 'Connect a service'}>
      <Loaded of={read} what="Checking the link">
        {(link) => (
          <Stack gap="lg">
            <Asker link={link} />
            <Changes link={link} request={request} />
          </Stack>
        )}
      </Loaded>
    </Page>
  )
}

/** Who asks, and whether that is certain. */
function Asker({ link }: { link: WireConnectRequest }) {
  return (
    <Stack gap="sm" p="md" className="card">
      <Text>
        <strong>{link.provider}</strong> ({link.provider_id}) asks to change DNS records of{' '}
        <strong>{nameOf(link)}</strong>, to set up <strong>{link.service}</strong>.
      </Text>
      {link.on_behalf_of !== null && (
        <Text size="sm" className="quiet">
          The link says that it comes from “{link.on_behalf_of}”, a reseller. This is not confirmed.
        </Text>
      )}
      {link.signed && (
        <Text size="sm" className="quiet">
          {link.provider} has signed this link, so no one else has changed it.
        </Text>
      )}
      {link.phishing_warning && (
        <Alert color="orange" variant="light" title="Make sure that you trust this link">
          <Text size="sm">
            {link.signed
              ? 'The values in this link can direct your domain to another customer of the service provider.'
              : `Anyone could have made this link. It is not certain that it comes from ${link.provider}.`}{' '}
            Continue only if you have just started this yourself at {link.provider}, and the changes below are what you
            expect. If someone sent you the link, cancel.
          </Text>
        </Alert>
      )}
    </Stack>
  )
}

/** What changes, and the decision. */
function Changes({ link, request }: { link: WireConnectRequest; request: string }) {
  const { domain, token, return_urls: urls } = link
  const ask = (dryRun: boolean, headers: Record<string, string>) =>
    call('applyConnectRequest', {
      params: { zone: domain },
      query: dryRun ? { dry_run: 'true' } : {},
      body: { request, token },
      headers,
    })
  const preview = useQuery({
    queryKey: [...keys.zone(domain), 'connect', request, token],
    queryFn: async () => ({ seen: await ask(true, {}), key: randomKey() }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const apply = useMutation({
    mutationFn: ({ seen, key }: NonNullable<typeof preview.data>) => {
      const version = seen.diff.changes.length === 0 ? seen.version : seen.version - 1
      return ask(false, { 'if-match': `"${version}"`, 'idempotency-key': key })
    },
    onSuccess: async () => {
      if (urls) location.assign(urls.applied)
      else await renew(keys.zones)
    },
    onError: (error) => {
      if (failedWith(error, 'precondition_failed')) void preview.refetch()
    },
  })
  if (apply.isSuccess)
    return (
      <Alert color="green" variant="light" role="status" title="The records were changed">
        {urls ? (
          `You are being sent back to ${link.provider}.`
        ) : (
          <>
            Close this window, and continue at {link.provider}. You can also{' '}
            <TextLink {...paths.zone(domain)}>open the records of {shownName(domain)}</TextLink>.
          </>
        )}
      </Alert>
    )
  const { data, error } = preview
  const back = error === null ? urls?.cancelled : failedWith(error, 'not_found') ? urls?.denied : urls?.invalid
  return (
    <Stack>
      <Loaded of={preview} what="Finding out what would change">
        {({ seen }) => (
          <>
            <WarningList warnings={seen.warnings} title="Check this before you apply it" />
            <DiffView changes={seen.diff.changes} zone={domain} />
          </>
        )}
      </Loaded>
      <Failure
        error={apply.error}
        {...(failedWith(apply.error, 'precondition_failed') && {
          title: 'Someone else has changed this zone. Check the changes again',
        })}
      />
      <Group justify="flex-end">
        <LeaveButton to={back} provider={link.provider} isBusy={apply.isPending} />
        {data && error === null && (
          <Button loading={apply.isPending} onClick={() => apply.mutate(data)}>
            {data.seen.diff.changes.length === 0 ? 'Continue' : 'Apply the changes'}
          </Button>
        )}
      </Group>
    </Stack>
  )
}

/** Back to the service provider, with the outcome; without a way back, to the zones. */
function LeaveButton({ to, provider, isBusy }: { to: string | undefined; provider: string; isBusy: boolean }) {
  if (to === undefined)
    return (
      <Button variant="default" disabled={isBusy} onClick={() => location.assign('/app/zones')}>
        Cancel
      </Button>
    )
  return (
    <Button variant="default" disabled={isBusy} onClick={() => location.assign(to)}>
      Cancel and return to {provider}
    </Button>
  )
}

function nameOf({ domain, host }: WireConnectRequest): string {
  return shownName(host === '' || host === '@' ? domain : `${host}.${domain}`)
}
