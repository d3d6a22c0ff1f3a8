import { recordAudit } from '#modules/audit/index.ts'
import type { Actor } from '#platform/caller.ts'
import { newId } from '#platform/ids.ts'
import type { Tx } from '#platform/postgres/index.ts'
import type { SecretBox } from '#platform/secrets.ts'
import type { ReusableCard } from '#ports/payments.ts'
import { cardInWords, maxCards } from './card.ts'
import { cardOfSignature, countCards, upsertCard } from './store.ts'

/**
 * Saves the card of a payment, and returns its id. The same card is saved once. Undefined: the account has too many cards. The account must be
 * locked.
 */
export async function saveCard(
  tx: Tx,
  secrets: SecretBox,
  actor: Actor,
  payer: { readonly accountId: string; readonly email: string },
  card: ReusableCard,
): Promise<string | undefined> {
  const { authorization, ...shown } = card
  const known = await cardOfSignature(tx, payer.accountId, card.signature)
  if (known === undefined && (await countCards(tx, payer.accountId)) >= maxCards) return undefined
  const id = known ?? newId('card')
  await upsertCard(tx, { ...shown, ...payer, id, code: secrets.seal('cards.code', id, authorization) })
  if (known === undefined)
    await recordAudit(tx, {
      accountId: payer.accountId,
      actor,
      action: 'card.saved',
      summary: `The card ${cardInWords(card)} was saved`,
      reference: { card: id },
    })
  return id
}
