import type { Logger } from '#platform/log.ts'
import type { Tx } from '#platform/postgres/index.ts'
import type { Payments } from '#ports/payments.ts'
import { planRefund, type RefundPlan, refundRetryS } from './rules.ts'
import { lockPayment, type PaymentChange, type PaymentOfOrder, updatePayment } from './store.ts'

/** The state of a refund after the gateway was queried, for `noteRefund`. */
export type RefundStanding =
  /** The gateway did not answer. */
  | { readonly is: 'unanswered' }
  /** The refund in progress covers only a part, or is gone: the rest has to be refunded. */
  | { readonly is: 'incomplete' }
  | { readonly is: 'open'; readonly needsAttention: boolean; readonly refundId: string | undefined }
  /** The amount that was refunded to the card; the rest of the payment cannot be. */
  | { readonly is: 'ended'; readonly returnedKobo: number; readonly refundId: string | undefined }

/**
 * Takes the next step of refunding a payment at the gateway. The gateway has no idempotency key, so refunds are looked up
 * before one is posted, in every attempt.
 */
export async function askForRefund(
  { payments, log }: { readonly payments: Payments; readonly log: Logger },
  payment: PaymentOfOrder,
): Promise<RefundStanding> {
  const { reference, id } = payment
  const paidKobo = paidBy(payment)
  const found = await refundsOf(payments, payment)
  if (found.kind === 'unavailable') return unanswered(found.why)
  const plan = planRefund(found.refunds, paidKobo)
  if (plan.do !== 'post') return standingBy(plan)
  // Only the worker that has claimed a refund posts it: two concurrent workers would not find each other's refunds.
  if (payment.refundState !== 'wanted') return { is: 'incomplete' }
  if (plan.amountKobo < paidKobo)
    log.warn({ payment: id, ...plan }, 'part of a payment was refunded manually; the rest is being refunded')
  const posted = await payments.refund({ reference, amountKobo: plan.amountKobo })
  if (posted.kind === 'unavailable') return unanswered(posted.why)
  if (posted.kind === 'posted') {
    const { refund } = posted
    return standingBy(planRefund([refund, ...found.refunds], paidKobo), refund.id)
  }
  // Refused, perhaps because there is a refund that was not listed yet: look it up again.
  const listed = await refundsOf(payments, payment)
  if (listed.kind === 'unavailable') return unanswered(listed.why)
  const next = planRefund(listed.refunds, paidKobo)
  if (next.do !== 'post') return standingBy(next)
  const standing = await payments.verify(reference)
  if (standing.kind === 'unavailable') return unanswered(standing.why)
  // The payment had succeeded. The reversal has refunded it, and credit would refund it twice.
  if (standing.kind === 'verified' && standing.status === 'failed')
    return { is: 'ended', returnedKobo: paidKobo, refundId: undefined }
  log.error({ payment: id, why: posted.why }, 'the card gateway refused a refund')
  return { is: 'ended', returnedKobo: paidKobo - next.amountKobo, refundId: undefined }

  function unanswered(why: string): RefundStanding {
    log.warn({ payment: id, why }, 'the card gateway did not respond about a refund')
    return { is: 'unanswered' }
  }
}

/**
 * Stores the state of a refund. If it is open or has ended, the order's row must be locked first. False: another worker has stored a later
 * state in the meantime.
 */
export async function noteRefund(tx: Tx, payment: PaymentOfOrder, standing: RefundStanding): Promise<boolean> {
  const locked = await lockPayment(tx, payment.id)
  if (locked === undefined) return false
  if (locked.refundState === 'processed' || locked.refundState === 'failed') {
    await updatePayment(tx, payment.id, { stepInS: null })
    return false
  }
  // Another worker is posting the rest, and this answer is older.
  if (locked.refundState === 'wanted' && payment.refundState !== 'wanted') return false
  if (standing.is === 'unanswered') {
    await updatePayment(tx, payment.id, again(payment))
    return true
  }
  if (standing.is === 'incomplete') {
    if (locked.refundState !== payment.refundState) return false
    await updatePayment(tx, payment.id, { refundState: 'wanted', tries: 0, stepInS: 0 })
    return true
  }
  const { refundId } = standing
  const change: PaymentChange =
    standing.is === 'open'
      ? { ...again(payment), refundState: standing.needsAttention ? 'needs_attention' : 'posted' }
      : { stepInS: null, refundState: standing.returnedKobo === paidBy(payment) ? 'processed' : 'failed' }
  await updatePayment(tx, payment.id, { ...change, ...(refundId && { refundId }) })
  return true
}

/** The amount of a payment that succeeded. */
export function paidBy({ paidKobo, amountKobo }: PaymentOfOrder): number {
  return paidKobo ?? amountKobo
}

/** The listed refunds, and the one that was posted before, which may not be listed yet. */
async function refundsOf(payments: Payments, { reference, refundId }: PaymentOfOrder) {
  const found = await payments.findRefunds(reference)
  if (found.kind === 'unavailable' || refundId === null || found.refunds.some(({ id }) => id === refundId)) return found
  const unlisted = await payments.getRefund(refundId)
  if (unlisted.kind === 'unavailable') return unlisted
  if (unlisted.refund === null) return found
  return { ...found, refunds: [unlisted.refund, ...found.refunds] }
}

/** `postedId`: the refund that was just posted. No other one is posted in the same step, whatever the gateway says about it. */
function standingBy(plan: RefundPlan, postedId?: string): RefundStanding {
  if (plan.do === 'end') return { is: 'ended', returnedKobo: plan.returnedKobo, refundId: postedId }
  const refund = plan.do === 'wait' ? plan.refund : undefined
  return { is: 'open', needsAttention: refund?.status === 'needs_attention', refundId: postedId ?? refund?.id }
}

function again({ tries }: PaymentOfOrder): { tries: number; stepInS: number } {
  return { tries: tries + 1, stepInS: refundRetryS(tries) }
}
