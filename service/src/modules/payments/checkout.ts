import { takeTry } from '#modules/accounts/index.ts'
import { Refusal } from '#platform/errors.ts'
import { newId } from '#platform/ids.ts'
import type { Database, Tx } from '#platform/postgres/index.ts'
import type { Payments } from '#ports/payments.ts'
import { type Attempt, insertCharge, insertPayment, noteCheckoutUrl, openPayment } from './store.ts'

/** Seconds after which the gateway is queried about an open attempt; its webhook comes sooner. */
const firstLookS = 30

/**
 * Stores an attempt to pay an order before it is sent to the gateway, so that no payment is ever unknown here. The order's row must be locked.
 * Returns the page's address instead if an earlier attempt can still be paid.
 *
 * Throws `conflict` while the page of an earlier attempt is being opened, or a saved card is being charged, because the order could be paid
 * twice. Throws `rate_limited` if the order or its account has had too many attempts.
 */
export async function beginCheckout(
  tx: Tx,
  { accountId, ...wanted }: Omit<Attempt, 'id' | 'reference'>,
): Promise<Attempt | { readonly url: string }> {
  const open = await openPayment(tx, wanted)
  if (open?.charge)
    throw new Refusal('conflict', 'A saved card is being charged for this order. Try again in a minute.', {
      headers: { 'retry-after': '60' },
    })
  if (open?.checkoutUrl) return { url: open.checkoutUrl }
  if (open) throw isBeingOpened()
  await takeTry(tx, 'checkout-of', wanted.orderId)
  await takeTry(tx, 'checkout-by', accountId)
  const attempt = { ...newReference(), accountId, ...wanted }
  await insertPayment(tx, attempt, firstLookS)
  return attempt
}

/** Stores a charge of a saved card before it is sent to the gateway. A worker sends it. The order's row must be locked. */
export async function beginCharge(
  tx: Tx,
  charge: Omit<Attempt, 'id' | 'reference' | 'saveCard'> & { readonly cardId: string },
): Promise<void> {
  await insertCharge(tx, { ...newReference(), ...charge })
}

/** Only letters, digits and hyphens, because the gateway does not allow an underscore. */
function newReference(): { readonly id: string; readonly reference: string } {
  const id = newId('pay')
  return { id, reference: id.replace('_', '-') }
}

/** Opens the gateway's page for an attempt and returns its address. Throws `unavailable` if the gateway does not respond. */
export async function openCheckout(
  { database, payments }: { readonly database: Database; readonly payments: Payments },
  attempt: Attempt,
  returnUrl: string,
): Promise<string> {
  const checkout = await payments.createCheckout({ ...attempt, returnUrl })
  await database.transact((tx) =>
    noteCheckoutUrl(tx, attempt.id, checkout.kind === 'unavailable' ? null : checkout.url),
  )
  if (checkout.kind === 'unavailable')
    throw new Refusal('unavailable', 'The card gateway is not responding. Nothing was paid. Try again in a minute.', {
      headers: { 'retry-after': '60' },
      cause: new Error(checkout.why),
    })
  return checkout.url
}

function isBeingOpened(): Refusal {
  return new Refusal('conflict', 'A checkout is already being opened. Try again in a moment.', {
    headers: { 'retry-after': '5' },
  })
}
