import { recordAudit } from '#modules/audit/index.ts'
import type { Actor } from '#platform/caller.ts'
import type { Tx } from '#platform/postgres/index.ts'
import type { SecretBox } from '#platform/secrets.ts'
import { lockOwnEndpoint } from './own-endpoint.ts'
import { newSecret } from './signature.ts'
import { addSecret, type Endpoint, readEndpoint } from './store.ts'

/** Gives an endpoint a new secret; the current one also signs for this number of hours. Throws `not_found`. */
export async function rotateSecret(
  tx: Tx,
  by: { actor: Actor; secrets: SecretBox },
  { accountId, id, overlapHours }: { accountId: string; id: string; overlapHours: number },
): Promise<{ endpoint: Endpoint; secret: string }> {
  const { url } = await lockOwnEndpoint(tx, accountId, id)
  const secret = newSecret()
  await addSecret(tx, id, by.secrets.seal('webhook_endpoints.secrets', id, secret), overlapHours)
  await recordAudit(tx, {
    accountId,
    actor: by.actor,
    action: 'webhook.secret_rotated',
    summary: `The secret of webhook endpoint ${url} was rotated; the old secret stays valid for ${overlapHours} hours`,
    reference: { endpoint: id, overlap_hours: overlapHours },
  })
  return { endpoint: (await readEndpoint(tx, accountId, id)) as Endpoint, secret }
}
