import { recordAudit } from '#modules/audit/index.ts'
import { type Actor, actorNamed } from '#platform/caller.ts'
import type { Database } from '#platform/db.ts'

/** What better-auth did, as entries of the audit log. */
async function note(
  database: Database,
  accountId: string,
  actor: Actor,
  action: string,
  summary: string,
): Promise<void> {
  await database.transact((tx) => recordAudit(tx, { accountId, actor, action, summary }))
}

export async function noteSignUp(database: Database, user: { id: string; email: string }): Promise<void> {
  await note(database, user.id, actorNamed('system', 'sign-up'), 'account.created', `Account ${user.email} was created`)
}

export type AccountChange = keyof typeof summaries

/** What a person did about signing in, under that person's name. */
export async function noteSecurity(
  database: Database,
  account: { id: string; email: string },
  action: AccountChange,
  address: string | null,
): Promise<void> {
  const actor: Actor = {
    kind: 'session',
    name: account.email,
    id: account.id,
    requestId: null,
    address: addressOf(address),
  }
  await note(database, account.id, actor, action, summaries[action])
}

const summaries = {
  'session.created': 'Signed in',
  'password.changed': 'The password was changed; other sessions ended',
  'two_factor.enabled': 'Two-factor authentication was turned on',
  'two_factor.disabled': 'Two-factor authentication was turned off; other sessions ended',
  'backup_codes.renewed': 'New backup codes were made; the old ones stopped working',
  'session.revoked': 'Sessions were ended',
}

function addressOf(text: string | null | undefined): string | null {
  return text === undefined || text === '' ? null : text
}
