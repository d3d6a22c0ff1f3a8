import type { OrderStage } from '@zonewright/contract'
import type { Verdict } from './reconcile.ts'

/** A quote's price holds so long (design: orders). Minutes. */
export const quoteMinutes = 30
/** Orders that a key may place in an hour (specification, "Limits"). */
export const ordersPerHour = 20

/** Orders of an account that are not paid yet; renewals that the service orders by itself are never refused. */
export const maxUnpaidOrders = 500
/** An unpaid order waits so long for its payment. Hours. */
export const unpaidHours = 24

/** Where an order stands, for a person. */
export interface Standing {
  readonly stage: OrderStage | null
  readonly message: string
}

export const standings = {
  unpaid: { stage: 'awaiting_payment', message: 'The order waits for its payment.' },
  sending: { stage: 'sending', message: 'It is being asked of the registry.' },
  pending: { stage: 'registry_pending', message: 'The registry has taken it on and decides within some days.' },
  checking: { stage: 'checking', message: 'The registry gave no answer: whether it was done is being checked.' },
  held: { stage: 'checking', message: 'It is held up on our side. It goes on by itself; nothing needs to be done.' },
  transferring: {
    stage: 'registry_pending',
    message: 'The transfer has begun; the present registrar has some days to object.',
  },
  doubted: {
    stage: 'checking',
    message: 'The transfer is under way no longer. Whether the domain has come is being checked.',
  },
  refunding: { stage: 'refunding', message: 'The money is going back to the card.' },
  refundStuck: {
    stage: 'action_required',
    message: 'The bank wants more details before it takes the refund. Write to support.',
  },
  over: { stage: null, message: '' },
} as const satisfies Readonly<Record<string, Standing>>

/** What a customer is told while the registry has not finished. */
export function standingAfter(verdict: Verdict): Standing {
  if (verdict.end === 'pending') return standings.pending
  if (verdict.end === 'unknown') return standings.checking
  return verdict.end === 'again' && verdict.alert !== undefined ? standings.held : standings.sending
}

/** Has a domain been renewed since a renewal was quoted, or ordered, for an expiry? */
export function wasRenewedSince(oldExpiry: Date | null, { expiresAt }: { readonly expiresAt: Date | null }): boolean {
  return expiresAt !== null && oldExpiry !== null && expiresAt > oldExpiry
}

/** Until when a renewal makes a domain last, if its registry does not tell. */
export function expiryAfter({ oldExpiry, years }: { oldExpiry: Date | null; years: number }): Date | null {
  if (oldExpiry === null) return null
  const expiresAt = new Date(oldExpiry)
  expiresAt.setUTCFullYear(expiresAt.getUTCFullYear() + years)
  return expiresAt
}

/** When the key may order again, in whole seconds; undefined: now. `agesS` are those of its orders of the last hour. */
export function orderLimitWaitS(agesS: readonly number[]): number | undefined {
  if (agesS.length < ordersPerHour) return undefined
  const oldestThatCounts = agesS.toSorted((a, b) => a - b)[ordersPerHour - 1] ?? 0
  return Math.max(1, Math.ceil(3_600 - oldestThatCounts))
}
