import type { OrderKind, OrderStage, OrderStatus, WireListedOrder, WireOrder } from '@zonewright/contract'
import type { ContactDetails } from '#modules/contacts/index.ts'
import type { Money } from '#ports/registry.ts'
import type { MovingOrder } from './moves.ts'

/** An order as it is stored. */
export interface Order {
  readonly id: string
  readonly accountId: string
  readonly keyId: string | null
  /** The id of the request that placed it. */
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
  /** The fee of a premium name. */
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
  /** Seconds since a lookup first found its transfer neither in progress nor arrived; null: the last lookup found it. */
  readonly doubtedForS: number | null
}

/** The order of a transfer is completed when the transfer starts. Its money stays reserved until the domain has arrived. */
export function isTransferUnderWay({ status, kind, settledAt }: Order): boolean {
  return status === 'completed' && kind === 'transfer' && settledAt === null
}

/** The order is paid, and the registry has not finished it. */
export function isUnderWay(order: Order): boolean {
  return order.status === 'processing' || isTransferUnderWay(order)
}

export function movingOrder(order: Order): MovingOrder {
  const { kind, status, cancelledBy, amountKobo, promoKobo, creditKobo, cardKobo } = order
  return { kind, status, cancelledBy, amountKobo, promoKobo, creditKobo, cardKobo, isSettled: order.settledAt !== null }
}

/** The fields of the specification, in its order, as events contain them. */
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

/** The same with its stage, as lists and GET return it. */
export function listedOrderToWire(order: Order): WireListedOrder {
  return { ...orderToWire(order), stage: order.stage }
}
