import { accountEmail, displayFault } from '@zonewright/contract'
import { recordAudit } from '#modules/audit/index.ts'
import type { Actor } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import type { Tx } from '#platform/postgres/index.ts'
import { type Account, accountByEmail, insertAccount } from './store.ts'

/** Creates an account. The operator vouches for the address, so it counts as confirmed. */
export async function createAccount(tx: Tx, actor: Actor, details: { email: string; name: string }): Promise<Account> {
  const { data: email, error } = accountEmail.safeParse(details.email)
  if (email === undefined) throw new Refusal('validation_failed', `${details.email}: ${error.issues[0]?.message}`)
  const fault = displayFault(details.name)
  if (fault !== undefined) throw new Refusal('validation_failed', fault)
  if (await accountByEmail(tx, email)) throw new Refusal('conflict', `An account for ${details.email} already exists.`)
  const account = await insertAccount(tx, { ...details, email })
  await recordAudit(tx, {
    accountId: account.id,
    actor,
    action: 'account.created',
    summary: `Account ${account.email} was created`,
  })
  return account
}
