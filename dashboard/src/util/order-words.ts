import type { OrderKind, OrderStatus, WireOrder } from '@zonewright/contract'
import { naira } from './money.ts'
import { shownName } from './shown-name.ts'

/** What orders of a kind do. */
export const kindWords: Readonly<Record<OrderKind, { noun: string; verb: string }>> = {
  register: { noun: 'Registration', verb: 'Register' },
  renew: { noun: 'Renewal', verb: 'Renew' },
  transfer: { noun: 'Transfer', verb: 'Transfer' },
}

/** How it stands with an order, in a word, and how that word looks. */
export const statusWords: Readonly<Record<OrderStatus, { label: string; look: string }>> = {
  pending_payment: { label: 'To be paid', look: 'badge-orange' },
  processing: { label: 'In progress', look: 'badge-gray' },
  completed: { label: 'Completed', look: 'badge-green' },
  failed: { label: 'Failed', look: 'badge-red' },
  cancelled: { label: 'Cancelled', look: 'badge-gray' },
  refunded: { label: 'Refunded', look: 'badge-gray' },
  credited: { label: 'Credited', look: 'badge-gray' },
}

export function yearsText(years: number): string {
  return years === 1 ? '1 year' : `${years} years`
}

/** Said where an order is paid, as long as the gateway has not told what became of a payment. */
export const paymentBegun =
  'A payment was started. If you have paid, this page updates in a moment. Otherwise, continue with the payment.'

/** What an order is for. */
export function orderTitle({ kind, name }: Pick<WireOrder, 'kind' | 'name'>): string {
  return `${kindWords[kind].noun} of ${shownName(name)}`
}

/** A step of an order's way. */
export interface Step {
  readonly title: string
  readonly state: 'done' | 'now' | 'ahead' | 'failed'
  /** ISO 8601; empty: it has no time, or none yet. */
  readonly at: string
  readonly says: string
  /** Until when something is to be done, or will have been done; ISO 8601. */
  readonly by?: string | undefined
}

/** The part of an order that its way is told by. */
export type OrderOnItsWay = Pick<
  WireOrder,
  | 'kind'
  | 'status'
  | 'created_at'
  | 'paid_at'
  | 'finished_at'
  | 'last_error'
  | 'credit_kobo'
  | 'amount_kobo'
  | 'promo_kobo'
> & {
  readonly stage: string | null
  readonly stage_message: string
  readonly act_by: string | null
  readonly expires_at: string | null
}

/** An order's way from its placing to its end: what has been, what is, and what is to come. */
export function stepsOf(order: OrderOnItsWay): Step[] {
  const { status, created_at: createdAt, paid_at: paidAt, finished_at: finishedAt, last_error: lastError } = order
  const placed: Step = { title: 'Ordered', state: 'done', at: createdAt, says: '' }
  const paid: Step = { title: 'Paid', state: 'done', at: paidAt, says: howPaid(order) }
  const ahead = (title: string): Step => ({ title, state: 'ahead', at: '', says: '' })
  const now = (title: string): Step => ({
    title,
    state: 'now',
    at: '',
    says: order.stage_message,
    by: order.act_by ?? undefined,
  })
  const refused: Step = { title: 'Failed', state: 'failed', at: finishedAt, says: lastError }
  switch (status) {
    case 'pending_payment':
      return [
        placed,
        { ...now('Payment'), by: order.act_by ?? order.expires_at ?? undefined },
        ahead('Waiting for the registry'),
        ahead('Completed'),
      ]
    case 'processing':
      return [placed, paid, now('Waiting for the registry'), ahead('Completed')]
    case 'completed':
      // A transfer is completed once it has begun; the registrar that has the domain still has its say.
      return order.stage === null
        ? [placed, paid, { title: 'Completed', state: 'done', at: finishedAt, says: '' }]
        : [placed, paid, { title: 'Transfer started', state: 'done', at: finishedAt, says: '' }, now('Transfer')]
    case 'failed':
      return [placed, paid, refused, now('Refund')]
    case 'refunded':
      return [
        placed,
        ...(paidAt === '' ? [] : [paid]),
        refused,
        back('Refunded', 'The payment was refunded to the card.'),
      ]
    case 'credited':
      return [
        placed,
        ...(paidAt === '' ? [] : [paid]),
        refused,
        back('Credited', 'The payment was added to your credit. You can use it for your next order.'),
      ]
    case 'cancelled':
      return [
        placed,
        ...(paidAt === '' ? [] : [paid]),
        {
          title: 'Cancelled',
          state: 'failed',
          at: finishedAt,
          says: lastError || 'The order was not paid.',
        },
      ]
  }
}

function back(title: string, says: string): Step {
  return { title, state: 'done', at: '', says }
}

function howPaid(order: OrderOnItsWay): string {
  const card = order.amount_kobo - order.promo_kobo - order.credit_kobo
  const parts = [
    ...(card > 0 ? [`${naira(card)} by card`] : []),
    ...(order.credit_kobo > 0 ? [`${naira(order.credit_kobo)} by credit`] : []),
  ]
  return parts.length === 0 ? 'The promo code covers it.' : `${parts.join(' and ')}.`
}

/** Will the order go on by itself, so that its page asks again? */
export function isMoving({ status, stage }: { status: OrderStatus; stage: string | null }): boolean {
  return status === 'pending_payment' || status === 'processing' || stage === 'refunding'
}
