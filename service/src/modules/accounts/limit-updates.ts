import { recordAudit } from '#modules/audit/index.ts'
import type { Actor } from '#platform/caller.ts'
import type { Tx } from '#platform/postgres/index.ts'
import { type Account, lockAccount, setUpdateLimit } from './store.ts'

/** Sets how many DNS updates each key of an account may send in a minute, for an operator; null: the default limit. */
export async function limitUpdates(
  tx: Tx,
  actor: Actor,
  { id, email }: Pick<Account, 'id' | 'email'>,
  perMinute: number | null,
): Promise<void> {
  await lockAccount(tx, id)
  await setUpdateLimit(tx, id, perMinute)
  await recordAudit(tx, {
    accountId: id,
    actor,
    action: 'account.update_limit_changed',
    summary: `The update limit of the keys of account ${email} was set to ${perMinute === null ? 'the default' : `${perMinute} a minute`}`,
    reference: { updates_per_minute: perMinute },
  })
}
