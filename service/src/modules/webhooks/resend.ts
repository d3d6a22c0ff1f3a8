import { recordAudit } from '#modules/audit/index.ts'
import { retentionDays } from '#modules/events/index.ts'
import type { Actor } from '#platform/caller.ts'
import { type Tx, wakeAfterCommit } from '#platform/db.ts'
import { dayOf } from '#platform/ids.ts'
import { type Delivery, findDelivery } from './delivery-store.ts'
import { lockOwnEndpoint, noSuchDelivery } from './own-endpoint.ts'
import { queueAgain, queueFailed } from './resend-store.ts'
import { maxRecovered } from './rules.ts'

/** The endpoint that is asked about, and who asks. */
export interface OwnEndpoint {
  readonly accountId: string
  readonly id: string
  readonly actor: Actor
}

/** Sends a delivery again, whatever has become of it, on a disabled endpoint too. Throws `not_found`. */
export async function redeliver(tx: Tx, { accountId, id, actor }: OwnEndpoint, deliveryId: string): Promise<Delivery> {
  const endpoint = await lockOwnEndpoint(tx, accountId, id)
  const day = dayOf('dlv', deliveryId)
  if (day === undefined) throw noSuchDelivery()
  const wanted = { day, id: deliveryId, days: retentionDays }
  // A later statement than the lock's: what a worker has just recorded is seen.
  if (!(await queueAgain(tx, { id, isEnabled: endpoint.state === 'enabled' }, wanted))) throw noSuchDelivery()
  wakeAfterCommit(tx, 'lanes_due')
  await recordAudit(tx, {
    accountId,
    actor,
    action: 'webhook.redelivered',
    summary: `Webhook endpoint ${endpoint.url}: delivery ${deliveryId} is sent again`,
    reference: { endpoint: id, delivery: deliveryId },
  })
  return (await findDelivery(tx, id, wanted)) as Delivery
}

/** Sends again what failed or was skipped since a time, at most 10,000 deliveries. Throws `not_found`. */
export async function recover(
  tx: Tx,
  { accountId, id, actor }: OwnEndpoint,
  since: Date,
): Promise<{ recovered: number; more: boolean }> {
  const endpoint = await lockOwnEndpoint(tx, accountId, id)
  const recovered = await queueFailed(
    tx,
    { id, isEnabled: endpoint.state === 'enabled' },
    { since, max: maxRecovered, days: retentionDays },
  )
  if (recovered > 0) wakeAfterCommit(tx, 'lanes_due')
  await recordAudit(tx, {
    accountId,
    actor,
    action: 'webhook.recovered',
    summary: `Webhook endpoint ${endpoint.url}: ${recovered} deliveries since ${since.toISOString()} are sent again`,
    reference: { endpoint: id, recovered },
  })
  return { recovered, more: recovered === maxRecovered }
}
