import { recordAudit } from '#modules/audit/index.ts'
import type { Actor } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import type { Tx } from '#platform/postgres/index.ts'
import { cardInWords } from './card.ts'
import { type Card, listCards, lockCard, markRemoved } from './store.ts'

/** Removes a saved card, and returns it with the domains that were renewed with it. Throws `not_found`. */
export async function removeCard(tx: Tx, actor: Actor, accountId: string, id: string): Promise<Card> {
  const locked = await lockCard(tx, accountId, id)
  const card = locked && (await listCards(tx, accountId)).find((each) => each.id === id)
  if (card === undefined) throw noSuchCard()
  await markRemoved(tx, [id])
  await audit(tx, actor, accountId, card)
  return card
}

/** Removes every card of an account that is being deleted. The account is locked. */
export async function removeCards(tx: Tx, actor: Actor, accountId: string): Promise<void> {
  const cards = await listCards(tx, accountId)
  if (cards.length === 0) return
  await markRemoved(
    tx,
    cards.map(({ id }) => id),
  )
  for (const card of cards) await audit(tx, actor, accountId, card)
}

export function noSuchCard(): Refusal {
  return new Refusal('not_found', 'This account has no such saved card.')
}

function audit(tx: Tx, actor: Actor, accountId: string, card: Card): Promise<void> {
  const { id, domainCount } = card
  const lost =
    domainCount === 0
      ? ''
      : `; auto-renew of ${domainCount} ${domainCount === 1 ? 'domain' : 'domains'} no longer charges it`
  return recordAudit(tx, {
    accountId,
    actor,
    action: 'card.removed',
    summary: `The card ${cardInWords(card)} was removed${lost}`,
    reference: { card: id },
  })
}
