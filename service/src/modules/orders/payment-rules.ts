import type { PaymentOfOrder } from './payment-store.ts'

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
