import { recordAudit } from '#modules/audit/index.ts'
import type { Actor } from '#platform/caller.ts'
import type { Tx } from '#platform/postgres/index.ts'
import { requestId } from '#platform/request-id.ts'

export type AccountChange = keyof typeof summaries

/** Writes the audit entries of a person's sign-in actions, with that person as the actor. */
export async function noteSecurity(
  tx: Tx,
  account: { id: string; email: string },
  action: AccountChange,
  address: string,
): Promise<void> {
  const actor = personAt(account, address)
  await recordAudit(tx, { accountId: account.id, actor, action, summary: summaries[action] })
}

/** A person as the actor of what they do at sign-in, from this network address. */
export function personAt(account: { id: string; email: string }, address: string): Actor {
  return {
    kind: 'session',
    name: account.email,
    id: account.id,
    source: 'dashboard',
    requestId: requestId(),
    address: address === '' ? null : address,
  }
}

const summaries = {
  'session.created': 'Signed in',
  'password.changed': 'The password was changed; other sessions ended',
  'two_factor.enabled': 'Two-factor authentication was turned on',
  'two_factor.disabled': 'Two-factor authentication was turned off; other sessions ended',
  'backup_codes.renewed': 'New backup codes were made; the old ones stopped working',
  'session.revoked': 'Sessions were ended',
}
