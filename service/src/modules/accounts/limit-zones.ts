import { recordAudit } from '#modules/audit/index.ts'
import type { Actor } from '#platform/caller.ts'
import type { Tx } from '#platform/postgres/index.ts'
import { type Account, lockAccount, setZoneLimit } from './store.ts'

/** Sets how many zones an account may have, for an operator; null: the default limit. Zones above the limit are kept. */
export async function limitZones(
  tx: Tx,
  actor: Actor,
  { id, email }: Pick<Account, 'id' | 'email'>,
  zones: number | null,
): Promise<void> {
  await lockAccount(tx, id)
  await setZoneLimit(tx, id, zones)
  await recordAudit(tx, {
    accountId: id,
    actor,
    action: 'account.limit_changed',
    summary: `The zone limit of account ${email} was set to ${zones === null ? 'the default' : `${zones} zones`}`,
    reference: { zones },
  })
}
