import { recordAudit } from '#modules/audit/index.ts'
import type { Actor } from '#platform/caller.ts'
import type { Db, Tx } from '#platform/postgres/index.ts'
import { lockOwnEndpoint } from './own-endpoint.ts'
import { endpointsOf, goneWithPending, lockEndpoint, removeEndpoint, removeOrphans } from './store.ts'

/** Maximum number of an endpoint's pending deliveries that one statement removes, because removing all at once could take too long. */
const maxTogether = 10_000

/** Deletes an endpoint of the account: its pending deliveries are never sent. Throws `not_found`. */
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

/** Removes all endpoints of an account that is being erased. */
export async function removeEndpoints(tx: Tx, accountId: string): Promise<void> {
  for (const id of await endpointsOf(tx, accountId)) {
    await lockEndpoint(tx, id)
    await removeEndpoint(tx, id)
  }
}

/** Removes pending deliveries of deleted endpoints. */
export async function sweepQueue(db: Db): Promise<void> {
  for (const id of await goneWithPending(db))
    for (let removed = maxTogether; removed === maxTogether; ) removed = await removeOrphans(db, id, maxTogether)
}
