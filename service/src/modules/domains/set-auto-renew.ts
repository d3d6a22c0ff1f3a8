import { cardInWords, deleteConsent, lockCard, noSuchCard, writeConsent } from '#modules/cards/index.ts'
import type { Actor } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import type { Tx } from '#platform/postgres/index.ts'
import { noSuchDomain } from './seen-domain.ts'
import { auditDomain, lockDomain, markAutoRenew } from './store.ts'

/** Turns auto-renew of a domain on or off. Repeating it changes nothing. Either way, no saved card may be charged until its owner allows it again. */
export async function setAutoRenew(tx: Tx, actor: Actor, name: string, isOn: boolean): Promise<void> {
  const domain = await lockDomain(tx, name)
  if (domain === undefined) throw noSuchDomain()
  if (domain.autoRenew === isOn) return
  await markAutoRenew(tx, name, isOn)
  await deleteConsent(tx, domain.orderId)
  await auditDomain(tx, actor, domain, 'auto_renew_changed', `Auto-renew for ${name} was turned ${isOn ? 'on' : 'off'}`)
}

/**
 * Allows auto-renew of a domain to charge a saved card of its owner, in place of another one. Throws `not_found` without the card, and `conflict`
 * if auto-renew is off or the card has expired.
 */
export async function allowCard(tx: Tx, actor: Actor, accountId: string, name: string, cardId: string): Promise<void> {
  const domain = await lockDomain(tx, name)
  if (domain?.accountId !== accountId) throw noSuchDomain()
  if (!domain.autoRenew)
    throw new Refusal('conflict', `Auto-renew is off for ${name}. Turn it on first, and then allow the card.`)
  const card = await lockCard(tx, accountId, cardId)
  if (card === undefined) throw noSuchCard()
  if (card.isExpired)
    throw new Refusal('conflict', 'This card has expired. Save another one when you next pay for an order.')
  await writeConsent(tx, { orderId: domain.orderId, accountId, name, cardId })
  const summary = `Auto-renew of ${name} may charge the card ${cardInWords(card)}`
  await auditDomain(tx, actor, domain, 'renewal_card_allowed', summary)
}

/** Ends the permission to charge a saved card. Repeating it changes nothing. */
export async function withdrawCard(tx: Tx, actor: Actor, accountId: string, name: string): Promise<void> {
  const domain = await lockDomain(tx, name)
  if (domain?.accountId !== accountId) throw noSuchDomain()
  if (!(await deleteConsent(tx, domain.orderId))) return
  await auditDomain(tx, actor, domain, 'renewal_card_withdrawn', `Auto-renew of ${name} no longer charges a saved card`)
}
