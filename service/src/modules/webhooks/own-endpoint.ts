import { Refusal } from '#platform/errors.ts'
import type { Tx } from '#platform/postgres/index.ts'
import { type LockedEndpoint, lockEndpoint } from './store.ts'

/** Locks an endpoint of the account, and its lane. Throws `not_found`, also for another account's endpoint. */
export async function lockOwnEndpoint(tx: Tx, accountId: string, id: string): Promise<LockedEndpoint> {
  const endpoint = await lockEndpoint(tx, id)
  if (endpoint === undefined || endpoint.accountId !== accountId) throw noSuchEndpoint()
  return endpoint
}

export function noSuchEndpoint(): Refusal {
  return new Refusal('not_found', 'This webhook endpoint does not exist.')
}

export function noSuchDelivery(): Refusal {
  return new Refusal('not_found', 'This endpoint has no such delivery. Deliveries are kept for 30 days.')
}

export function noSuchEvent(): Refusal {
  return new Refusal(
    'not_found',
    'This event does not exist. Events are kept for 30 days. Test events appear only in their endpoint’s deliveries.',
  )
}
