import type { EventType, OrderKind, OrderStatus } from '@zonewright/contract'

/** The facts that decide how an order can move. */
export interface MovingOrder {
  readonly kind: OrderKind
  readonly status: OrderStatus
  readonly cancelledBy: 'expiry' | 'owner' | 'refusal' | null
  readonly amountKobo: number
  readonly promoKobo: number
  readonly creditKobo: number
  /** The amount that a card has paid for it. */
  readonly cardKobo: number
  /** The money is kept. */
  readonly isSettled: boolean
}

/** Something that happens to an order. */
export type Happening =
  /** A card paid the amount due. `canReopen`: name, promo code and credit are still available. */
  | { readonly kind: 'card_paid'; readonly canReopen: boolean }
  | { readonly kind: 'expired' }
  | { readonly kind: 'cancelled_by_owner' }
  /** The registry executed the command, or the transfer has started. */
  | { readonly kind: 'registry_did' }
  | { readonly kind: 'registry_refused' }
  /** A transfer that had started has ended. */
  | { readonly kind: 'transfer_arrived' }
  | { readonly kind: 'transfer_rejected' }
  | { readonly kind: 'card_refunded' }
  /** The refund failed permanently, or no card had paid. */
  | { readonly kind: 'not_refundable' }

/** The effects of a transition, in the same transaction. */
export type Effect =
  /** Reserves the promo code and the credit again, for a payment that arrived after the expiry. */
  | 'reserve_again'
  | 'free_promo'
  | 'consume_promo'
  /** Releases the reserved credit. */
  | 'free_credit'
  | 'spend_credit'
  | 'enter_card_payment'
  /** The money is kept. */
  | 'earn'
  /** Returns the credit part of the payment to the credit. */
  | 'return_credit'
  /** Refunds the card part to the card, if possible. */
  | 'want_refund'
  | 'enter_refund'
  /** Adds the card part to the credit. */
  | 'credit_card_part'

/** A transition: the next status, its event, and its effects. Null: the status does not change. */
export interface Move {
  readonly to: OrderStatus
  readonly event: EventType | null
  readonly effects: readonly Effect[]
}

/** The amount of an order that is due by card. Never negative. */
export function dueOf(order: Pick<MovingOrder, 'amountKobo' | 'promoKobo' | 'creditKobo'>): number {
  return order.amountKobo - order.promoKobo - order.creditKobo
}

/** The first status of an order (design: orders, the diagram's first two lines). */
export function firstMove(order: Pick<MovingOrder, 'amountKobo' | 'promoKobo' | 'creditKobo'>): Move {
  return dueOf(order) > 0
    ? { to: 'pending_payment', event: null, effects: [] }
    : { to: 'processing', event: 'order.paid', effects: ['spend_credit'] }
}

/** The only function that decides transitions of an order (design: orders). Undefined: the happening has no effect, now or later. */
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
    // A started transfer can still be rejected, so the money stays reserved until the domain has arrived.
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

/** The card part of a failed order, or a late payment of a cancelled one. */
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
