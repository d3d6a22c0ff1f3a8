import type { WireWantedHeader } from '@zonewright/contract'
import { lockAccount } from '#modules/accounts/index.ts'
import { recordAudit } from '#modules/audit/index.ts'
import type { Actor } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import { newId } from '#platform/ids.ts'
import type { Tx } from '#platform/postgres/index.ts'
import type { SecretBox } from '#platform/secrets.ts'
import { refuseFaults } from './check-endpoint.ts'
import { pickZones, replaceZones } from './endpoint-zones.ts'
import { headersAfter, sealHeaders } from './fixed-headers.ts'
import { faultsOfSubscription, maxEndpoints } from './rules.ts'
import { newSecret } from './signature.ts'
import { countEndpoints, type Endpoint, insertEndpoint, readEndpoint, updateEndpoint } from './store.ts'

/** A new endpoint; its URL, events and headers have been checked. */
export interface WantedEndpoint {
  readonly accountId: string
  readonly url: string
  /** Null for every event, including future types. */
  readonly events: readonly string[] | null
  readonly description: string
  /** The names or ids of the zones that it is limited to; null, the default: all zones. */
  readonly zones?: readonly string[] | null
  readonly headers?: readonly WireWantedHeader[]
}

/** Creates an endpoint. Only this call returns the secret. Throws `endpoint_limit` for the account's eleventh endpoint, and `validation_failed`. */
export async function createEndpoint(
  tx: Tx,
  by: { actor: Actor; secrets: SecretBox },
  wanted: WantedEndpoint,
): Promise<{ endpoint: Endpoint; secret: string }> {
  await lockAccount(tx, wanted.accountId) // so that its endpoints can be counted
  if ((await countEndpoints(tx, wanted.accountId)) >= maxEndpoints)
    throw new Refusal(
      'endpoint_limit',
      `An account can have at most ${maxEndpoints} webhook endpoints. Delete one first.`,
    )
  const { headers, faults } = headersAfter(wanted.headers ?? [], {})
  refuseFaults([...faults, ...faultsOfSubscription(wanted.events, Boolean(wanted.zones))])
  const zones = wanted.zones && (await pickZones(tx, wanted.accountId, wanted.zones))
  const id = newId('whe')
  const secret = newSecret()
  await insertEndpoint(tx, { id, ...wanted, secret: by.secrets.seal('webhook_endpoints.secrets', id, secret) })
  const sealed = sealHeaders(by.secrets, id, headers)
  if (sealed) await updateEndpoint(tx, id, { headers: { names: Object.keys(headers), sealed } })
  if (zones) await replaceZones(tx, id, zones)
  await recordAudit(tx, {
    accountId: wanted.accountId,
    actor: by.actor,
    action: 'webhook.created',
    summary: `Webhook endpoint ${wanted.url} was created`,
    reference: { endpoint: id },
  })
  const endpoint = await readEndpoint(tx, wanted.accountId, id)
  if (endpoint === undefined) throw new Error(`endpoint ${id} is not there after its insert`)
  return { endpoint, secret }
}
