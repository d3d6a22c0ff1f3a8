import { recordAudit } from '#modules/audit/index.ts'
import type { Actor } from '#platform/caller.ts'
import type { Tx } from '#platform/db.ts'
import { lockOwnEndpoint } from './own-endpoint.ts'
import { endpointsOf, lockEndpoint, removeEndpoint } from './store.ts'

/** Deletes an endpoint of the account with all that waits for it. Throws `not_found`. */
export async function deleteEndpoint(tx: Tx, actor: Actor, accountId: string, id: string): Promise<void> {
  const { url } = await lockOwnEndpoint(tx, accountId, id)
  await removeEndpoint(tx, id)
  await recordAudit(tx, {
    accountId,
    actor,
    action: 'webhook.deleted',
    summary: `Webhook endpoint ${url} was deleted`,
    reference: { endpoint: id },
  })
}

/** Removes whatever endpoints an account has, with their lanes and all that waits for them: the account is erased. */
export async function removeEndpoints(tx: Tx, accountId: string): Promise<void> {
  for (const id of await endpointsOf(tx, accountId)) {
    await lockEndpoint(tx, id)
    await removeEndpoint(tx, id)
  }
}
