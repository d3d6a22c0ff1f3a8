import { Badge, Button, Code, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { displayText } from '@zonewright/contract'
import { useState } from 'react'
import type { Answer } from '../api/client.ts'
import { webhookQueries } from '../api/webhook-queries.ts'
import { failureSentence, nameOf, TestBadge } from '../components/delivery-words.tsx'
import { OutcomeBadge } from '../components/outcome-badge.tsx'
import { useResend } from '../components/use-resend.ts'
import { CopyButton, CopyText } from '../ui/copy.tsx'
import { Failure, Loaded } from '../ui/feedback.tsx'
import { Icon } from '../ui/icons.tsx'
import { TextLink } from '../ui/links.tsx'
import { Page, Section } from '../ui/page.tsx'
import { When } from '../ui/when.tsx'
import { curlOf } from '../util/curl.ts'
import { paths } from '../util/paths.ts'
import { prettyJson } from '../util/pretty-json.ts'

type Delivery = Answer<'getDelivery'>
type Attempt = Delivery['attempts'][number]

const underWayMs = 1_000

/** From the number of the latest attempt, because the first of many attempts are not shown. */
function attemptsMade(delivery: Delivery | undefined): number {
  return delivery?.attempts.at(-1)?.number ?? 0
}

/** One delivery: why it failed, its payload, and the request and the response of each attempt. */
export function DeliveryPage() {
  const { id, delivery } = useParams({ from: '/signed-in/webhooks/$id/deliveries/$delivery' })
  const endpoint = useQuery(webhookQueries.webhook(id))
  const [expected, setExpected] = useState(0)
  const full = useQuery({
    ...webhookQueries.delivery(id, delivery),
    // While an attempt is pending, either a requested one or an automatic one.
    refetchInterval: ({ state: { data } }) =>
      data && (data.status === 'pending' || attemptsMade(data) < expected) ? underWayMs : false,
  })
  const again = useResend(id)
  return (
    <Page
      title={full.data ? `Delivery of ${full.data.event_type}` : 'Delivery'}
      within={
        <>
          <TextLink {...paths.webhooks()}>Webhooks</TextLink> ›{' '}
          <TextLink {...paths.webhook(id)}>{endpoint.data?.url ?? 'Webhook endpoint'}</TextLink>
        </>
      }
      actions={
        full.data && (
          <>
            {endpoint.data && full.data.body !== null && (
              <CopyCurl url={endpoint.data.url} delivery={full.data} body={full.data.body} />
            )}
            <Button
              loading={again.isPending}
              onClick={() => {
                const next = attemptsMade(full.data) + 1
                again.mutate(delivery, { onSuccess: () => setExpected(next) })
              }}
            >
              Resend
            </Button>
          </>
        )
      }
    >
      <Failure error={again.error} />
      <Loaded of={full}>{(data) => <DeliveryParts key={data.id} delivery={data} />}</Loaded>
    </Page>
  )
}

function DeliveryParts({ delivery }: { delivery: Delivery }) {
  const name = nameOf(delivery)
  return (
    <>
      <Stack gap="xs">
        <Group gap="xs">
          {delivery.test && <TestBadge />}
          <OutcomeBadge of={delivery} />
          {name !== '' && <Text size="sm">{name}</Text>}
          <Text size="sm" className="quiet">
            <When at={delivery.created_at} />
          </Text>
        </Group>
        {delivery.failure !== null && (
          <Text size="sm" className="breakable">
            {failureSentence(delivery)}
          </Text>
        )}
        <CopyText text={delivery.event_id} what="the id of the event" />
      </Stack>
      {delivery.body !== null && <PayloadSection body={delivery.body} />}
      {delivery.attempts.length === 0 && <Text size="sm">No attempts yet.</Text>}
      {delivery.attempts.toReversed().map((attempt) => (
        <AttemptSection key={attempt.number} attempt={attempt} />
      ))}
    </>
  )
}

/** The request of the latest attempt. A receiver refuses its signature after 5 minutes, as it should. */
function CopyCurl({ url, delivery, body }: { url: string; delivery: Delivery; body: string }) {
  const clipboard = useClipboard({ timeout: 2_000 })
  const headers = delivery.attempts.at(-1)?.request_headers ?? { 'Content-Type': 'application/json' }
  return (
    <Button
      variant="default"
      leftSection={<Icon name={clipboard.copied ? 'check' : 'copy'} size={16} />}
      onClick={() => clipboard.copy(curlOf({ url, headers, body }))}
    >
      {clipboard.copied ? 'Copied' : 'Copy as curl'}
    </Button>
  )
}

/** The maximum number of characters of a payload that are shown. The payload of a large import has millions. */
const maxShown = 20_000

function PayloadSection({ body }: { body: string }) {
  const isRaw = useSearch({ from: '/signed-in/webhooks/$id/deliveries/$delivery' }).body === 'raw'
  const navigate = useNavigate({ from: '/webhooks/$id/deliveries/$delivery' })
  const text = isRaw ? body : prettyJson(body, maxShown)
  const shown = text.slice(0, maxShown)
  return (
    <Section
      title="Payload"
      actions={
        <Group gap="xs">
          <SegmentedControl
            size="xs"
            aria-label="Form of the payload"
            data={[
              { value: 'pretty', label: 'Pretty' },
              { value: 'raw', label: 'Raw' },
            ]}
            value={isRaw ? 'raw' : 'pretty'}
            onChange={(next) =>
              void navigate({ search: next === 'raw' ? { body: next } : {}, replace: true, resetScroll: false })
            }
          />
          <CopyButton text={body} what="the payload" />
        </Group>
      }
    >
      {shown.length < text.length && (
        <Text size="sm" className="quiet">
          The first {shown.length.toLocaleString('en')} of {text.length.toLocaleString('en')} characters. Copy has the
          whole payload.
        </Text>
      )}
      <Block label="Body" text={withoutBidi(shown)} />
    </Section>
  )
}

function AttemptSection({ attempt }: { attempt: Attempt }) {
  return (
    <Section title={`Attempt ${attempt.number}`}>
      <Group gap="xs">
        {attempt.manual && <Badge className="badge-gray">Manual</Badge>}
        {attempt.resent && <Badge className="badge-orange">Sent twice</Badge>}
        {attempt.failure === null ? (
          <Badge className="badge-green">{attempt.status}</Badge>
        ) : (
          <Badge className="badge-red">{attempt.status ?? 'No response'}</Badge>
        )}
        <Text size="sm" className="quiet">
          <When at={attempt.started_at} />, {attempt.duration_ms} ms
        </Text>
      </Group>
      {attempt.failure !== null && (
        <Text size="sm" className="breakable">
          {failureSentence(attempt)}
        </Text>
      )}
      {attempt.resent && (
        <Text size="sm">
          The reused connection broke before a response arrived, so the request was repeated on a new one.
        </Text>
      )}
      <Text size="sm">Request headers</Text>
      <Block label={`Request headers of attempt ${attempt.number}`} text={headersText(attempt.request_headers)} />
      {attempt.response_headers && (
        <>
          <Text size="sm">Response headers</Text>
          <Block
            label={`Response headers of attempt ${attempt.number}`}
            text={withoutBidi(headersText(attempt.response_headers))}
          />
        </>
      )}
      {attempt.response_body && (
        <>
          <Text size="sm">Response body</Text>
          <Block label={`Response of attempt ${attempt.number}`} text={withoutBidi(attempt.response_body)} />
        </>
      )}
    </Section>
  )
}

function Block({ label, text }: { label: string; text: string }) {
  return (
    <Code block className="code-block" tabIndex={0} role="region" aria-label={label}>
      {text}
    </Code>
  )
}

/** Text from others, with bidirectional characters escaped, because they can make one text look like another. Line breaks stay. */
function withoutBidi(text: string): string {
  return text.replace(/\p{Bidi_Control}/gu, (character) => displayText(character))
}

function headersText(headers: Readonly<Record<string, string | readonly string[]>>): string {
  return Object.entries(headers)
    .flatMap(([name, value]) => [value].flat().map((one) => `${name}: ${one}`))
    .join('\n')
}
