import type { Refund } from '#ports/payments.ts'
import type { PaymentOfOrder } from './store.ts'

/** Seconds after which the gateway is queried about an unpaid attempt, whether its card was declined or not; webhooks come sooner. */
const looks = [30, 60, 120, 300, 900, 1_800] as const
const laterLookS = 3_600
/** Days after which an unpaid attempt is given up: payment links are valid for seven. */
export const giveUpDays = 8

/** Seconds until the gateway is queried about an unpaid attempt again, or null once it is given up. */
export function nextLookS(tries: number, ageS: number): number | null {
  if (ageS > giveUpDays * 86_400) return null
  return looks[tries] ?? laterLookS
}

/**
 * The gateway's reason, empty if it gave none, if the last attempt to pay an order was declined; otherwise null. The payments are sorted from the
 * oldest to the latest.
 */
export function declineOf(payments: readonly Pick<PaymentOfOrder, 'status' | 'declineReason'>[]): string | null {
  const last = payments.at(-1)
  return last?.status === 'failed' ? last.declineReason : null
}

/** Seconds until a refund is tried or queried again. */
export function refundRetryS(tries: number): number {
  return Math.min(3_600, 5 * 2 ** Math.min(tries, 10))
}

/** What a verified payment means for its order. */
export type Coming =
  /** It is the amount due, in naira. */
  | 'due'
  /** Another amount was paid than requested: it is refunded. */
  | 'wrong'

export function judgePayment(
  payment: Pick<PaymentOfOrder, 'amountKobo'>,
  paid: { amountKobo: number; currency: string },
): Coming {
  return paid.currency === 'NGN' && paid.amountKobo === payment.amountKobo ? 'due' : 'wrong'
}

/** The next step for a payment that has to be refunded. */
export type RefundPlan =
  | { readonly do: 'post'; readonly amountKobo: number }
  | { readonly do: 'wait'; readonly refund: Refund }
  /** The amount that was refunded to the card; the rest of the payment cannot be. */
  | { readonly do: 'end'; readonly returnedKobo: number }

/** Decides from the gateway's refunds of a payment: a manual one may cover a part. If one has failed, the rest would fail for the same reason. */
export function planRefund(refunds: readonly Refund[], paidKobo: number): RefundPlan {
  const underWay = refunds.find(({ status }) => status === 'pending' || status === 'needs_attention')
  if (underWay !== undefined) return { do: 'wait', refund: underWay }
  const returned = refunds.filter(({ status }) => status === 'processed')
  const returnedKobo = Math.min(
    paidKobo,
    returned.reduce((sum, { amountKobo }) => sum + amountKobo, 0),
  )
  return returned.length === refunds.length && returnedKobo < paidKobo
    ? { do: 'post', amountKobo: paidKobo - returnedKobo }
    : { do: 'end', returnedKobo }
}
