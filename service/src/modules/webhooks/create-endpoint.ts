import { lockAccount } from '#modules/accounts/index.ts'
import { recordAudit } from '#modules/audit/index.ts'
import type { Actor } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import { newId } from '#platform/ids.ts'
import type { Tx } from '#platform/postgres/index.ts'
import type { SecretBox } from '#platform/secrets.ts'
import { maxEndpoints } from './rules.ts'
import { newSecret } from './signature.ts'
import { countEndpoints, type Endpoint, insertEndpoint, readEndpoint } from './store.ts'

/** A new endpoint; its URL and events have been checked. */
export interface WantedEndpoint {
  readonly accountId: string
  readonly url: string
  /** Null for every event, including future types. */
  readonly events: readonly string[] | null
  readonly description: string
}

/** Creates an endpoint. Only this call returns the secret. Throws `endpoint_limit` for the account's eleventh. */
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
  const id = newId('whe')
  const secret = newSecret()
  await insertEndpoint(tx, { id, ...wanted, secret: by.secrets.seal('webhook_endpoints.secrets', id, secret) })
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
