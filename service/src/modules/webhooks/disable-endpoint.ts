import { type MailContext, tellAccount } from '#modules/accounts/index.ts'
import { recordAudit } from '#modules/audit/index.ts'
import { endpointDisabled, endpointFailing } from '#modules/mail/index.ts'
import { actorNamed } from '#platform/caller.ts'
import type { Database, Tx } from '#platform/postgres/index.ts'
import { disableIfFailing, endSeriesOfManual, noteWarning, pause, skipPending, skippableDays } from './state-store.ts'
import { type LockedEndpoint, lockEndpoint } from './store.ts'

const reason = 'Every delivery failed for 3 days.'
/** Maximum number of deliveries that a worker records as skipped in one transaction, so that no transaction takes long, however many wait. */
const maxSkipped = 10_000
/** The same for an API call, whose caller waits. */
const maxSkippedByCall = 1_000

/**
 * Disables an endpoint that was judged to have failed for too long (`judge`; specification, "Webhook endpoint").
 *
 * Checks under the endpoint's lock that it is still failing. Its account is emailed, and its pending deliveries become `skipped`, except
 * resends. Returns whether this call disabled the endpoint.
 */
export async function disableFailing(
  database: Database,
  mailContext: MailContext,
  endpointId: string,
  stopping?: AbortSignal,
): Promise<boolean> {
  const done = await database.transact(async (tx) => {
    const endpoint = await lockEndpoint(tx, endpointId)
    if (endpoint === undefined || !(await disableIfFailing(tx, endpointId, reason))) return undefined
    await tell(tx, mailContext, endpoint)
    return await skipFirst(tx, endpointId, maxSkipped)
  })
  if (done?.skipped === maxSkipped) await skipDays(database, endpointId, done.days, { max: maxSkipped, stopping })
  return done !== undefined
}

/** Warns the account of an endpoint that has failed for a day, once per failing time. Returns whether this call warned it. */
export async function warnFailing(database: Database, mailContext: MailContext, endpointId: string): Promise<boolean> {
  return await database.transact(async (tx) => {
    const endpoint = await lockEndpoint(tx, endpointId)
    const since = endpoint && (await noteWarning(tx, endpointId))
    if (!endpoint || !since) return false
    const mail = endpointFailing({ site: mailContext.site, url: endpoint.url, since })
    await tellAccount(tx, mailContext, endpoint.accountId, mail)
    return true
  })
}

/**
 * Pauses a locked endpoint of the account. Its pending deliveries become `skipped`, except resends: the first 1,000 deliveries here,
 * and the others by `skipAllNow` after the commit.
 */
export async function pauseEndpoint(tx: Tx, endpointId: string): Promise<void> {
  await pause(tx, endpointId)
  await skipFirst(tx, endpointId, maxSkippedByCall)
}

async function skipFirst(
  tx: Tx,
  endpointId: string,
  max: number,
): Promise<{ days: readonly string[]; skipped: number }> {
  await endSeriesOfManual(tx, endpointId)
  const days = await skippableDays(tx, endpointId)
  return { days, skipped: await skipPending(tx, endpointId, { days, max }) }
}

/** Records all pending deliveries of a disabled endpoint as skipped, except manual resends. */
export async function skipAll(database: Database, endpointId: string): Promise<void> {
  await skipDays(database, endpointId, await skippableDays(database.db, endpointId), { max: maxSkipped })
}

/** The same within an API call. */
export async function skipAllNow(database: Database, endpointId: string): Promise<void> {
  await skipDays(database, endpointId, await skippableDays(database.db, endpointId), { max: maxSkippedByCall })
}

/**
 * The days are read only once, because no new day appears while the endpoint is off, and reading the days means reading everything that waits.
 * A stop leaves the rest.
 */
async function skipDays(
  database: Database,
  endpointId: string,
  days: readonly string[],
  { max, stopping }: { max: number; stopping?: AbortSignal | undefined },
): Promise<void> {
  for (let skipped = max; skipped === max && !stopping?.aborted; )
    skipped = await database.transact(async (tx) => {
      const endpoint = await lockEndpoint(tx, endpointId)
      // It may have been turned on in the meantime.
      return endpoint?.state === 'disabled' ? await skipPending(tx, endpointId, { days, max }) : 0
    })
}

async function tell(tx: Tx, mailContext: MailContext, { id, accountId, url }: LockedEndpoint): Promise<void> {
  await tellAccount(tx, mailContext, accountId, endpointDisabled({ site: mailContext.site, url, reason }))
  await recordAudit(tx, {
    accountId,
    actor: actorNamed('system', 'webhooks'),
    action: 'webhook.disabled',
    summary: `Webhook endpoint ${url} was disabled: every delivery failed for 3 days`,
    reference: { endpoint: id },
  })
}
