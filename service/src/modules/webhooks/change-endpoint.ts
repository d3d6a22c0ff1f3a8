import { recordAudit } from '#modules/audit/index.ts'
import type { Actor } from '#platform/caller.ts'
import type { Tx } from '#platform/db.ts'
import { lockOwnEndpoint } from './own-endpoint.ts'
import { enable } from './state-store.ts'
import { type Endpoint, type EndpointChange, readEndpoint, updateEndpoint } from './store.ts'

/** What an owner asks for, its URL and its events already checked. */
export interface WantedChange extends EndpointChange {
  /** Turn it on again: its three days of failures begin anew. What was skipped stays so until it is recovered. */
  readonly state?: 'enabled' | undefined
}

/** Changes an endpoint of the account. Throws `not_found`. */
export async function changeEndpoint(
  tx: Tx,
  actor: Actor,
  { accountId, id }: { accountId: string; id: string },
  change: WantedChange,
): Promise<Endpoint> {
  const before = await lockOwnEndpoint(tx, accountId, id)
  const { state, ...fields } = change
  const changed = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  if (changed.length > 0) {
    await updateEndpoint(tx, id, fields)
    await recordAudit(tx, {
      accountId,
      actor,
      action: 'webhook.changed',
      summary: `Webhook endpoint ${before.url}: ${changed.join(', ')} changed`,
      reference: { endpoint: id },
    })
  }
  if (state === 'enabled') {
    await enable(tx, id)
    if (before.state === 'disabled')
      await recordAudit(tx, {
        accountId,
        actor,
        action: 'webhook.enabled',
        summary: `Webhook endpoint ${fields.url ?? before.url} was turned on`,
        reference: { endpoint: id },
      })
  }
  return (await readEndpoint(tx, accountId, id)) as Endpoint
}
