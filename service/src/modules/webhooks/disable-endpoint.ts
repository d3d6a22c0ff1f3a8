import { type Telling, tellAccount } from '#modules/accounts/index.ts'
import { recordAudit } from '#modules/audit/index.ts'
import { endpointDisabled } from '#modules/mail/index.ts'
import { actorNamed } from '#platform/caller.ts'
import type { Database, Tx } from '#platform/db.ts'
import { disableIfWornOut, endSeriesOfManual, skipPending, skippableDays } from './state-store.ts'
import { type LockedEndpoint, lockEndpoint } from './store.ts'

const reason = 'Every delivery failed for 3 days.'
/** Deliveries recorded as skipped in one transaction, so that none is long however many wait. */
const maxSkipped = 10_000

/**
 * Turns an endpoint off to which every delivery has failed for 3 days (specification, "Webhook endpoint").
 *
 * Decides by itself, under the endpoint's lock, whether it is still so. Its account is mailed, and what waited for it
 * becomes `skipped`, but for what was asked for by hand. Returns whether the endpoint was turned off now.
 */
export async function disableWornOut(
  database: Database,
  telling: Telling,
  endpointId: string,
  stopping?: AbortSignal,
): Promise<boolean> {
  const done = await database.transact(async (tx) => {
    const endpoint = await lockEndpoint(tx, endpointId)
    if (endpoint === undefined || !(await disableIfWornOut(tx, endpointId, reason))) return undefined
    await tell(tx, telling, endpoint)
    await endSeriesOfManual(tx, endpointId)
    const days = await skippableDays(tx, endpointId)
    return { days, skipped: await skipPending(tx, endpointId, { days, max: maxSkipped }) }
  })
  if (done?.skipped === maxSkipped) await skipDays(database, endpointId, done.days, stopping)
  return done !== undefined
}

/** Records as skipped whatever waits for an endpoint that is off, but for what was asked for by hand. */
export async function skipAll(database: Database, endpointId: string): Promise<void> {
  await skipDays(database, endpointId, await skippableDays(database.db, endpointId))
}

/** The days are found once: no other comes while it is off, and to find them means to read all that waits. A stop leaves the rest. */
async function skipDays(
  database: Database,
  endpointId: string,
  days: readonly string[],
  stopping?: AbortSignal,
): Promise<void> {
  for (let skipped = maxSkipped; skipped === maxSkipped && !stopping?.aborted; )
    skipped = await database.transact(async (tx) => {
      const endpoint = await lockEndpoint(tx, endpointId)
      // It may have been turned on meanwhile: what is left is sent then.
      return endpoint?.state === 'disabled' ? await skipPending(tx, endpointId, { days, max: maxSkipped }) : 0
    })
}

async function tell(tx: Tx, telling: Telling, { id, accountId, url }: LockedEndpoint): Promise<void> {
  await tellAccount(tx, telling, accountId, endpointDisabled({ site: telling.site, url, reason }))
  await recordAudit(tx, {
    accountId,
    actor: actorNamed('system', 'webhooks'),
    action: 'webhook.disabled',
    summary: `Webhook endpoint ${url} was turned off: every delivery failed for 3 days`,
    reference: { endpoint: id },
  })
}
