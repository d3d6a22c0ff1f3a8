import { recordAudit } from '#modules/audit/index.ts'
import type { Actor } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import type { Tx } from '#platform/postgres/index.ts'
import { accountByEmail, lockAccount, markDeleted, unmarkDeleted } from './store.ts'

/** A deleted account's zones keep answering so long, and support can undo the deletion (design: accounts-and-keys). */
export const holdDays = 7

/**
 * What goes with an account at once: other modules' part of it, in the same transaction, or a refusal. `letGo`: whose it is gives up
 * what would be lost.
 */
export type AlsoDelete = (tx: Tx, actor: Actor, accountId: string, letGo: boolean) => Promise<void>

/** Deletes an account: its sessions and keys stop at once, its zones answer for seven days more. */
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

/** Support undoes a deletion, until the hold is over: the zones stay, the keys do not come back. */
export async function restoreAccount(tx: Tx, actor: Actor, email: string): Promise<string> {
  if (await accountByEmail(tx, email)) throw new Refusal('conflict', `An account for ${email} already exists.`)
  const accountId = await unmarkDeleted(tx, email, holdDays)
  if (accountId === undefined)
    throw new Refusal('not_found', `No account for ${email} was deleted in the last ${holdDays} days.`)
  await recordAudit(tx, { accountId, actor, action: 'account.restored', summary: 'The deletion was undone' })
  return accountId
}
