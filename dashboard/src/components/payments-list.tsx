import { Badge, Group, Stack, Text } from '@mantine/core'
import type { WireOrderDetails } from '@zonewright/contract'
import { Section } from '../ui/page.tsx'
import { When } from '../ui/when.tsx'
import { naira } from '../util/money.ts'
import { declineText } from '../util/order-words.ts'

type Payment = WireOrderDetails['payments'][number]

const statuses: Readonly<Record<Payment['status'], { label: string; look: string }>> = {
  open: { label: 'Started', look: 'badge-orange' },
  succeeded: { label: 'Paid', look: 'badge-green' },
  failed: { label: 'Not paid', look: 'badge-gray' },
}

const declined = { label: 'Declined', look: 'badge-red' }
const notCompleted = { label: 'Not completed', look: 'badge-gray' }
const refunded = { label: 'Refunded', look: 'badge-gray' }
const credited = { label: 'Credited', look: 'badge-gray' }

/** What became of a payment. `isUnpaid`: the order can still be paid. */
function outcomeOf({ status, refund, decline_reason: decline }: Payment, isUnpaid: boolean) {
  if (decline !== null) return declined
  if (status === 'open' && !isUnpaid) return notCompleted
  if (refund === 'processed') return refunded
  return refund === 'failed' ? credited : statuses[status]
}

const refunds: Readonly<Record<NonNullable<Payment['refund']>, string>> = {
  wanted: 'Being refunded to the card.',
  posted: 'Being refunded to the card.',
  processed: 'Refunded to the card.',
  failed: 'The card refused the refund, so it was added to the credit.',
  needs_attention: 'The bank requires more details before it accepts the refund. Contact support.',
}

/** All attempts to pay an order by card. */
export function PaymentsList({ payments, isUnpaid }: { payments: readonly Payment[]; isUnpaid: boolean }) {
  return (
    <Section title="Card payments">
      <Stack gap="sm">
        {payments.map((payment) => {
          const { label, look } = outcomeOf(payment, isUnpaid)
          return (
            <div key={payment.reference}>
              <Group gap="xs">
                <Text fw={600}>{naira(payment.amount_kobo)}</Text>
                <Badge className={look}>{label}</Badge>
                {payment.counted_as === 'surplus' && <Badge className="badge-orange">Duplicate payment</Badge>}
                <Text size="sm" className="quiet">
                  <When at={payment.created_at} />
                </Text>
              </Group>
              {!!payment.decline_reason && <Text size="sm">{declineText(payment.decline_reason)}</Text>}
              {payment.refund !== null && <Text size="sm">{refunds[payment.refund]}</Text>}
              <Text size="xs" className="mono quiet">
                {payment.reference}
              </Text>
            </div>
          )
        })}
      </Stack>
    </Section>
  )
}
