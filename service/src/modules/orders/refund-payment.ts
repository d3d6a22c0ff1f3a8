import { insertEntry } from '#modules/billing/index.ts'
import {
  lockPayment,
  type PaymentOfOrder,
  planRefund,
  type RefundPlan,
  refundRetryS,
  updatePayment,
} from '#modules/payments/index.ts'
import { actorNamed } from '#platform/caller.ts'
import type { Tx } from '#platform/postgres/index.ts'
import type { Payments, Unavailable } from '#ports/payments.ts'
import { moveOrder } from './move-order.ts'
import { standings } from './rules.ts'
import type { PaymentWork } from './settle-payment.ts'
import { lockOrder, updateOrder } from './store.ts'

const actor = actorNamed('system', 'refunds')

/**
 * Takes the next step of sending a payment's money back. The gateway has no idempotency key, so refunds are looked for before
 * one is posted, in every attempt.
 */
export async function refundPayment({ database, payments, log }: PaymentWork, payment: PaymentOfOrder): Promise<void> {
  const { reference, id } = payment
  const paidKobo = paidBy(payment)
  const found = await refundsOf(payments, payment)
  if (found.kind === 'unavailable') return waitForAnswer(found)
  const plan = planRefund(found.refunds, paidKobo)
  if (plan.do !== 'post') return database.transact((tx) => noteRefunds(tx, payment, plan))
  // Who posts one has the payment to himself, by its claim: of two at once neither would find the other's.
  if (payment.refundState !== 'wanted') return database.transact((tx) => wantRest(tx, payment))
  if (plan.amountKobo < paidKobo)
    log.warn({ payment: id, ...plan }, 'part of a payment was refunded manually; the rest is being refunded')
  const posted = await payments.refund({ reference, amountKobo: plan.amountKobo })
  if (posted.kind === 'unavailable') return waitForAnswer(posted)
  if (posted.kind === 'posted') {
    // Whatever the gateway says of one that it has just taken, another one is not posted in the same breath.
    const { refund } = posted
    return database.transact((tx) =>
      noteRefunds(tx, payment, planRefund([refund, ...found.refunds], paidKobo), refund.id),
    )
  }
  // Refused, perhaps because there is one after all, which was not listed yet: another look tells.
  const listed = await refundsOf(payments, payment)
  if (listed.kind === 'unavailable') return waitForAnswer(listed)
  const next = planRefund(listed.refunds, paidKobo)
  if (next.do !== 'post') return database.transact((tx) => noteRefunds(tx, payment, next))
  const standing = await payments.verify(reference)
  if (standing.kind === 'unavailable') return waitForAnswer(standing)
  // It had succeeded: whoever reversed it has sent the money back, and credit would be the same money again.
  if (standing.kind === 'verified' && standing.status === 'failed')
    return database.transact((tx) => endRefund(tx, payment, paidKobo))
  log.error({ payment: id, why: posted.why }, 'the card gateway refused a refund')
  return database.transact((tx) => endRefund(tx, payment, paidKobo - next.amountKobo))

  function waitForAnswer({ why }: Unavailable): Promise<void> {
    log.warn({ payment: id, why }, 'the card gateway did not respond about a refund')
    return database.transact((tx) => updatePayment(tx, id, again(payment)))
  }
}

/** What is listed, and the one that was posted before, which may not be yet. */
async function refundsOf(payments: Payments, { reference, refundId }: PaymentOfOrder) {
  const found = await payments.findRefunds(reference)
  if (found.kind === 'unavailable' || refundId === null || found.refunds.some(({ id }) => id === refundId)) return found
  const unlisted = await payments.getRefund(refundId)
  if (unlisted.kind === 'unavailable') return unlisted
  if (unlisted.refund === null) return found
  return { ...found, refunds: [unlisted.refund, ...found.refunds] }
}

async function noteRefunds(tx: Tx, payment: PaymentOfOrder, plan: RefundPlan, postedId?: string): Promise<void> {
  if (plan.do === 'end') return endRefund(tx, payment, plan.returnedKobo, postedId)
  const order = await lockOrder(tx, payment.orderId)
  const locked = await lockPayment(tx, payment.id)
  if (locked?.refundState === 'processed' || locked?.refundState === 'failed') return
  const refundId = postedId ?? (plan.do === 'wait' ? plan.refund.id : undefined)
  const isStuck = plan.do === 'wait' && plan.refund.status === 'needs_attention'
  const refundState = isStuck ? 'needs_attention' : 'posted'
  await updatePayment(tx, payment.id, { ...again(payment), refundState, ...(refundId && { refundId }) })
  if (!isStuck || payment.countedAs !== 'order' || order === undefined) return
  const { stage, message } = standings.refundStuck
  await updateOrder(tx, order.id, { stage, stageMessage: message })
}

/** What was under way was of a part, or is gone: one for the rest is wanted. */
async function wantRest(tx: Tx, { id, refundState }: PaymentOfOrder): Promise<void> {
  const locked = await lockPayment(tx, id)
  if (locked?.refundState !== refundState) return
  await updatePayment(tx, id, { refundState: 'wanted', tries: 0, stepInS: 0 })
}

/** The refund has come to its end, once: so much is on the card, and what is not becomes credit. */
async function endRefund(tx: Tx, payment: PaymentOfOrder, returnedKobo: number, refundId?: string): Promise<void> {
  const order = await lockOrder(tx, payment.orderId)
  const locked = await lockPayment(tx, payment.id)
  if (order === undefined || locked?.refundState === 'processed' || locked?.refundState === 'failed') return
  const creditedKobo = paidBy(payment) - returnedKobo
  const refundState = creditedKobo === 0 ? 'processed' : 'failed'
  await updatePayment(tx, payment.id, { refundState, stepInS: null, ...(refundId && { refundId }) })
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

function paidBy({ paidKobo, amountKobo }: PaymentOfOrder): number {
  return paidKobo ?? amountKobo
}

function again({ tries }: PaymentOfOrder): { tries: number; stepInS: number } {
  return { tries: tries + 1, stepInS: refundRetryS(tries) }
}
