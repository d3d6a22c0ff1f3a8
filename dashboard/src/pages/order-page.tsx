import { Alert, Anchor, Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { WireOrderDetails } from '@zonewright/contract'
import { useEffect, useState } from 'react'
import { call, urlOf } from '../api/client.ts'
import { keys, queries } from '../api/queries.ts'
import { renew } from '../api/query-client.ts'
import { CardDeclined } from '../components/card-declined.tsx'
import { goToPay } from '../components/leave-site.ts'
import { OrderTimeline } from '../components/order-timeline.tsx'
import { PayLinkPanel } from '../components/pay-link-panel.tsx'
import { PaymentsList } from '../components/payments-list.tsx'
import { PriceLines } from '../components/price-lines.tsx'
import { SaveCardChoice } from '../components/save-card-choice.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { Failure, Loaded } from '../ui/feedback.tsx'
import { ButtonLink, TextLink } from '../ui/links.tsx'
import { Names } from '../ui/name.tsx'
import { Page, Section } from '../ui/page.tsx'
import { naira } from '../util/money.ts'
import { isMoving, kindWords, orderTitle, payAction, paymentBegun, statusOf, yearsText } from '../util/order-words.ts'
import { paths } from '../util/paths.ts'

/** How often an order is refreshed while it is in progress. */
const pauseMs = 2_000

/** One order: its status, price, payment and receipt. */
export function OrderPage() {
  const { id } = useParams({ from: '/signed-in/orders/$id' })
  const order = useQuery({
    ...queries.order(id),
    refetchInterval: ({ state }) => (state.data && isMoving(state.data) ? pauseMs : false),
  })
  const status = order.data?.status
  useEffect(() => {
    // The order has created a domain and a zone, or moved an expiry.
    if (status === 'completed') void renew(keys.domains, keys.zones)
  }, [status])
  return (
    <Page
      title={order.data ? orderTitle(order.data) : 'Order'}
      within={<TextLink {...paths.orders()}>Orders</TextLink>}
      badges={order.data && <StatusBadge order={order.data} />}
    >
      <Loaded of={order} what="Loading the order">
        {(data) => <OrderParts order={data} />}
      </Loaded>
    </Page>
  )
}

function StatusBadge({ order }: { order: WireOrderDetails }) {
  const { label, look } = statusOf(order)
  return (
    <Badge className={look} role="status">
      {label}
    </Badge>
  )
}

function OrderParts({ order }: { order: WireOrderDetails }) {
  const { id, kind, years, status } = order
  const isUnpaid = status === 'pending_payment'
  const byCard = order.amount_kobo - order.promo_kobo - order.credit_kobo
  return (
    <Stack>
      {order.stage === 'action_required' && (
        <Alert color="orange" variant="light" title="Needs attention">
          {order.stage_message}
        </Alert>
      )}
      <Section title="Status">
        <OrderTimeline order={order} />
        <NextStep order={order} />
      </Section>
      {isUnpaid && <PaySection order={order} />}
      {isUnpaid && <PayLinkPanel order={order} />}
      <Section
        title="Price"
        actions={
          order.receipt !== null && (
            <Anchor underline="always" href={urlOf('getReceipt', { params: { id } })} target="_blank" rel="noreferrer">
              Receipt
            </Anchor>
          )
        }
      >
        <PriceLines
          lines={[
            [`${kindWords[kind].noun}${kind === 'transfer' ? '' : `, ${yearsText(years)}`}`, order.amount_kobo],
            [`Promo code ${order.promo_code}`, -order.promo_kobo],
            ['Credit', -order.credit_kobo],
          ]}
          total={[isUnpaid ? 'Due' : order.paid_at === '' ? 'Total' : 'Paid by card', byCard]}
        />
        <MoneyBack order={order} byCard={byCard} />
      </Section>
      {order.payments.length > 0 && <PaymentsList payments={order.payments} isUnpaid={isUnpaid} />}
      {isUnpaid && <CancelSection order={order} />}
    </Stack>
  )
}

/** The link to what a person does after the order. */
function NextStep({ order: { kind, name, status } }: { order: WireOrderDetails }) {
  const link = { size: 'xs', variant: 'default', w: 'fit-content' } as const
  if (status === 'completed' && kind !== 'transfer')
    return (
      <ButtonLink {...link} {...paths.zone(name)}>
        Open the zone
      </ButtonLink>
    )
  if (!['cancelled', 'failed', 'refunded', 'credited'].includes(status)) return null
  // The registry refused the name, so another one is more likely to work.
  if (kind === 'register' && status !== 'cancelled')
    return (
      <ButtonLink {...link} {...paths.buy()}>
        Search for another name
      </ButtonLink>
    )
  return (
    <ButtonLink {...link} {...paths.newOrder(name, kind)}>
      Order again
    </ButtonLink>
  )
}

/** What happened to the money of a failed order. */
function MoneyBack({ order, byCard }: { order: WireOrderDetails; byCard: number }) {
  const { status, credit_kobo: credit } = order
  if (!['failed', 'refunded', 'credited'].includes(status)) return null
  const card =
    status === 'refunded'
      ? `${naira(byCard)} was refunded to the card.`
      : status === 'credited'
        ? `${naira(byCard)} was added to your credit, because the card refused the refund.`
        : `${naira(byCard)} is being refunded to the card.`
  return (
    <Text size="sm">
      {byCard > 0 && order.paid_at !== '' && `${card} `}
      {credit > 0 && order.paid_at !== '' && `${naira(credit)} of credit was returned to you. `}
      {(status === 'credited' || credit > 0) && <TextLink {...paths.credit()}>Show the credit</TextLink>}
    </Text>
  )
}

function PaySection({ order }: { order: WireOrderDetails }) {
  const isBegun = order.payments.some(({ status }) => status === 'open')
  const decline = order.payments.at(-1)?.decline_reason ?? null
  useQuery(queries.paymentCheck(order.id, order.payments.length > 0))
  const [saves, setSaves] = useState(false)
  const pay = useMutation({
    mutationFn: () => call('startCheckout', { params: { id: order.id }, body: { save_card: saves } }),
    onSuccess: ({ url }) => goToPay(url),
    onError: () => renew(keys.order(order.id)),
  })
  return (
    <Section
      title="Pay for the order"
      lead={isBegun ? paymentBegun : 'You pay on the page of the card gateway and then return here.'}
    >
      {decline !== null && <CardDeclined reason={decline} />}
      <SaveCardChoice renewsThis={false} checked={saves} onChange={setSaves} />
      <Group>
        <Button loading={pay.isPending} onClick={() => pay.mutate()}>
          {payAction(order.due_kobo, isBegun, decline)}
        </Button>
      </Group>
      <Failure error={pay.error} />
    </Section>
  )
}

function CancelSection({ order: { id, name } }: { order: WireOrderDetails }) {
  const [isAsking, setAsking] = useState(false)
  const cancel = useMutation({
    mutationFn: () => call('cancelOrder', { params: { id } }),
    onSuccess: async () => {
      setAsking(false)
      await renew(keys.orders, keys.credit)
    },
    onError: () => renew(keys.order(id)),
  })
  return (
    <Group>
      <Button variant="outline" className="danger" onClick={() => setAsking(true)}>
        Cancel the order
      </Button>
      <ConfirmDialog
        opened={isAsking}
        title={`Cancel the order for ${name}`}
        action="Cancel the order"
        error={cancel.error}
        isBusy={cancel.isPending}
        onConfirm={() => cancel.mutate()}
        onClose={() => setAsking(false)}
      >
        Nothing is sent to the registry. You can use the credit and the promo code again, and the payment link stops
        working. Someone else can then register <Names>{name}</Names>.
      </ConfirmDialog>
    </Group>
  )
}
