import { recordAudit } from '#modules/audit/index.ts'
import type { Actor } from '#platform/caller.ts'
import type { Tx } from '#platform/db.ts'
import { lockEndpoint, removeEndpoint } from './store.ts'

/** Deletes an endpoint of the account with all that waits for it. Returns false when there is none. */
export async function deleteEndpoint(tx: Tx, actor: Actor, accountId: string, id: string): Promise<boolean> {
  const endpoint = await lockEndpoint(tx, id)
  if (endpoint === undefined || endpoint.accountId !== accountId) return false
  await removeEndpoint(tx, id)
  await recordAudit(tx, {
    accountId,
    actor,
    action: 'webhook.deleted',
    summary: `Webhook endpoint ${endpoint.url} was deleted`,
    reference: { endpoint: id },
  })
  return true
}
