import { tellAccount } from '#modules/accounts/index.ts'
import { nairaText } from '#modules/billing/index.ts'
import { cardInWords, holdChargeable, readCard, saveCard, writeConsent } from '#modules/cards/index.ts'
import { domainNamed } from '#modules/domains/index.ts'
import { domainRenewing, renewalToPay } from '#modules/mail/index.ts'
import {
  type ChargeStanding,
  lockPayment,
  noteCharge,
  type PaymentOfOrder,
  type PaymentWork,
  readPayLink,
  sendCharge,
  updatePayment,
} from '#modules/payments/index.ts'
import { actorNamed } from '#platform/caller.ts'
import type { Tx } from '#platform/postgres/index.ts'
import type { SecretBox } from '#platform/secrets.ts'
import type { Verified } from '#ports/payments.ts'
import { dueOf } from './moves.ts'
import type { Order } from './order.ts'
import { payLinkDays, payLinkUrl } from './pay-link.ts'
import { lockOrder } from './store.ts'

/** What the work on payments needs from outside the modules of orders and payments. */
export interface OrderPaymentWork extends PaymentWork {
  readonly secrets: SecretBox
  /** The address of the dashboard, for links in emails. */
  readonly site: string
}

/** The actor of saving cards in audit entries. */
const saver = actorNamed('system', 'card payments')

/**
 * Takes the next step of a charge of a saved card: sends it once, or queries its state. Returns the state if it was paid, because the
 * order decides what a payment does.
 */
export async function chargeCard(work: OrderPaymentWork, payment: PaymentOfOrder): Promise<Verified | undefined> {
  const { database } = work
  const card = payment.charge === 'wanted' ? await database.transact((tx) => admit(tx, work, payment)) : undefined
  if (payment.charge === 'wanted' && card === undefined) return undefined
  const standing = await sendCharge(work, payment, card)
  if (standing.is === 'paid') return standing.paid
  await database.transact((tx) => noteStanding(tx, work, payment, standing))
  return undefined
}

/**
 * Commits that a charge is about to be sent, and returns the code of its card. Undefined: it is not sent, because the card was removed or has
 * expired, its owner has withdrawn the consent, the order no longer waits, or another worker was faster.
 */
async function admit(
  tx: Tx,
  work: OrderPaymentWork,
  { id, orderId }: PaymentOfOrder,
): Promise<{ authorization: string; email: string } | undefined> {
  const order = await lockOrder(tx, orderId)
  const payment = await lockPayment(tx, id)
  if (order === undefined || payment?.status !== 'open' || payment.charge !== 'wanted') return undefined
  const { accountId, status } = order
  const { cardId } = payment
  const domain = status === 'pending_payment' ? await domainNamed(tx, order.name) : undefined
  const card =
    domain?.autoRenew && cardId !== null
      ? await holdChargeable(tx, { orderId: domain.orderId, accountId }, cardId)
      : undefined
  if (card === undefined || cardId === null) {
    await updatePayment(tx, id, { status: 'failed', stepInS: null })
    if (status === 'pending_payment') await askToPay(tx, work, order, 'your saved card can no longer be charged for it')
    return undefined
  }
  await updatePayment(tx, id, { charge: 'sent' })
  return { authorization: work.secrets.open('cards.code', cardId, card.code), email: card.email }
}

async function noteStanding(
  tx: Tx,
  work: OrderPaymentWork,
  { id, orderId }: PaymentOfOrder,
  standing: Exclude<ChargeStanding, { is: 'paid' }>,
): Promise<void> {
  const order = await lockOrder(tx, orderId)
  const payment = await lockPayment(tx, id)
  if (order === undefined || payment?.status !== 'open' || payment.charge !== 'sent') return
  if (!(await noteCharge(tx, payment, standing)) || order.status !== 'pending_payment') return
  const card = await cardWords(tx, payment)
  if (standing.is === 'declined') {
    const reason = standing.reason === '' ? '' : `: ${standing.reason}`
    await askToPay(tx, work, order, `the bank declined ${card}${reason}`)
  } else await askToPay(tx, work, order, `the bank asks you to confirm the payment with ${card}`)
}

/** Emails the owner the payment link of a renewal that a saved card does not pay. */
async function askToPay(tx: Tx, work: OrderPaymentWork, order: Order, why: string): Promise<void> {
  const { id, accountId, name } = order
  const [domain, link] = await Promise.all([domainNamed(tx, name), readPayLink(tx, id)])
  if (!domain?.expiresAt || link === undefined || link.isExpired) return
  const message = renewalToPay({
    domain: name,
    expiresAt: domain.expiresAt,
    amount: nairaText(dueOf(order)),
    link: payLinkUrl(work.site, work.secrets.open('pay_links.token', id, link.token)),
    validForS: payLinkDays * 86_400,
    why: why.replace(/\.$/, ''),
  })
  await tellAccount(tx, work, accountId, message)
}

/** Emails the owner that a saved card has paid the renewal. */
export async function tellCharged(
  tx: Tx,
  work: OrderPaymentWork,
  order: Order,
  payment: PaymentOfOrder,
): Promise<void> {
  const domain = await domainNamed(tx, order.name)
  if (!domain?.expiresAt) return
  const card = { name: await cardWords(tx, payment), amount: nairaText(payment.amountKobo) }
  const about = { site: work.site, domain: order.name, expiresAt: domain.expiresAt, orderId: order.id, card }
  await tellAccount(tx, work, order.accountId, domainRenewing(about))
}

/**
 * Saves the card of a payment whose payer wants that, if the gateway can charge it again. Auto-renew of the order's domain may then charge it, if
 * it is on. The account is locked.
 */
export async function keepCard(
  tx: Tx,
  work: OrderPaymentWork,
  order: Order,
  { email }: PaymentOfOrder,
  card: Verified['card'],
): Promise<void> {
  const { accountId, kind, name } = order
  const cardId = card && email !== '' && (await saveCard(tx, work.secrets, saver, { accountId, email }, card))
  if (!cardId) return
  if (kind !== 'renew') {
    if (order.autoRenew) await writeConsent(tx, { orderId: order.id, accountId, name, cardId })
    return
  }
  const domain = await domainNamed(tx, name)
  if (domain?.accountId === accountId && domain.autoRenew)
    await writeConsent(tx, { orderId: domain.orderId, accountId, name, cardId })
}

async function cardWords(tx: Tx, { cardId }: PaymentOfOrder): Promise<string> {
  const card = cardId === null ? undefined : await readCard(tx, cardId)
  return card === undefined ? 'your saved card' : `your saved card, ${cardInWords(card)}`
}
