import type { Payments, Refund, Verified } from '#ports/payments.ts'
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

/** The state of a charge of a saved card, from what the gateway has just said. */
export type ChargeStanding =
  | { readonly is: 'paid'; readonly paid: Verified }
  /** The gateway has declined or refused it, for this reason; the reason may be empty. */
  | { readonly is: 'declined'; readonly reason: string }
  /** The bank wants the owner of the card to confirm it, which no one can do without the gateway's page. */
  | { readonly is: 'unconfirmed' }
  /** It never reached the gateway. It is resent with the same reference, which takes money at most once. */
  | { readonly is: 'lost' }
  /** `isAnswered`: the gateway says that it is not paid yet. */
  | { readonly is: 'unknown'; readonly isAnswered: boolean }

/** If the gateway does not know a charge that was sent this long ago, it never received it. Requests end sooner. Seconds. */
const lostAfterS = 60
/** A charge that is open for longer waits for its owner, even if the response that said so was lost. Seconds. */
const undecidedS = 900

/**
 * Decides the state of a charge. `sent`: the gateway's response if the charge was just sent. `sentForS`: seconds since then. A refusal may be about
 * the reference of a charge that the gateway already has, so `verified` counts first.
 */
export function judgeCharge(
  verified: Awaited<ReturnType<Payments['verify']>>,
  sent: Awaited<ReturnType<Payments['charge']>> | undefined,
  sentForS: number,
): ChargeStanding {
  if (verified.kind === 'unavailable') return { is: 'unknown', isAnswered: false }
  if (verified.kind === 'verified') {
    if (verified.status === 'succeeded') return { is: 'paid', paid: verified }
    if (verified.status === 'failed') return { is: 'declined', reason: verified.declineReason ?? '' }
    return sent?.kind === 'challenged' || sentForS > undecidedS
      ? { is: 'unconfirmed' }
      : { is: 'unknown', isAnswered: true }
  }
  if (sent?.kind === 'refused') return { is: 'declined', reason: sent.why }
  return sentForS >= lostAfterS ? { is: 'lost' } : { is: 'unknown', isAnswered: true }
}

/** Seconds until a refund is retried or queried again. */
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
