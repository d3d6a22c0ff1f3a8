import type { OrderKind } from '@zonewright/contract'
import { type Kobo, kobo } from './kobo.ts'

/** A promo code as the operator created it. */
export interface PromoCode {
  readonly code: string
  /** Either this or `fixedKobo`. */
  readonly percent: number | null
  readonly fixedKobo: number | null
  /** Null: every kind. */
  readonly kinds: readonly string[] | null
  readonly tlds: readonly string[] | null
  /** Null: for any account. */
  readonly accountId: string | null
  /** Whether the current time is before, in or after its validity; `off`: the operator has ended it. */
  readonly window: 'early' | 'open' | 'over' | 'off'
  /** Null: any number. */
  readonly maxUses: number | null
  readonly onceAnAccount: boolean
}

/** The order that a promo code would apply to. */
export interface PromoWish {
  readonly accountId: string
  readonly kind: OrderKind
  readonly tld: string
}

/** How many uses of a code are reserved by open orders, and how many are consumed by completed ones. */
export interface PromoStanding {
  readonly reserved: number
  readonly consumed: number
  readonly reservedByAccount: number
  readonly consumedByAccount: number
}

/** Why a code does not apply now. `in_use`: an open order has reserved it, and may still release it. */
export interface PromoObstacle {
  readonly code: 'promo_invalid' | 'promo_in_use'
  readonly message: string
}

/** Whether this order may use the code. Undefined: yes. Another account's code looks the same as one that does not exist. */
export function judgePromo(
  promo: PromoCode | undefined,
  wish: PromoWish,
  standing: PromoStanding,
): PromoObstacle | undefined {
  const invalid = (message: string): PromoObstacle => ({ code: 'promo_invalid', message })
  const inUse = (message: string): PromoObstacle => ({ code: 'promo_in_use', message })
  if (promo === undefined || (promo.accountId !== null && promo.accountId !== wish.accountId))
    return invalid('This promo code does not exist.')
  if (promo.window === 'early') return invalid('This promo code is not valid yet.')
  if (promo.window !== 'open') return invalid('This promo code is no longer valid.')
  if (promo.kinds !== null && !promo.kinds.includes(wish.kind))
    return invalid(`This promo code does not apply to orders to ${wish.kind}.`)
  if (promo.tlds !== null && !promo.tlds.includes(wish.tld))
    return invalid(`This promo code does not apply to .${wish.tld} domains.`)
  if (promo.onceAnAccount && standing.consumedByAccount > 0)
    return invalid('This account has already used this promo code.')
  if (promo.onceAnAccount && standing.reservedByAccount > 0)
    return inUse('Another open order of this account uses this promo code. Pay or cancel that order first.')
  const { maxUses } = promo
  if (maxUses !== null && standing.consumed >= maxUses) return invalid('This promo code has reached its limit of uses.')
  if (maxUses !== null && standing.consumed + standing.reserved >= maxUses)
    return inUse('Open orders hold all remaining uses of this promo code. Try again later.')
  return undefined
}

/** The discount on a price: never more than the price; a percentage is rounded down to a whole kobo. */
export function discountOf({ percent, fixedKobo }: Pick<PromoCode, 'percent' | 'fixedKobo'>, price: Kobo): Kobo {
  return kobo(percent === null ? Math.min(price, fixedKobo ?? 0) : Math.floor((price * percent) / 100))
}

/** A book that money moves out of or into (`ledger_entries`). */
export type Book = 'card' | 'grants' | 'credit' | 'order' | 'sales'

/** Every kind of entry, with the books that it moves money between. An order has at most one entry of each kind. */
export const entryKinds = {
  /** The operator grants credit. */
  credit_granted: ['grants', 'credit'],
  /** Credit pays for an order, or part of it. */
  credit_used: ['credit', 'order'],
  /** A card pays for an order, or the rest of it. */
  card_paid: ['card', 'order'],
  /** The order completed: the money is kept. */
  earned: ['order', 'sales'],
  /** The credit part of a failed order. */
  credit_returned: ['order', 'credit'],
  /** The card part of a failed order was refunded to the card. */
  card_refunded: ['order', 'card'],
  /** The card part of a failed order could not be refunded to the card. */
  card_credited: ['order', 'credit'],
  /** A payment that no order needed. */
  surplus_paid: ['card', 'order'],
  surplus_refunded: ['order', 'card'],
  surplus_credited: ['order', 'credit'],
} as const satisfies Readonly<Record<string, readonly [from: Book, to: Book]>>

export type EntryKind = keyof typeof entryKinds
