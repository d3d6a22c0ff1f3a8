import { insertEntry } from '#modules/billing/index.ts'
import { actorNamed } from '#platform/caller.ts'
import type { Tx } from '#platform/db.ts'
import type { Payments, Refund, Unavailable } from '#ports/payments.ts'
import { moveOrder } from './move-order.ts'
import { refundRetryS } from './payment-rules.ts'
import { lockPayment, type PaymentOfOrder, updatePayment } from './payment-store.ts'
import { standings } from './rules.ts'
import type { PaymentWork } from './settle-payment.ts'
import { lockOrder, updateOrder } from './store.ts'

const actor = actorNamed('system', 'refunds')

/**
 * Takes the next step of sending a payment's money back. The gateway has no idempotency key, so a refund is looked for before
 * one is posted, in every attempt.
 */
export async function refundPayment({ database, payments, log }: PaymentWork, payment: PaymentOfOrder): Promise<void> {
  const { reference, id } = payment
  const amountKobo = payment.paidKobo ?? payment.amountKobo
  const found =
    payment.refundId === null ? await payments.findRefund(reference) : await payments.getRefund(payment.refundId)
  const isThereNone = found.kind === 'found' && found.refund === null
  const posted = isThereNone ? await payments.refund({ reference, amountKobo }) : found
  // Refused, perhaps because there is one after all, which was not listed yet: another look tells.
  const outcome = posted.kind === 'refused' ? await lookAgain(payments, reference, posted) : posted
  if (outcome.kind === 'unavailable') {
    log.warn({ payment: id, why: (outcome as Unavailable).why }, 'the gateway did not answer about a refund')
    return database.transact((tx) => updatePayment(tx, id, again(payment)))
  }
  if (outcome.kind === 'refused') {
    const standing = await payments.verify(reference)
    if (standing.kind === 'unavailable') return database.transact((tx) => updatePayment(tx, id, again(payment)))
    // It had succeeded: whoever reversed it has sent the money back, and credit would be the same money again.
    if (standing.kind === 'verified' && standing.status === 'failed')
      return database.transact((tx) => endRefund(tx, payment, 'processed'))
    log.error({ payment: id, why: outcome.why }, 'the gateway refuses a refund')
    return database.transact((tx) => endRefund(tx, payment, 'failed'))
  }
  const { refund } = outcome
  if (refund === null) return database.transact((tx) => updatePayment(tx, id, again(payment)))
  await database.transact((tx) => noteRefund(tx, payment, refund))
}

async function lookAgain<T>(payments: Payments, reference: string, refusal: T) {
  const found = await payments.findRefund(reference)
  return found.kind === 'found' && found.refund === null ? refusal : found
}

async function noteRefund(tx: Tx, payment: PaymentOfOrder, refund: Refund): Promise<void> {
  if (refund.status === 'processed' || refund.status === 'failed')
    return endRefund(tx, payment, refund.status, refund.id)
  const order = await lockOrder(tx, payment.orderId)
  const locked = await lockPayment(tx, payment.id)
  if (locked?.refundState === 'processed' || locked?.refundState === 'failed') return
  const refundState = refund.status === 'needs_attention' ? 'needs_attention' : 'posted'
  await updatePayment(tx, payment.id, { ...again(payment), refundState, refundId: refund.id })
  if (refundState !== 'needs_attention' || payment.countedAs !== 'order' || order === undefined) return
  const { stage, message } = standings.refundStuck
  await updateOrder(tx, order.id, { stage, stageMessage: message })
}

/** The refund has come to its end, once: the money is on the card, or it becomes credit. */
async function endRefund(
  tx: Tx,
  payment: PaymentOfOrder,
  how: 'processed' | 'failed',
  refundId?: string,
): Promise<void> {
  const order = await lockOrder(tx, payment.orderId)
  const locked = await lockPayment(tx, payment.id)
  if (order === undefined || locked?.refundState === 'processed' || locked?.refundState === 'failed') return
  await updatePayment(tx, payment.id, { refundState: how, stepInS: null, ...(refundId && { refundId }) })
  if (payment.countedAs === 'order') {
    await moveOrder(tx, actor, order, { kind: how === 'processed' ? 'card_refunded' : 'not_refundable' })
    return
  }
  const { id: paymentId, accountId, orderId } = payment
  const kind = how === 'processed' ? 'surplus_refunded' : 'surplus_credited'
  await insertEntry(tx, { kind, accountId, orderId, paymentId, amountKobo: payment.paidKobo ?? 0, note: order.name })
}

function again({ tries }: PaymentOfOrder): { tries: number; stepInS: number } {
  return { tries: tries + 1, stepInS: refundRetryS(tries) }
}
