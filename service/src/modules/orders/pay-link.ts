import { createHash, randomBytes } from 'node:crypto'
import { takeTry } from '#modules/accounts/index.ts'
import { recordAudit } from '#modules/audit/index.ts'
import { nairaText } from '#modules/billing/index.ts'
import { payLinkMail, queueMail } from '#modules/mail/index.ts'
import { type PayLink, upsertPayLink } from '#modules/payments/index.ts'
import type { Actor } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import type { Tx } from '#platform/postgres/index.ts'
import type { SecretBox } from '#platform/secrets.ts'
import { dueOf } from './moves.ts'
import type { Order } from './order.ts'
import { keepWaiting, lockOrder } from './store.ts'

/** How long a payment link works, and how long its order then waits (design: orders). Days. */
export const payLinkDays = 7

/** Creates the payment link of an unpaid order, replaces an earlier one, and emails the link to the client, if the order has one. */
export async function makePayLink(
  tx: Tx,
  parts: { secrets: SecretBox; site: string },
  actor: Actor,
  orderId: string,
): Promise<PayLink> {
  const order = await lockOrder(tx, orderId)
  if (order?.status !== 'pending_payment')
    throw new Refusal('conflict', 'Only an unpaid order can have a payment link.')
  const token = randomBytes(24).toString('base64url')
  const sealed = parts.secrets.seal('pay_links.token', orderId, token)
  const link = await upsertPayLink(tx, { orderId, tokenSha256: tokenSha256(token), token: sealed, days: payLinkDays })
  await keepWaiting(tx, orderId, link.expiresAt)
  await note(tx, actor, order, 'created')
  if (order.clientEmail !== '') {
    const about = { order: order.name, amount: nairaText(dueOf(order)), validForS: payLinkDays * 86_400 }
    const message = payLinkMail({ ...about, link: payLinkUrl(parts.site, token) })
    await queueMail(tx, parts.secrets, { to: order.clientEmail, message })
  }
  return link
}

/** Anyone can enter any address for the email. Throws `rate_limited` after too many. */
export async function countMail(tx: Tx, { accountId, clientEmail }: Order): Promise<void> {
  if (clientEmail === '') return
  await takeTry(tx, 'pay-link-by', accountId)
  await takeTry(tx, 'pay-link-to', clientEmail.toLowerCase())
}

export async function note(tx: Tx, actor: Actor, order: Order, done: 'created' | 'revoked'): Promise<void> {
  await recordAudit(tx, {
    accountId: order.accountId,
    actor,
    action: `pay_link.${done}`,
    domain: order.name,
    summary: `The payment link of the order for ${order.name} was ${done}`,
    reference: { order: order.id },
  })
}

export function tokenSha256(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

export function payLinkUrl(site: string, token: string): string {
  return `${site}/app/pay/${token}`
}
