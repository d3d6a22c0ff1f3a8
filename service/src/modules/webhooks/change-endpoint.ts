import { recordAudit } from '#modules/audit/index.ts'
import type { Actor } from '#platform/caller.ts'
import type { Tx } from '#platform/postgres/index.ts'
import { pauseEndpoint } from './disable-endpoint.ts'
import { lockOwnEndpoint } from './own-endpoint.ts'
import { enable } from './state-store.ts'
import { type Endpoint, type EndpointChange, readEndpoint, updateEndpoint } from './store.ts'

/** The changes that an owner requests; the URL and the events have been checked. */
export interface WantedChange extends EndpointChange {
  /** `enabled` ends its failing time and sends nothing; skipped deliveries stay skipped until they are recovered. `disabled` pauses it. */
  readonly state?: 'enabled' | 'disabled' | undefined
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
  if (state === 'enabled') await enable(tx, id)
  if (state === 'disabled' && before.state === 'enabled') await pauseEndpoint(tx, id)
  if (state !== undefined && state !== before.state)
    await recordAudit(tx, {
      accountId,
      actor,
      action: state === 'enabled' ? 'webhook.enabled' : 'webhook.paused',
      summary: `Webhook endpoint ${fields.url ?? before.url} was ${state === 'enabled' ? 'turned on' : 'paused'}`,
      reference: { endpoint: id },
    })
  return (await readEndpoint(tx, accountId, id)) as Endpoint
}
