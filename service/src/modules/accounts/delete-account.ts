import { recordAudit } from '#modules/audit/index.ts'
import type { Actor } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import type { Tx } from '#platform/postgres/index.ts'
import { accountByEmail, lockAccount, markDeleted, unmarkDeleted } from './store.ts'

/** How long a deleted account's zones keep answering, and support can undo the deletion (design: accounts-and-keys). */
export const holdDays = 7

/**
 * What other modules delete together with an account, in the same transaction; or they refuse the deletion. `letGo`: the owner has confirmed the loss
 * of domains and credit.
 */
export type AlsoDelete = (tx: Tx, actor: Actor, accountId: string, letGo: boolean) => Promise<void>

/** Deletes an account: its sessions and keys stop working immediately, and its zones are served for seven more days. */
export async function deleteAccount(
  tx: Tx,
  actor: Actor,
  accountId: string,
  { also, letGo }: { also: AlsoDelete; letGo: boolean },
): Promise<void> {
  await lockAccount(tx, accountId)
  await markDeleted(tx, accountId)
  await also(tx, actor, accountId, letGo)
  await recordAudit(tx, {
    accountId,
    actor,
    action: 'account.deleted',
    summary: `The account was deleted; its zones stay live for ${holdDays} more days`,
  })
}

/** Undoes a deletion within the seven days, for support: the zones stay, but the keys stay revoked. */
export async function restoreAccount(tx: Tx, actor: Actor, email: string): Promise<string> {
  if (await accountByEmail(tx, email)) throw new Refusal('conflict', `An account for ${email} already exists.`)
  const accountId = await unmarkDeleted(tx, email, holdDays)
  if (accountId === undefined)
    throw new Refusal('not_found', `No account for ${email} was deleted in the last ${holdDays} days.`)
  await recordAudit(tx, { accountId, actor, action: 'account.restored', summary: 'The deletion was undone' })
  return accountId
}
