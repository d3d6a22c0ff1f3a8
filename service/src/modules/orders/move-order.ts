import { recordAudit } from '#modules/audit/index.ts'
import {
  freeHold,
  holdCredit,
  insertEntry,
  kobo,
  reservePromo,
  settlePromo,
  spendHold,
} from '#modules/billing/index.ts'
import { publish } from '#modules/events/index.ts'
import { wantRefund } from '#modules/payments/index.ts'
import type { Actor } from '#platform/caller.ts'
import type { Tx } from '#platform/postgres/index.ts'
import { orderEvent } from './events.ts'
import { type Effect, type Happening, type Move, planMove } from './moves.ts'
import { movingOrder, type Order } from './order.ts'
import { type Standing, standings } from './rules.ts'
import { type OrderChange, updateOrder } from './store.ts'
import { transferLooks } from './transfer-standing.ts'

/** What is known about a happening beyond its kind. */
export interface MoveDetails {
  /** The amount that the card paid. */
  readonly cardKobo?: number
  /** The amount that was refunded to the card. Set only if it is neither all nor nothing. */
  readonly returnedKobo?: number
  /** The reason, for the customer. */
  readonly lastError?: string
  readonly actBy?: Date | null
}

/**
 * Moves an order to its next status if the diagram has this transition: status, money, event and audit entry in this transaction.
 *
 * The caller has locked the order's row and, before it, for a payment, the account and the promo code. Undefined: the order does not move.
 */
export async function moveOrder(
  tx: Tx,
  actor: Actor,
  order: Order,
  happening: Happening,
  details: MoveDetails = {},
): Promise<Order | undefined> {
  const move = planMove(movingOrder(order), happening)
  if (move === undefined) return undefined
  const cardKobo = details.cardKobo ?? order.cardKobo
  const [moved] = await Promise.all([
    updateOrder(tx, order.id, changeOf(order, move, happening, { ...details, cardKobo })),
    carryOutAll(tx, order, move.effects, { cardKobo, returnedKobo: details.returnedKobo ?? 0 }),
  ])
  await tell(tx, actor, moved, move, happening)
  return moved
}

/** Writes the order's event and audit entry for a transition. */
export async function tell(
  tx: Tx,
  actor: Actor,
  order: Order,
  move: Pick<Move, 'event'>,
  { kind }: { readonly kind: string },
): Promise<void> {
  if (move.event !== null) await publish(tx, orderEvent(move.event, order))
  await recordAudit(tx, {
    accountId: order.accountId,
    actor,
    action: move.event ?? `order.${kind}`,
    domain: order.name,
    summary: summaryOf(order, kind),
    reference: { order: order.id, status: order.status },
  })
}

/** What a card paid, and how much of it was refunded if not everything was. */
interface CardPart {
  readonly cardKobo: number
  readonly returnedKobo: number
}

async function carryOutAll(tx: Tx, order: Order, effects: readonly Effect[], card: CardPart): Promise<void> {
  for (const effect of effects) await carryOut(tx, order, effect, card)
}

async function carryOut(tx: Tx, order: Order, effect: Effect, { cardKobo, returnedKobo }: CardPart): Promise<void> {
  const { id: orderId, accountId, creditKobo } = order
  switch (effect) {
    case 'reserve_again':
      if (order.promoCode !== '') await reservePromo(tx, order.promoCode, { ...order, orderId })
      return holdCredit(tx, { orderId, accountId, amountKobo: kobo(creditKobo) })
    case 'free_promo':
      return order.promoCode === '' ? undefined : settlePromo(tx, orderId, 'freed')
    case 'consume_promo':
      return order.promoCode === '' ? undefined : settlePromo(tx, orderId, 'consumed')
    case 'free_credit':
      return freeHold(tx, orderId)
    case 'spend_credit':
      return spendHold(tx, orderId)
    case 'enter_card_payment':
      return insertEntry(tx, { kind: 'card_paid', accountId, orderId, amountKobo: cardKobo })
    case 'earn':
      return insertEntry(tx, { kind: 'earned', accountId, orderId, amountKobo: cardKobo + creditKobo })
    case 'return_credit':
      return insertEntry(tx, { kind: 'credit_returned', accountId, orderId, amountKobo: creditKobo, note: order.name })
    case 'enter_refund':
      return insertEntry(tx, { kind: 'card_refunded', accountId, orderId, amountKobo: cardKobo })
    case 'credit_card_part': {
      await insertEntry(tx, { kind: 'card_refunded', accountId, orderId, amountKobo: returnedKobo })
      const amountKobo = cardKobo - returnedKobo
      return insertEntry(tx, { kind: 'card_credited', accountId, orderId, amountKobo, note: order.name })
    }
    case 'want_refund':
      return wantRefund(tx, orderId)
  }
}

function changeOf(
  order: Order,
  move: Move,
  happening: Happening,
  details: MoveDetails & { cardKobo: number },
): OrderChange {
  const refunds = move.effects.includes('want_refund')
  const standing: Standing =
    move.to === 'processing'
      ? standings.sending
      : refunds
        ? standings.refunding
        : move.to === 'completed' && order.kind === 'transfer' && !move.effects.includes('earn')
          ? standings.transferring
          : standings.over
  const isFinished = move.to === 'completed' || move.to === 'failed' || move.to === 'cancelled'
  return {
    status: move.to,
    stage: standing.stage,
    stageMessage: standing.message,
    actBy: details.actBy ?? null,
    cardKobo: details.cardKobo,
    stepInS: nextStepInS(order, move, details.cardKobo),
    ...(details.lastError !== undefined && { lastError: details.lastError }),
    ...(move.event === 'order.paid' && { isPaid: true }),
    ...(isFinished && { isFinished: true }),
    ...(move.effects.includes('earn') && { isSettled: true }),
    ...(move.to === 'cancelled' &&
      order.status !== 'cancelled' && { cancelledBy: cancellers[happening.kind] ?? 'refusal' }),
  }
}

const cancellers: Readonly<Record<string, 'expiry' | 'owner'>> = { expired: 'expiry', cancelled_by_owner: 'owner' }

function nextStepInS(order: Order, move: Move, cardKobo: number): number | null {
  if (move.to === 'processing') return 0
  // Without a card payment, no refund has to be awaited.
  if (move.to === 'failed') return cardKobo > 0 ? null : 0
  return move.to === 'completed' && order.kind === 'transfer' && !move.effects.includes('earn')
    ? transferLooks.underWay
    : null
}

const verbs = { register: 'registration', renew: 'renewal', transfer: 'transfer' } as const

function summaryOf(order: Order, happening: string): string {
  const what = `The ${verbs[order.kind]} of ${order.name}`
  const why = order.lastError === '' ? '' : `: ${order.lastError}`
  if (happening === 'placed') return `${what} was ordered`
  if (happening === 'card_paid' && order.status === 'cancelled')
    return `${what} was paid too late; the payment is refunded`
  if (happening === 'transfer_arrived') return `${what} is complete`
  return `${what} is ${order.status}${order.status === 'failed' || order.status === 'cancelled' ? why : ''}`
}
