import { Alert } from '@mantine/core'
import { declineText } from '../util/order-words.ts'

/** Says where an order is paid that the card was declined, and why. */
export function CardDeclined({ reason }: { reason: string }) {
  return (
    <Alert color="red" variant="light" title="The card was declined">
      {declineText(reason)} Nothing was paid. Try another card, or ask your bank.
    </Alert>
  )
}
