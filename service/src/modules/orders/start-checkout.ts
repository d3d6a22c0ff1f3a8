import { beginCheckout, openCheckout } from '#modules/payments/index.ts'
import { Refusal } from '#platform/errors.ts'
import type { Database } from '#platform/postgres/index.ts'
import type { Payments } from '#ports/payments.ts'
import { dueOf } from './moves.ts'
import type { Order } from './order.ts'
import { lockOrder } from './store.ts'

/**
 * Opens the gateway's page for the amount due of an order, and returns its address. Throws `conflict` if the order is not waiting for payment.
 */
export async function startCheckout(
  parts: { readonly database: Database; readonly payments: Payments },
  order: Pick<Order, 'id'>,
  payer: { readonly email: string; readonly returnUrl: string; readonly saveCard?: boolean | undefined },
): Promise<string> {
  const attempt = await parts.database.transactInTurn(order.id, async (tx) => {
    const locked = await lockOrder(tx, order.id)
    if (locked?.status !== 'pending_payment')
      throw new Refusal('conflict', 'This order is no longer waiting for payment.')
    const { id, accountId } = locked
    const { email, saveCard = false } = payer
    return beginCheckout(tx, { orderId: id, accountId, email, amountKobo: dueOf(locked), saveCard })
  })
  return 'url' in attempt ? attempt.url : openCheckout(parts, attempt, payer.returnUrl)
}
