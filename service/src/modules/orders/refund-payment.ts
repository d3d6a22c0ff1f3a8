import { insertEntry } from '#modules/billing/index.ts'
import { askForRefund, noteRefund, type PaymentOfOrder, type PaymentWork, paidBy } from '#modules/payments/index.ts'
import { actorNamed } from '#platform/caller.ts'
import type { Tx } from '#platform/postgres/index.ts'
import { moveOrder } from './move-order.ts'
import type { Order } from './order.ts'
import { standings } from './rules.ts'
import { lockOrder, updateOrder } from './store.ts'

const actor = actorNamed('system', 'refunds')

/** Takes the next step of a payment's refund. When the refund has ended, this ends the order or credits the account, exactly once. */
export async function refundPayment(work: PaymentWork, payment: PaymentOfOrder): Promise<void> {
  const standing = await askForRefund(work, payment)
  await work.database.transact(async (tx) => {
    if (standing.is === 'unanswered' || standing.is === 'incomplete') return noteRefund(tx, payment, standing)
    const order = await lockOrder(tx, payment.orderId)
    if (order === undefined || !(await noteRefund(tx, payment, standing))) return
    if (standing.is === 'ended') return endRefund(tx, payment, order, standing.returnedKobo)
    if (!standing.needsAttention || payment.countedAs !== 'order') return
    const { stage, message } = standings.refundStuck
    await updateOrder(tx, order.id, { stage, stageMessage: message })
  })
}

/** `returnedKobo` was refunded to the card; the rest of the payment becomes credit. */
async function endRefund(tx: Tx, payment: PaymentOfOrder, order: Order, returnedKobo: number): Promise<void> {
  const creditedKobo = paidBy(payment) - returnedKobo
  if (payment.countedAs === 'order') {
    const kind = creditedKobo === 0 ? 'card_refunded' : 'not_refundable'
    await moveOrder(tx, actor, order, { kind }, { returnedKobo })
    return
  }
  const { id: paymentId, accountId, orderId } = payment
  const entry = { accountId, orderId, paymentId, note: order.name }
  await insertEntry(tx, { ...entry, kind: 'surplus_refunded', amountKobo: returnedKobo })
  await insertEntry(tx, { ...entry, kind: 'surplus_credited', amountKobo: creditedKobo })
}
