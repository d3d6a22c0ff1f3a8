import type { WireOrderDetails } from '@zonewright/contract'
import { type PaymentOfOrder, paymentsOf, readPayLink } from '#modules/payments/index.ts'
import type { Db } from '#platform/postgres/index.ts'
import { dueOf } from './moves.ts'
import { listedOrderToWire, type Order } from './order.ts'

/** An order as GET returns it: the fields of the specification and additional ones. `site`: the address of the dashboard. */
export async function orderDetails(db: Db, site: string, order: Order): Promise<WireOrderDetails> {
  const [payments, link] = await Promise.all([paymentsOf(db, order.id), readPayLink(db, order.id)])
  return detailsOf(site, order, payments, link)
}

/** The same for an order that was just placed, which has neither payments nor a payment link. */
export function newOrderDetails(site: string, order: Order): WireOrderDetails {
  return detailsOf(site, order, [], undefined)
}

function detailsOf(
  site: string,
  order: Order,
  payments: readonly PaymentOfOrder[],
  link: Awaited<ReturnType<typeof readPayLink>>,
): WireOrderDetails {
  return {
    ...listedOrderToWire(order),
    stage_message: order.stageMessage,
    act_by: order.actBy?.toISOString() ?? null,
    expires_at: order.expiresAt?.toISOString() ?? null,
    due_kobo: order.status === 'pending_payment' ? dueOf(order) : 0,
    payments: payments.map(paymentToWire),
    receipt: order.paidAt === null ? null : `${orderPage(site, order.id)}/receipt`,
    pay_link_expires_at: link && !link.isExpired ? link.expiresAt.toISOString() : null,
    url: orderPage(site, order.id),
  }
}

/** The dashboard's page of an order. */
export function orderPage(site: string, id: string): string {
  return `${site}/app/orders/${id}`
}

function paymentToWire(payment: PaymentOfOrder): WireOrderDetails['payments'][number] {
  return {
    reference: payment.reference,
    status: payment.status,
    amount_kobo: payment.paidKobo ?? payment.amountKobo,
    counted_as: payment.countedAs,
    refund: payment.refundState,
    decline_reason: payment.status === 'failed' ? payment.declineReason : null,
    created_at: payment.createdAt.toISOString(),
  }
}
