import { Badge, Button, Code, Group, Select, Stack, Text } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { displayText } from '@zonewright/contract'
import { useState } from 'react'
import { type Answer, call, type Item } from '../api/client.ts'
import { keys, queries } from '../api/queries.ts'
import { renew } from '../api/query-client.ts'
import { OutcomeBadge } from '../components/outcome-badge.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Empty, Failure, Loaded } from '../ui/feedback.tsx'
import { Section } from '../ui/page.tsx'
import { PagedList } from '../ui/paged-list.tsx'
import { toast } from '../ui/toasts.tsx'
import { VirtualList } from '../ui/virtual-rows.tsx'
import { When } from '../ui/when.tsx'
import { deliveryFilterOf, deliveryFilters } from '../util/delivery-words.ts'
import { shownName } from '../util/shown-name.ts'
import { exactly } from '../util/time.ts'

type Delivery = Item<'listDeliveries'>
type Attempt = Answer<'getDelivery'>['attempts'][number]

/** How often the page of an endpoint is refreshed. */
export const deliveriesPauseMs = 5_000
/** More pages than these are not refreshed automatically, because each of them is a request. */
const maxRefreshedPages = 3

/** The deliveries to an endpoint in the last 30 days. Each one can be opened and resent. */
export function DeliveriesSection({ endpointId }: { endpointId: string }) {
  const filter = deliveryFilterOf(useSearch({ from: '/signed-in/webhooks/$id' }).status)
  const navigate = useNavigate({ from: '/webhooks/$id' })
  const deliveries = useInfiniteQuery({
    ...queries.deliveries(endpointId, filter),
    refetchInterval: ({ state }) =>
      state.data && state.data.pages.length > maxRefreshedPages ? false : deliveriesPauseMs,
  })
  const [shown, setShown] = useState<Delivery>()
  return (
    <Section
      title="Deliveries"
      lead="Of the last 30 days, the latest first."
      actions={
        <Group gap="xs">
          <Select
            aria-label="Outcome"
            placeholder="All outcomes"
            data={deliveryFilters}
            value={filter ?? null}
            clearable
            clearButtonProps={{ 'aria-label': 'All outcomes' }}
            size="xs"
            w={170}
            onChange={(value) =>
              void navigate({ search: value === null ? {} : { status: value }, replace: true, resetScroll: false })
            }
          />
        </Group>
      }
    >
      <PagedList
        of={deliveries}
        empty={<NothingThere isMore={deliveries.hasNextPage} isFiltered={filter !== undefined} />}
      >
        {(items) => (
          <VirtualList
            items={items}
            label="Deliveries"
            heightOf={({ failure }) => (failure === null ? 68 : 88)}
            keyOf={({ id }) => id}
            gap={0}
          >
            {(delivery) => (
              <Group justify="space-between" className="delivery">
                <div>
                  <Group gap="xs">
                    <Text fw={600}>{delivery.event_type}</Text>
                    {delivery.test && <TestBadge />}
                    <OutcomeBadge of={delivery} />
                    {delivery.last_status !== null && <Text size="sm">{delivery.last_status}</Text>}
                  </Group>
                  <Text size="sm" className="quiet">
                    {nameOf(delivery) && `${nameOf(delivery)} · `}
                    <When at={delivery.created_at} /> ·{' '}
                    {delivery.attempt_count === 1 ? '1 attempt' : `${delivery.attempt_count} attempts`}
                  </Text>
                  {delivery.failure && (
                    <Text size="sm" className="breakable">
                      {delivery.failure_detail ?? failures[delivery.failure]}
                    </Text>
                  )}
                </div>
                <Button
                  size="xs"
                  variant="default"
                  aria-label={`Show the delivery of ${delivery.event_type}, ${exactly(delivery.created_at)}`}
                  onClick={() => setShown(delivery)}
                >
                  Show
                </Button>
              </Group>
            )}
          </VirtualList>
        )}
      </PagedList>
      {shown && <DeliveryDialog endpointId={endpointId} delivery={shown} onClose={() => setShown(undefined)} />}
    </Section>
  )
}

function NothingThere({ isMore, isFiltered }: { isMore: boolean; isFiltered: boolean }) {
  if (isMore)
    return (
      <Empty icon="webhook" title="None among the latest deliveries">
        There may be older ones.
      </Empty>
    )
  return isFiltered ? (
    <Empty icon="webhook" title="No delivery has this outcome">
      Clear the filter to see all deliveries.
    </Empty>
  ) : (
    <Empty icon="webhook" title="Nothing was delivered">
      Send a test above, or change a record: the delivery appears here.
    </Empty>
  )
}

const underWayMs = 1_000

/** From the number of the latest attempt, because the first of many attempts are not shown. */
function attemptsMade(delivery: { attempts: readonly Attempt[] } | undefined): number {
  return delivery?.attempts.at(-1)?.number ?? 0
}

