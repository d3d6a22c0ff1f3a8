import type { OrderKind, OrderStage, OrderStatus, WireOrder } from '@zonewright/contract'
import type { ContactDetails } from '#modules/contacts/index.ts'
import type { Money } from '#ports/registry.ts'
import type { MovingOrder } from './moves.ts'

/** An order as it is kept. */
export interface Order {
  readonly id: string
  readonly accountId: string
  readonly keyId: string | null
  /** The request that placed it. */
  readonly requestId: string | null
  readonly kind: OrderKind
  readonly name: string
  readonly tld: string
  readonly years: number
  readonly status: OrderStatus
  readonly cancelledBy: 'expiry' | 'owner' | 'refusal' | null
  readonly amountKobo: number
  readonly creditKobo: number
  readonly promoCode: string
  readonly promoKobo: number
  readonly cardKobo: number
  readonly renewalKobo: number
  /** Of a premium name. */
  readonly fee: Money | null
  readonly clientEmail: string
  readonly lastError: string
  readonly stage: OrderStage | null
  readonly stageMessage: string
  readonly actBy: Date | null
  readonly createdAt: Date
  readonly paidAt: Date | null
  readonly finishedAt: Date | null
  readonly settledAt: Date | null
  readonly expiresAt: Date | null
  readonly contact: ContactDetails | null
  readonly autoRenew: boolean
  readonly nameservers: readonly string[]
  readonly authCode: Buffer | null
  readonly registrantId: string | null
  readonly oldExpiry: Date | null
  /** Seconds since a look first found its transfer neither under way nor arrived; null: the last one did not. */
  readonly doubtedForS: number | null
}

/** A transfer's order is completed when it begins; until it has arrived its money waits. */
export function isTransferUnderWay({ status, kind, settledAt }: Order): boolean {
  return status === 'completed' && kind === 'transfer' && settledAt === null
}

/** Its registry has not come to an end with what was paid for. */
export function isUnderWay(order: Order): boolean {
  return order.status === 'processing' || isTransferUnderWay(order)
}

export function movingOrder(order: Order): MovingOrder {
  const { kind, status, cancelledBy, amountKobo, promoKobo, creditKobo, cardKobo } = order
  return { kind, status, cancelledBy, amountKobo, promoKobo, creditKobo, cardKobo, isSettled: order.settledAt !== null }
}

/** The specification's fields, in its order: what events carry. */
export function orderToWire(order: Order): WireOrder {
  return {
    id: order.id,
    kind: order.kind,
    name: order.name,
    years: order.years,
    status: order.status,
    amount_kobo: order.amountKobo,
    credit_kobo: order.creditKobo,
    promo_code: order.promoCode,
    promo_kobo: order.promoKobo,
    client_email: order.clientEmail,
    last_error: order.lastError,
    created_at: order.createdAt.toISOString(),
    paid_at: order.paidAt?.toISOString() ?? '',
    finished_at: order.finishedAt?.toISOString() ?? '',
  }
}

/** What an order's transfer code is sealed for (`SecretBox`). */
export function authCodePurpose(orderId: string): string {
  return `order auth code ${orderId}`
}
