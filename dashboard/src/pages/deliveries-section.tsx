import { Button, Group, Select, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { webhookQueries } from '../api/webhook-queries.ts'
import { failureSentence, nameOf, TestBadge } from '../components/delivery-words.tsx'
import { OutcomeBadge } from '../components/outcome-badge.tsx'
import { Empty } from '../ui/feedback.tsx'
import { FilterBox } from '../ui/filter-box.tsx'
import { TextLink } from '../ui/links.tsx'
import { Section } from '../ui/page.tsx'
import { PagedList } from '../ui/paged-list.tsx'
import { VirtualList } from '../ui/virtual-rows.tsx'
import { When } from '../ui/when.tsx'
import { deliveryFilterOf, deliveryFilters, deliveryFiltersOf } from '../util/delivery-words.ts'
import { paths } from '../util/paths.ts'
import { exactly } from '../util/time.ts'

/** How often the page of an endpoint is refreshed. */
export const deliveriesPauseMs = 5_000
/** A list with more pages than this is not refreshed automatically, because each page is a request. */
const maxRefreshedPages = 3
const typingPauseMs = 250

/** The deliveries to an endpoint in the last 30 days, with filters in the address of the page. Each leads to its own page. */
export function DeliveriesSection({ endpointId }: { endpointId: string }) {
  const asked = useSearch({ from: '/signed-in/webhooks/$id' })
  const navigate = useNavigate({ from: '/webhooks/$id' })
  const types = useQuery(webhookQueries.eventTypes())
  const [settled] = useDebouncedValue(asked, typingPauseMs)
  const filters = deliveryFiltersOf(settled)
  const deliveries = useInfiniteQuery({
    ...webhookQueries.deliveries(endpointId, filters),
    refetchInterval: ({ state }) =>
      state.data && state.data.pages.length > maxRefreshedPages ? false : deliveriesPauseMs,
  })
  const set = (change: Partial<typeof asked>): void => {
    const next = Object.fromEntries(Object.entries({ ...asked, ...change }).filter(([, value]) => value !== ''))
    void navigate({ search: next, replace: true, resetScroll: false })
  }
  const clear = (): void => set({ status: '', type: '', zone: '', q: '' })
  return (
    <Section title="Deliveries" lead="The last 30 days, latest first.">
      <Group gap="xs">
        <Select
          aria-label="Outcome"
          placeholder="All outcomes"
          data={deliveryFilters}
          value={deliveryFilterOf(asked.status) ?? null}
          clearable
          clearButtonProps={{ 'aria-label': 'All outcomes' }}
          w={170}
          onChange={(value) => set({ status: value ?? '' })}
        />
        <Select
          aria-label="Type of the events"
          placeholder="All types"
          data={types.data?.data.map(({ type }) => type) ?? []}
          value={asked.type ?? null}
          clearable
          clearButtonProps={{ 'aria-label': 'All types' }}
          w={210}
          onChange={(value) => set({ type: value ?? '' })}
        />
        <FilterBox label="Text in the payload" value={asked.q ?? ''} onChange={(q) => set({ q })} />
      </Group>
      {asked.zone !== undefined && (
        <Group gap="xs">
          <Text size="sm">Only events about {asked.zone}</Text>
          <Button size="compact-xs" variant="default" onClick={() => set({ zone: '' })}>
            All zones
          </Button>
        </Group>
      )}
      <PagedList
        of={deliveries}
        empty={
          <NothingThere isMore={deliveries.hasNextPage} {...(Object.keys(filters).length > 0 && { onClear: clear })} />
        }
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
              <div className="delivery">
                <Group gap="xs">
                  <TextLink
                    {...paths.delivery(endpointId, delivery.id)}
                    fw={600}
                    aria-label={`${delivery.event_type}, ${exactly(delivery.created_at)}`}
                  >
                    {delivery.event_type}
                  </TextLink>
                  {delivery.test && <TestBadge />}
                  <OutcomeBadge of={delivery} />
                  {delivery.last_status !== null && <Text size="sm">{delivery.last_status}</Text>}
                </Group>
                <Text size="sm" className="quiet">
                  {nameOf(delivery) && (
                    <>
                      {delivery.zone ? (
                        <button
                          type="button"
                          className="link-like"
                          title="Only events about this zone"
                          onClick={() => set({ zone: delivery.zone?.name ?? '' })}
                        >
                          {nameOf(delivery)}
                        </button>
                      ) : (
                        nameOf(delivery)
                      )}
                      {' · '}
                    </>
                  )}
                  <When at={delivery.created_at} /> ·{' '}
                  {delivery.attempt_count === 1 ? '1 attempt' : `${delivery.attempt_count} attempts`}
                </Text>
                {delivery.failure && (
                  <Text size="sm" className="breakable">
                    {failureSentence(delivery)}
                  </Text>
                )}
              </div>
            )}
          </VirtualList>
        )}
      </PagedList>
    </Section>
  )
}

function NothingThere({ isMore, onClear }: { isMore: boolean; onClear?: () => void }) {
  if (onClear === undefined)
    return (
      <Empty icon="webhook" title="Nothing was delivered">
        Send a test above, or change a record: the delivery appears here.
      </Empty>
    )
  return (
    <Empty
      icon="webhook"
      title={isMore ? 'None among the latest deliveries' : 'No delivery matches these filters'}
      action={
        <Button variant="default" onClick={onClear}>
          Clear the filters
        </Button>
      }
    >
      {isMore && 'Older deliveries may match.'}
    </Empty>
  )
}
