import type { Refund } from '#ports/payments.ts'
import type { PaymentOfOrder } from './store.ts'

/** An attempt that is not paid, its card declined or not, is asked about after so many seconds, however long ago it was made; webhooks come sooner. */
const looks = [30, 60, 120, 300, 900, 1_800] as const
const laterLookS = 3_600
/** An attempt that nobody has paid is given up so long after it was made. Days: pay links are good for seven. */
export const giveUpDays = 8

/** Seconds until an attempt that is not paid is asked about again, or null once it is given up. */
export function nextLookS(tries: number, ageS: number): number | null {
  if (ageS > giveUpDays * 86_400) return null
  return looks[tries] ?? laterLookS
}

/** Seconds until a refund is tried or asked about again. */
export function refundRetryS(tries: number): number {
  return Math.min(3_600, 5 * 2 ** Math.min(tries, 10))
}

/** What a verified payment is to its order. */
export type Coming =
  /** It is what was due, in naira. */
  | 'due'
  /** Another amount came than was asked for: it goes back. */
  | 'wrong'

export function judgePayment(
  payment: Pick<PaymentOfOrder, 'amountKobo'>,
  paid: { amountKobo: number; currency: string },
): Coming {
  return paid.currency === 'NGN' && paid.amountKobo === payment.amountKobo ? 'due' : 'wrong'
}

/** What is to be done about a payment that has to go back. */
export type RefundPlan =
  | { readonly do: 'post'; readonly amountKobo: number }
  | { readonly do: 'wait'; readonly refund: Refund }
  /** So much is on the card again; what is missing of the payment cannot get there. */
  | { readonly do: 'end'; readonly returnedKobo: number }

/** Decides by the refunds that the gateway has of a payment: one made by hand may be of a part. What one has failed for fails for the rest. */
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