function DeliveryDialog({
  endpointId,
  delivery,
  onClose,
}: {
  endpointId: string
  delivery: Delivery
  onClose: () => void
}) {
  const [expected, setExpected] = useState(0)
  const full = useQuery({
    ...queries.delivery(endpointId, delivery.id),
    // While an attempt is pending: a requested one, or an automatic one.
    refetchInterval: ({ state: { data } }) =>
      data && (data.status === 'pending' || attemptsMade(data) < expected) ? underWayMs : false,
  })
  const again = useMutation({
    mutationFn: () => call('redeliver', { params: { id: endpointId, delivery: delivery.id } }),
    onSuccess: async () => {
      setExpected(attemptsMade(full.data) + 1)
      toast('Resend requested.')
      await renew(keys.webhook(endpointId))
    },
  })
  return (
    <Dialog title={`Delivery of ${delivery.event_type}`} size="lg" onClose={onClose}>
      <Loaded of={full}>
        {(data) => (
          <Stack>
            <Group justify="space-between">
              <Group gap="xs">
                {data.test && <TestBadge />}
                <OutcomeBadge of={data} />
                {nameOf(data) && <Text size="sm">{nameOf(data)}</Text>}
                <Text size="sm">Event {data.event_id}</Text>
              </Group>
              <Button size="xs" loading={again.isPending} onClick={() => again.mutate()}>
                Resend
              </Button>
            </Group>
            <Failure error={again.error} />
            {data.body !== null && <BodyItem body={data.body} />}
            {data.attempts.length === 0 && <Text size="sm">No attempt was made yet.</Text>}
            {data.attempts.map((attempt) => (
              <AttemptItem key={attempt.number} attempt={attempt} />
            ))}
          </Stack>
        )}
      </Loaded>
    </Dialog>
  )
}

/** The domain name of the zone or order; empty for other events. */
function nameOf({ zone, order }: Pick<Delivery, 'zone' | 'order'>): string {
  return shownName(zone?.name ?? order?.name ?? '')
}

function TestBadge() {
  return <Badge className="badge-orange">Test</Badge>
}

/** The most characters of a body that are shown; that of a large import has millions. */
const maxShownBody = 20_000

function BodyItem({ body }: { body: string }) {
  const shown = body.slice(0, maxShownBody)
  return (
    <Stack gap={6}>
      <Group gap={4}>
        <Text fw={600}>Body</Text>
        <CopyButton text={body} what="the body" />
        {shown.length < body.length && (
          <Text size="sm" className="quiet">
            The first {shown.length} of {body.length} characters. Copy has all of them.
          </Text>
        )}
      </Group>
      <Block label="Body" text={shown} />
    </Stack>
  )
}

/** For old attempts, for which the service did not store a sentence. */
const failures = {
  refused_address: 'The address is not public.',
  dns: 'The name could not be resolved.',
  connect: 'There was no connection.',
  tls: 'There was no TLS, or the certificate was not accepted.',
  timeout: 'There was no answer in time.',
  status: 'The answer was not a success.',
  redirect: 'The answer was a redirect, which is not followed.',
  too_large: 'The answer was too large.',
} as const

function AttemptItem({ attempt }: { attempt: Attempt }) {
  return (
    <Stack gap={6} className="card" p="sm" component="section" aria-label={`Attempt ${attempt.number}`}>
      <Group gap="xs">
        <Text fw={600}>Attempt {attempt.number}</Text>
        {attempt.manual && <Badge className="badge-gray">Manual</Badge>}
        {attempt.resent && <Badge className="badge-orange">Sent twice</Badge>}
        {attempt.failure === null ? (
          <Badge className="badge-green">{attempt.status}</Badge>
        ) : (
          <Badge className="badge-red">{attempt.status ?? 'No answer'}</Badge>
        )}
      </Group>
      <Text size="sm" className="quiet">
        <When at={attempt.started_at} />, {attempt.duration_ms} ms
      </Text>
      {attempt.failure !== null && (
        <Text size="sm" className="breakable">
          {attempt.failure_detail ?? failures[attempt.failure]}
        </Text>
      )}
      {attempt.resent && (
        <Text size="sm">
          The reused connection broke before a response arrived, so the request was repeated on a new one.
        </Text>
      )}
      <Text size="sm">Request</Text>
      <Block label={`Request headers of attempt ${attempt.number}`} text={headersText(attempt.request_headers)} />
      {attempt.response_headers && (
        <>
          <Text size="sm">Answer</Text>
          <Block
            label={`Answer headers of attempt ${attempt.number}`}
            text={withoutBidi(headersText(attempt.response_headers))}
          />
        </>
      )}
      {attempt.response_body && (
        <Block label={`Answer of attempt ${attempt.number}`} text={withoutBidi(attempt.response_body)} />
      )}
    </Stack>
  )
}

function Block({ label, text }: { label: string; text: string }) {
  return (
    <Code block className="code-block" tabIndex={0} role="region" aria-label={label}>
      {text}
    </Code>
  )
}

/** The response of a receiver, with bidirectional characters escaped, because they can make one text look like another. Line breaks stay. */
function withoutBidi(text: string): string {
  return text.replace(/\p{Bidi_Control}/gu, (character) => displayText(character))
}

function headersText(headers: Readonly<Record<string, string | readonly string[]>>): string {
  return Object.entries(headers)
    .flatMap(([name, value]) => [value].flat().map((one) => `${name}: ${one}`))
    .join('\n')
}
