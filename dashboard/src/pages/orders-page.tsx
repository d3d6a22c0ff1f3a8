import { Badge, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { WireListedOrder } from '@zonewright/contract'
import { queries } from '../api/queries.ts'
import { Empty } from '../ui/feedback.tsx'
import { ButtonLink, TextLink } from '../ui/links.tsx'
import { Page } from '../ui/page.tsx'
import { PagedList } from '../ui/paged-list.tsx'
import { VirtualList } from '../ui/virtual-rows.tsx'
import { When } from '../ui/when.tsx'
import { naira } from '../util/money.ts'
import { orderTitle, statusOf, statusWords, yearsText } from '../util/order-words.ts'
import { paths } from '../util/paths.ts'

const typingPauseMs = 250
const statusOptions = Object.entries(statusWords).map(([value, { label }]) => ({ value, label }))

export function OrdersPage() {
  const filters = useSearch({ from: '/signed-in/orders' })
  const navigate = useNavigate({ from: '/orders' })
  const [settled] = useDebouncedValue(filters, typingPauseMs)
  const name = settled.name?.trim().toLowerCase()
  const orders = useInfiniteQuery(queries.orders({ ...settled, name: name === '' ? undefined : name }))
  const isFiltered = filters.status !== undefined || filters.name !== undefined
  const set = (change: { status?: string; name?: string }): void => {
    const next = Object.fromEntries(Object.entries({ ...filters, ...change }).filter(([, value]) => value !== ''))
    void navigate({ search: next, replace: true, resetScroll: false })
  }
  return (
    <Page title="Orders" actions={<ButtonLink {...paths.buy()}>Buy a domain</ButtonLink>}>
      <Group gap="sm" align="flex-end">
        <Select
          label="Status"
          placeholder="All"
          data={statusOptions}
          value={filters.status ?? null}
          clearable
          clearButtonProps={{ 'aria-label': 'Every status' }}
          w={170}
          onChange={(status) => set({ status: status ?? '' })}
        />
        <TextInput
          label="Domain"
          placeholder="shop.example"
          value={filters.name ?? ''}
          flex="0 1 280px"
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
      </Group>
      <PagedList
        of={orders}
        empty={
          isFiltered ? (
            <Empty
              icon="order"
              title="No order matches"
              action={
                <Button variant="default" onClick={() => void navigate({ search: {}, replace: true })}>
                  Show all
                </Button>
              }
            />
          ) : (
            <Empty
              icon="order"
              title="No orders yet"
              action={<ButtonLink {...paths.buy()}>Search for a domain</ButtonLink>}
            >
              Domains that you register, renew or transfer are listed here, each with its status and price.
            </Empty>
          )
        }
      >
        {(items) => (
          <VirtualList items={items} label="Orders" heightOf={() => 80} keyOf={({ id }) => id} gap={10}>
            {(order) => <OrderItem order={order} />}
          </VirtualList>
        )}
      </PagedList>
    </Page>
  )
}

function OrderItem({ order }: { order: WireListedOrder }) {
  const { label, look } = statusOf(order)
  return (
    <Group justify="space-between" p="md" className="card" gap="sm" wrap="nowrap" align="flex-start">
      <div>
        <TextLink {...paths.order(order.id)} fw={600} underline="hover" className="breakable">
          {orderTitle(order)}
        </TextLink>
        <Text size="sm" className="quiet">
          <When at={order.created_at} />
          {order.kind === 'transfer' ? '' : ` · ${yearsText(order.years)}`}
        </Text>
        {order.last_error !== '' && (
          <Text size="sm" className="breakable">
            {order.last_error}
          </Text>
        )}
      </div>
      <Stack gap={4} align="flex-end">
        <Text fw={600}>{naira(order.amount_kobo)}</Text>
        <Badge className={look}>{label}</Badge>
      </Stack>
    </Group>
  )
}
