import { recordAudit } from '#modules/audit/index.ts'
import { actorNamed } from '#platform/caller.ts'
import type { Database } from '#platform/db.ts'
import { disableIfWornOut, lockEndpoint, skipPending } from './store.ts'

const reason = 'Every delivery failed for 3 days.'

/**
 * Turns an endpoint off to which every delivery has failed for 3 days (specification, "Webhook endpoint").
 *
 * What waited for it becomes `skipped`. Decides by itself, under the endpoint's lock, whether it is still so: returns whether
 * the endpoint was turned off now, once for each time, which is when its account is told.
 */
export async function disableWornOut(database: Database, endpointId: string): Promise<boolean> {
  return await database.transact(async (tx) => {
    const endpoint = await lockEndpoint(tx, endpointId)
    if (endpoint === undefined || !(await disableIfWornOut(tx, endpointId, reason))) return false
    await skipPending(tx, endpointId)
    await recordAudit(tx, {
      accountId: endpoint.accountId,
      actor: actorNamed('system', 'webhooks'),
      action: 'webhook.disabled',
      summary: `Webhook endpoint ${endpoint.url} was turned off: every delivery failed for 3 days`,
      reference: { endpoint: endpointId },
    })
    return true
  })
}
