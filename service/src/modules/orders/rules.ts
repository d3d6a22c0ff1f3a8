import type { OrderStage } from '@zonewright/contract'
import { isTransferUnderWay, type Order } from './order.ts'
import type { Verdict } from './reconcile.ts'

/** How long the price of a quote is valid (design: orders). Minutes. */
export const quoteMinutes = 30
/** Orders that a key can place in an hour (specification, "Limits"). */
export const ordersPerHour = 20

/** Unpaid orders that an account can have. Auto-renew orders are never refused because of this limit. */
export const maxUnpaidOrders = 500
/** How long an unpaid order waits for its payment. Hours. */
export const unpaidHours = 24

/** The progress of an order, for a person. */
export interface Standing {
  readonly stage: OrderStage | null
  readonly message: string
}

export const standings = {
  unpaid: { stage: 'awaiting_payment', message: 'Waiting for payment.' },
  sending: { stage: 'sending', message: 'The order is being sent to the registry.' },
  pending: { stage: 'registry_pending', message: 'Waiting for the registry. This can take a few days.' },
  checking: {
    stage: 'checking',
    message: 'The registry did not respond. We are checking whether the order went through.',
  },
  held: {
    stage: 'checking',
    message: 'The order is delayed on our side. It continues automatically. You do not need to do anything.',
  },
  transferring: {
    stage: 'registry_pending',
    message: 'The transfer has started. The current registrar has a few days to object.',
  },
  doubted: {
    stage: 'checking',
    message: 'The transfer has ended. We are checking whether the domain has arrived.',
  },
  refunding: { stage: 'refunding', message: 'The payment is being refunded to the card.' },
  refundStuck: {
    stage: 'action_required',
    message: 'The bank requires more details before it accepts the refund. Contact support.',
  },
  over: { stage: null, message: '' },
} as const satisfies Readonly<Record<string, Standing>>

/** What the customer sees while the registry has not finished. */
export function standingAfter(order: Order, verdict: Verdict): Standing {
  if (verdict.state === 'pending' && isTransferUnderWay(order))
    return verdict.missed === true ? standings.doubted : standings.transferring
  if (verdict.state === 'pending') return standings.pending
  if (verdict.state === 'unknown') return standings.checking
  return verdict.state === 'not_done' && verdict.isFault ? standings.held : standings.sending
}

/** Whether a domain was renewed after a renewal was quoted or ordered for this expiry. */
export function wasRenewedSince(oldExpiry: Date | null, { expiresAt }: { readonly expiresAt: Date | null }): boolean {
  return expiresAt !== null && oldExpiry !== null && expiresAt > oldExpiry
}

/** The assumed expiry after a renewal if the registry reports none. */
export function expiryAfter({ oldExpiry, years }: { oldExpiry: Date | null; years: number }): Date | null {
  if (oldExpiry === null) return null
  const expiresAt = new Date(oldExpiry)
  expiresAt.setUTCFullYear(expiresAt.getUTCFullYear() + years)
  return expiresAt
}

/** When the key can place another order, in whole seconds; undefined: now. `agesS`: the ages of its orders of the last hour. */
export function orderLimitWaitS(agesS: readonly number[]): number | undefined {
  if (agesS.length < ordersPerHour) return undefined
  const oldestThatCounts = agesS.toSorted((a, b) => a - b)[ordersPerHour - 1] ?? 0
  return Math.max(1, Math.ceil(3_600 - oldestThatCounts))
}
