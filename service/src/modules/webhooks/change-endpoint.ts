import type { WireWantedHeader } from '@zonewright/contract'
import { recordAudit } from '#modules/audit/index.ts'
import type { Actor } from '#platform/caller.ts'
import type { Tx } from '#platform/postgres/index.ts'
import type { SecretBox } from '#platform/secrets.ts'
import { refuseFaults } from './check-endpoint.ts'
import { pauseEndpoint } from './disable-endpoint.ts'
import { pickZones, replaceZones } from './endpoint-zones.ts'
import { headersAfter, openHeaders, sealHeaders } from './fixed-headers.ts'
import { lockOwnEndpoint } from './own-endpoint.ts'
import { faultsOfSubscription } from './rules.ts'
import { enable } from './state-store.ts'
import { type Endpoint, type EndpointChange, readEndpoint, updateEndpoint } from './store.ts'

/** The changes that an owner requests; the URL, the events and the headers have been checked. */
export interface WantedChange extends Omit<EndpointChange, 'headers'> {
  /** The names or ids of the zones that it is limited to; null: all zones. */
  readonly zones?: readonly string[] | null | undefined
  readonly headers?: readonly WireWantedHeader[] | undefined
  /** `enabled` ends its failing time and sends nothing; skipped deliveries stay skipped until they are recovered. `disabled` pauses it. */
  readonly state?: 'enabled' | 'disabled' | undefined
}

/** Changes an endpoint of the account. Throws `not_found` and `validation_failed`. */
export async function changeEndpoint(
  tx: Tx,
  { actor, secrets }: { actor: Actor; secrets: SecretBox },
  { accountId, id }: { accountId: string; id: string },
  change: WantedChange,
): Promise<Endpoint> {
  const before = await lockOwnEndpoint(tx, accountId, id)
  const { state, ...fields } = change
  const { zones, headers: wantedHeaders, ...columns } = fields
  const changed = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  if (changed.length > 0) {
    const headers = wantedHeaders && headersAfter(wantedHeaders, openHeaders(secrets, id, before.headers))
    refuseFaults(headers?.faults ?? [])
    await updateEndpoint(tx, id, {
      ...columns,
      headers: headers && { names: Object.keys(headers.headers), sealed: sealHeaders(secrets, id, headers.headers) },
    })
    if (zones !== undefined) await replaceZones(tx, id, zones && (await pickZones(tx, accountId, zones)))
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
  const after = (await readEndpoint(tx, accountId, id)) as Endpoint
  if (fields.events !== undefined || zones !== undefined)
    refuseFaults(faultsOfSubscription(after.events, after.zones !== null))
  return after
}
