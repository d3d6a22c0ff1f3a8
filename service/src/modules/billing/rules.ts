import type { OrderKind } from '@zonewright/contract'
import { type Kobo, kobo } from './kobo.ts'

/** A promo code as the operator made it. */
export interface PromoCode {
  readonly code: string
  /** Either this or `fixedKobo`. */
  readonly percent: number | null
  readonly fixedKobo: number | null
  /** Null: every kind. */
  readonly kinds: readonly string[] | null
  readonly tlds: readonly string[] | null
  /** Null: anybody's. */
  readonly accountId: string | null
  /** Where now lies in its time; `off`: the operator has ended it. */
  readonly window: 'early' | 'open' | 'over' | 'off'
  /** Null: any number. */
  readonly maxUses: number | null
  readonly onceAnAccount: boolean
}

/** What a promo code is wanted for. */
export interface PromoWish {
  readonly accountId: string
  readonly kind: OrderKind
  readonly tld: string
}

/** How often a code is in use: reserved by open orders, consumed by those that came to something. */
export interface PromoStanding {
  readonly reserved: number
  readonly consumed: number
  readonly reservedByAccount: number
  readonly consumedByAccount: number
}

/** Why a code does not count now. `in_use`: an open order has it, which may yet give it up. */
export interface PromoObstacle {
  readonly code: 'promo_invalid' | 'promo_in_use'
  readonly message: string
}

/** May this order use the code? Undefined: yes. A code that is somebody else's looks the same as one that does not exist. */
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

/** What the code takes off a price: never more than the price, and a percentage rounded down to a whole kobo. */
export function discountOf({ percent, fixedKobo }: Pick<PromoCode, 'percent' | 'fixedKobo'>, price: Kobo): Kobo {
  return kobo(percent === null ? Math.min(price, fixedKobo ?? 0) : Math.floor((price * percent) / 100))
}

/** The book that money is taken out of or put into (`ledger_entries`). */
export type Book = 'card' | 'grants' | 'credit' | 'order' | 'sales'

/** Every kind of entry, with the books that it moves money between. Each stands at most once for an order. */
export const entryKinds = {
  /** The operator gives credit. */
  credit_granted: ['grants', 'credit'],
  /** An order is paid, or partly, by credit. */
  credit_used: ['credit', 'order'],
  /** An order is paid, or the rest of it, by card. */
  card_paid: ['card', 'order'],
  /** The order came to something: the money is kept. */
  earned: ['order', 'sales'],
  /** The credit part of a failed order. */
  credit_returned: ['order', 'credit'],
  /** The card part of a failed order went back to the card. */
  card_refunded: ['order', 'card'],
  /** The card part of a failed order could not go back to the card. */
  card_credited: ['order', 'credit'],
  /** A payment that no order needed. */
  surplus_paid: ['card', 'order'],
  surplus_refunded: ['order', 'card'],
  surplus_credited: ['order', 'credit'],
} as const satisfies Readonly<Record<string, readonly [from: Book, to: Book]>>

export type EntryKind = keyof typeof entryKinds
