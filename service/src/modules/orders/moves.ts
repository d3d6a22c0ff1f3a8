import type { EventType, OrderKind, OrderStatus } from '@zonewright/contract'

/** What decides how an order may move. */
export interface MovingOrder {
  readonly kind: OrderKind
  readonly status: OrderStatus
  readonly cancelledBy: 'expiry' | 'owner' | 'refusal' | null
  readonly amountKobo: number
  readonly promoKobo: number
  readonly creditKobo: number
  /** What a card has paid towards it. */
  readonly cardKobo: number
  /** The money is kept. */
  readonly isSettled: boolean
}

/** Something that befalls an order. */
export type Happening =
  /** A card paid what is due. `canReopen`: name, promo code and credit are still to be had. */
  | { readonly kind: 'card_paid'; readonly canReopen: boolean }
  | { readonly kind: 'expired' }
  | { readonly kind: 'cancelled_by_owner' }
  /** The registry did it, or has begun the transfer. */
  | { readonly kind: 'registry_did' }
  | { readonly kind: 'registry_refused' }
  /** A transfer that had begun has come to its end. */
  | { readonly kind: 'transfer_arrived' }
  | { readonly kind: 'transfer_rejected' }
  | { readonly kind: 'card_refunded' }
  /** The refund failed for good, or nothing was on a card. */
  | { readonly kind: 'not_refundable' }

/** What moves with an order, in the same transaction. */
export type Effect =
  /** Reserves the promo code and the credit again, for a payment that came after the expiry. */
  | 'reserve_again'
  | 'free_promo'
  | 'consume_promo'
  /** Gives up the credit that was set aside. */
  | 'free_credit'
  | 'spend_credit'
  | 'enter_card_payment'
  /** The money is kept. */
  | 'earn'
  /** The credit part of what was paid is credit again. */
  | 'return_credit'
  /** The card part goes back to the card, if it can. */
  | 'want_refund'
  | 'enter_refund'
  /** The card part becomes credit. */
  | 'credit_card_part'

/** A move: where to, the event that tells of it, and what goes with it. Null: the status stays as it is. */
export interface Move {
  readonly to: OrderStatus
  readonly event: EventType | null
  readonly effects: readonly Effect[]
}

/** What is to be paid by card for an order. Never negative. */
export function dueOf(order: Pick<MovingOrder, 'amountKobo' | 'promoKobo' | 'creditKobo'>): number {
  return order.amountKobo - order.promoKobo - order.creditKobo
}

/** How an order begins (design: orders, the diagram's first two lines). */
export function firstMove(order: Pick<MovingOrder, 'amountKobo' | 'promoKobo' | 'creditKobo'>): Move {
  return dueOf(order) > 0
    ? { to: 'pending_payment', event: null, effects: [] }
    : { to: 'processing', event: 'order.paid', effects: ['spend_credit'] }
}

/** The one way in which an order moves; undefined: nothing happens, now or ever, because of this (design: orders). */
export function planMove(order: MovingOrder, happening: Happening): Move | undefined {
  switch (order.status) {
    case 'pending_payment':
      return whileUnpaid(happening)
    case 'processing':
      return whileProcessing(order, happening)
    case 'completed':
      return onceCompleted(order, happening)
    case 'failed':
      return moneyBack(order, happening)
    case 'cancelled':
      return onceCancelled(order, happening)
    case 'refunded':
    case 'credited':
      return undefined
  }
}

function whileUnpaid(happening: Happening): Move | undefined {
  if (happening.kind === 'card_paid')
    return { to: 'processing', event: 'order.paid', effects: ['spend_credit', 'enter_card_payment'] }
  if (happening.kind === 'expired' || happening.kind === 'cancelled_by_owner')
    return { to: 'cancelled', event: 'order.cancelled', effects: ['free_promo', 'free_credit'] }
  return undefined
}

function whileProcessing(order: MovingOrder, happening: Happening): Move | undefined {
  if (happening.kind === 'registry_did')
    // A transfer that has begun may still be rejected: until it has arrived the money waits.
    return {
      to: 'completed',
      event: 'order.completed',
      effects: order.kind === 'transfer' ? [] : ['earn', 'consume_promo'],
    }
  if (happening.kind !== 'registry_refused') return undefined
  return order.cardKobo + order.creditKobo > 0
    ? failure(order)
    : { to: 'cancelled', event: 'order.cancelled', effects: ['free_promo'] }
}

function onceCompleted(order: MovingOrder, happening: Happening): Move | undefined {
  if (order.kind !== 'transfer' || order.isSettled) return undefined
  if (happening.kind === 'transfer_arrived') return { to: 'completed', event: null, effects: ['earn', 'consume_promo'] }
  return happening.kind === 'transfer_rejected' ? failure(order) : undefined
}

function failure(order: MovingOrder): Move {
  const refund: Effect[] = order.cardKobo > 0 ? ['want_refund'] : []
  return { to: 'failed', event: 'order.failed', effects: ['free_promo', 'return_credit', ...refund] }
}

/** A failed order's card part, or a late payment of a cancelled one. */
function moneyBack(order: MovingOrder, happening: Happening): Move | undefined {
  if (happening.kind === 'card_refunded' && order.cardKobo > 0)
    return { to: 'refunded', event: 'order.refunded', effects: ['enter_refund'] }
  if (happening.kind === 'not_refundable')
    return { to: 'credited', event: 'order.credited', effects: order.cardKobo > 0 ? ['credit_card_part'] : [] }
  return undefined
}

function onceCancelled(order: MovingOrder, happening: Happening): Move | undefined {
  if (order.cardKobo > 0) return moneyBack(order, happening)
  if (happening.kind !== 'card_paid') return undefined
  return order.cancelledBy === 'expiry' && happening.canReopen
    ? { to: 'processing', event: 'order.paid', effects: ['reserve_again', 'spend_credit', 'enter_card_payment'] }
    : { to: 'cancelled', event: null, effects: ['enter_card_payment', 'want_refund'] }
}
