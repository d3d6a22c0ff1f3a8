import { Alert } from '@mantine/core'
import { declineText } from '../util/order-words.ts'

/** Shows that the card was declined, and why, in the place where an order is paid. */
export function CardDeclined({ reason }: { reason: string }) {
  return (
    <Alert color="red" variant="light" title="The card was declined">
      {declineText(reason)} Nothing was paid. Try another card, or ask your bank.
    </Alert>
  )
}
