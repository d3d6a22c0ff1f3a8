import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { WirePayPage } from '@zonewright/contract'
import { useState } from 'react'
import { call } from '../api/client.ts'
import { failedWith } from '../api/failure.ts'
import { queries } from '../api/queries.ts'
import { AuthFrame } from '../components/auth-frame.tsx'
import { CardDeclined } from '../components/card-declined.tsx'
import { PriceLines } from '../components/price-lines.tsx'
import { Failure, Waiting } from '../ui/feedback.tsx'
import { When } from '../ui/when.tsx'
import { orderTitle, payAction, paymentBegun, yearsText } from '../util/order-words.ts'

/** A person who has just paid sees the result within this time. */
const pauseMs = 2_000

/** The page of a payment link, for someone without an account. */
export function PayPage() {
  const { token } = useParams({ from: '/pay/$token' })
  const page = useQuery({
    ...queries.payPage(token),
    refetchInterval: ({ state }) => (state.data?.state === 'open' ? pauseMs : false),
  })
  useQuery(queries.linkedPaymentCheck(token, page.data?.state === 'open'))
  if (failedWith(page.error, 'not_found'))
    return (
      <AuthFrame title="This payment link is no longer valid">
        <Text>
          It has expired or was revoked. If you have just paid, the payment is recorded. Ask the person who sent you the
          link. If you have not paid, ask for a new link.
        </Text>
      </AuthFrame>
    )
  if (page.data === undefined)
    return (
      <AuthFrame title="Pay an order">
        {page.error ? (
          <Failure error={page.error} retry={() => void page.refetch()} />
        ) : (
          <Waiting what="Loading the order" />
        )}
      </AuthFrame>
    )
  const order = page.data
  if (order.state === 'paid')
    return (
      <AuthFrame title="The order is paid" lead={orderTitle(order)}>
        <Text role="status">Thank you. You do not need to do anything else.</Text>
      </AuthFrame>
    )
  if (order.state === 'closed')
    return (
      <AuthFrame title="This order was cancelled">
        <Text role="status">The {orderTitle(order)} no longer needs to be paid.</Text>
      </AuthFrame>
    )
  return (
    <AuthFrame
      title="Pay an order"
      lead={
        <>
          {order.ordered_by} ordered it, and asks you to pay. This link expires <When at={order.expires_at} />.
        </>
      }
    >
      <PayForm token={token} order={order} />
    </AuthFrame>
  )
}

function PayForm({ token, order }: { token: string; order: WirePayPage }) {
  const [email, setEmail] = useState('')
  const pay = useMutation({
    mutationFn: () => call('payByLink', { params: { token }, body: { email: email.trim() } }),
    onSuccess: ({ url }) => location.assign(url),
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        pay.mutate()
      }}
    >
      <Stack>
        <PriceLines
          lines={[
            [`${orderTitle(order)}${order.kind === 'transfer' ? '' : `, ${yearsText(order.years)}`}`, order.due_kobo],
          ]}
          total={['Due now', order.due_kobo]}
        />
        {order.decline_reason !== null && <CardDeclined reason={order.decline_reason} />}
        {order.begun && (
          <Text size="sm" role="status">
            {paymentBegun}
          </Text>
        )}
        <TextInput
          label="Your email"
          description="The card gateway sends its receipt there."
          type="email"
          required
          withAsterisk={false}
          maxLength={254}
          autoComplete="email"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <Failure error={pay.error} />
        <Button type="submit" fullWidth loading={pay.isPending}>
          {payAction(order.due_kobo, order.begun, order.decline_reason)}
        </Button>
      </Stack>
    </form>
  )
}
