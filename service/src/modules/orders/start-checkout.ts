import { takeTry } from '#modules/accounts/index.ts'
import { insertPayment, noteCheckoutUrl, openPayment } from '#modules/payments/index.ts'
import { Refusal } from '#platform/errors.ts'
import { newId } from '#platform/ids.ts'
import type { Database } from '#platform/postgres/index.ts'
import type { Payments } from '#ports/payments.ts'
import { dueOf } from './moves.ts'
import type { Order } from './order.ts'
import { lockOrder } from './store.ts'

/** An open attempt is asked about by itself after so long; its webhook comes sooner. Seconds. */
const firstLookS = 30

/**
 * Opens the gateway's page for what an order has due, and returns its address. The attempt is written down before the gateway
 * hears of it, so that none is ever paid that nobody knows; and whoever clicks a second time meanwhile is told to wait, not given
 * another page that could be paid, too.
 */
export async function startCheckout(
  { database, payments }: { database: Database; payments: Payments },
  order: Pick<Order, 'id'>,
  payer: { readonly email: string; readonly returnUrl: string },
): Promise<string> {
  const attempt = await database.transactInTurn(order.id, async (tx) => {
    const locked = await lockOrder(tx, order.id)
    if (locked?.status !== 'pending_payment') throw notPayable()
    const wanted = { orderId: locked.id, email: payer.email, amountKobo: dueOf(locked) }
    const open = await openPayment(tx, wanted)
    if (open?.checkoutUrl) return { url: open.checkoutUrl }
    if (open) throw isBeingOpened()
    await takeTry(tx, 'checkout-of', locked.id)
    await takeTry(tx, 'checkout-by', locked.accountId)
    const id = newId('pay')
    // Letters, digits and hyphens alone: an underscore is none of the gateway's.
    const payment = { id, reference: id.replace('_', '-'), accountId: locked.accountId, ...wanted }
    await insertPayment(tx, payment, firstLookS)
    return payment
  })
  if ('url' in attempt) return attempt.url
  const checkout = await payments.createCheckout({ ...attempt, returnUrl: payer.returnUrl })
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

export function notPayable(): Refusal {
  return new Refusal('conflict', 'This order is no longer waiting for payment.')
}
