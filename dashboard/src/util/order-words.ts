import type { OrderKind, OrderStatus, WireOrder } from '@zonewright/contract'
import { naira } from './money.ts'
import { isolated, shownName } from './shown-name.ts'

/** What orders of each kind do. */
export const kindWords: Readonly<Record<OrderKind, { noun: string; verb: string }>> = {
  register: { noun: 'Registration', verb: 'Register' },
  renew: { noun: 'Renewal', verb: 'Renew' },
  transfer: { noun: 'Transfer', verb: 'Transfer' },
}

/** The status of an order in one word, and the color of the word. */
export const statusWords: Readonly<Record<OrderStatus, { label: string; look: string }>> = {
  pending_payment: { label: 'To be paid', look: 'badge-orange' },
  processing: { label: 'In progress', look: 'badge-gray' },
  completed: { label: 'Completed', look: 'badge-green' },
  failed: { label: 'Failed', look: 'badge-red' },
  cancelled: { label: 'Cancelled', look: 'badge-gray' },
  refunded: { label: 'Refunded', look: 'badge-gray' },
  credited: { label: 'Credited', look: 'badge-gray' },
}

/** The same for one order. A transfer is completed when it has started, which for a person is not its end. */
export function statusOf({ status, stage }: Pick<OrderOnItsWay, 'status' | 'stage'>): { label: string; look: string } {
  const isUnderway = status === 'completed' && stage !== null
  return isUnderway ? { label: 'Transfer in progress', look: 'badge-orange' } : statusWords[status]
}

export function yearsText(years: number): string {
  return years === 1 ? '1 year' : `${years} years`
}

/** Shown where an order is paid, while the gateway has not reported the result of a payment. */
export const paymentBegun =
  'A payment was started. If you have paid, this page updates in a moment. Otherwise, continue with the payment.'

/** Says that a card was declined, with the gateway's reason if there is one. */
export function declineText(reason: string): string {
  return reason === ''
    ? 'The card gateway gave no reason.'
    : `The card gateway gives this reason: ${reason.replace(/[.…]*$/, '')}.`
}

/** The label of the button that leads to the card gateway. `decline`: the reason if the last card was declined, otherwise null. */
export function payAction(dueKobo: number, isBegun: boolean, decline: string | null): string {
  if (decline !== null) return 'Try another card'
  return isBegun ? `Continue to pay ${naira(dueKobo)}` : `Pay ${naira(dueKobo)} by card`
}

/** The purpose of an order. */
export function orderTitle({ kind, name }: Pick<WireOrder, 'kind' | 'name'>): string {
  return `${kindWords[kind].noun} of ${isolated(shownName(name))}`
}

/** A step in the timeline of an order. */
export interface Step {
  readonly title: string
  readonly state: 'done' | 'now' | 'ahead' | 'failed'
  /** ISO 8601; empty: it has no time, or none yet. */
  readonly at: string
  readonly says: string
  /** The deadline or the expected end of a step; ISO 8601. */
  readonly by?: string | undefined
}

/** The members of an order that its timeline uses. */
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

/** The timeline of an order from start to end: past, current and future steps. */
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
      // A transfer is completed when it has started. The current registrar can still reject it.
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

/** Whether the order continues automatically, so that its page refreshes. */
export function isMoving({ status, stage }: { status: OrderStatus; stage: string | null }): boolean {
  return status === 'pending_payment' || status === 'processing' || stage === 'refunding'
}
