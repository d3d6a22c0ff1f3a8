import { lockAccount, readAccount } from '#modules/accounts/index.ts'
import { availableCredit, insertEntry, promoObstacle } from '#modules/billing/index.ts'
import { type Domain, domainNamed } from '#modules/domains/index.ts'
import {
  type Arrival,
  arrivalOf,
  lockPayment,
  type PaymentOfOrder,
  updatePayment,
  verifyPayment,
} from '#modules/payments/index.ts'
import { actorNamed } from '#platform/caller.ts'
import type { Tx } from '#platform/postgres/index.ts'
import type { Verified } from '#ports/payments.ts'
import { chargeCard, keepCard, type OrderPaymentWork, tellCharged } from './charge-card.ts'
import { moveOrder } from './move-order.ts'
import { planMove } from './moves.ts'
import { movingOrder, type Order } from './order.ts'
import { refundPayment } from './refund-payment.ts'
import { wasRenewedSince } from './rules.ts'
import { lockOrder, openOrderNamed, readOrder } from './store.ts'

const gateway = actorNamed('system', 'card payments')

/**
 * Takes a payment's next step: queries whether the payment was made, or continues its refund. It can be called at any time and any number of
 * times.
 */
export async function workPayment(work: OrderPaymentWork, payment: PaymentOfOrder): Promise<void> {
  const { status, charge } = payment
  if (status === 'succeeded') return payment.refundState === null ? undefined : refundPayment(work, payment)
  // Also a failed payment: its payer may have tried another card.
  const arrival =
    status === 'open' && (charge === 'wanted' || charge === 'sent')
      ? await chargedNow(work, payment)
      : await verifyPayment(work, payment)
  if (arrival !== undefined) await work.database.transact((tx) => takePayment(tx, work, payment, arrival))
}

async function chargedNow(work: OrderPaymentWork, payment: PaymentOfOrder): Promise<Arrival | undefined> {
  const paid = await chargeCard(work, payment)
  return paid && arrivalOf(work.log, payment, paid)
}

/** Records a payment that was made: it moves the order, or it is refunded. It takes effect once, however often it is reported. */
async function takePayment(
  tx: Tx,
  work: OrderPaymentWork,
  payment: PaymentOfOrder,
  { paid, isDue }: Arrival,
): Promise<void> {
  const { orderId, accountId } = payment
  // The fixed lock order: account, promo code, order, and its payment last.
  await lockAccount(tx, accountId)
  const before = await readOrder(tx, orderId)
  const reopening = before?.status === 'cancelled' && before.cancelledBy === 'expiry'
  const promoIsFree = reopening && before.promoCode !== '' ? (await promoObstacle(tx, before)) === undefined : true
  const order = await lockOrder(tx, orderId)
  const locked = await lockPayment(tx, payment.id)
  if (order === undefined || locked === undefined || locked.status === 'succeeded') return
  // The order has expired since then. Its promo code must be locked before it, so the next run locks it first and records the payment.
  if (before?.status === 'pending_payment' && order.status === 'cancelled' && order.cancelledBy === 'expiry') {
    await updatePayment(tx, payment.id, { stepInS: 0 })
    return tx.wakeAfterCommit('payments_due')
  }
  const canReopen = reopening && promoIsFree && (await isStillToBeHad(tx, order))
  const happening = { kind: 'card_paid', canReopen } as const
  const move = isDue ? planMove(movingOrder(order), happening) : undefined
  if (move === undefined) return takeSurplus(tx, payment, paid)
  await updatePayment(tx, payment.id, {
    status: 'succeeded',
    countedAs: 'order',
    paidKobo: paid.amountKobo,
    stepInS: null,
  })
  await moveOrder(tx, gateway, order, happening, { cardKobo: paid.amountKobo })
  if (move.to !== 'processing') return
  if (locked.cardId !== null) await tellCharged(tx, work, order, locked)
  if (locked.saveCard) await keepCard(tx, work, order, locked, paid.card)
}

/** A payment that no order needs: a second payment, or one of another amount. It is refunded automatically. */
async function takeSurplus(tx: Tx, { id, orderId, accountId }: PaymentOfOrder, paid: Verified): Promise<void> {
  await insertEntry(tx, { kind: 'surplus_paid', accountId, orderId, paymentId: id, amountKobo: paid.amountKobo })
  await updatePayment(tx, id, {
    status: 'succeeded',
    countedAs: 'surplus',
    paidKobo: paid.amountKobo,
    refundState: 'wanted',
    tries: 0,
    stepInS: 0,
  })
  tx.wakeAfterCommit('payments_due')
}

/** Whether an expired order could be placed again unchanged. The account is locked, and its promo code was checked. */
async function isStillToBeHad(tx: Tx, order: Order): Promise<boolean> {
  if ((await readAccount(tx, order.accountId)) === undefined) return false
  if (await openOrderNamed(tx, order.accountId, order.name)) return false
  const domain = await domainNamed(tx, order.name)
  if (order.kind === 'renew' ? !isStillToBeRenewed(order, domain) : domain !== undefined) return false
  return order.creditKobo <= (await availableCredit(tx, order.accountId))
}

function isStillToBeRenewed({ accountId, oldExpiry }: Order, domain: Domain | undefined): boolean {
  return domain?.accountId === accountId && domain.state === 'held' && !wasRenewedSince(oldExpiry, domain)
}
