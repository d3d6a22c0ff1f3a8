import { displayFault } from '@zonewright/contract'
import { recordAudit } from '#modules/audit/index.ts'
import type { Actor } from '#platform/caller.ts'
import type { Tx } from '#platform/db.ts'
import { Refusal } from '#platform/errors.ts'
import { accountByEmail, insertAccount } from './store.ts'

/** A person with an email address, who owns zones, keys and orders. */
export interface Account {
  readonly id: string
  readonly email: string
  readonly emailConfirmed: boolean
}

// Enough to catch a slip; whether an address exists is for its confirmation mail to find out.
const emailShape = /^[^\s@]+@[^\s@]+\.[^\s@.]+$/

/** Opens an account. The operator vouches for the address, so it counts as confirmed. */
export async function createAccount(tx: Tx, actor: Actor, details: { email: string; name: string }): Promise<Account> {
  if (!emailShape.test(details.email))
    throw new Refusal('validation_failed', `${details.email} is not an email address.`)
  const fault = displayFault(details.email) ?? displayFault(details.name)
  if (fault !== undefined) throw new Refusal('validation_failed', fault)
  const email = details.email.toLowerCase()
  if (await accountByEmail(tx, email))
    throw new Refusal('conflict', `There is an account for ${details.email} already.`)
  const account = await insertAccount(tx, { ...details, email })
  await recordAudit(tx, {
    accountId: account.id,
    actor,
    action: 'account.created',
    summary: `Account ${account.email} was created`,
  })
  return account
}
