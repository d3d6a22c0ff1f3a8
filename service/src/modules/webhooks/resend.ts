import { recordAudit } from '#modules/audit/index.ts'
import { retentionDays } from '#modules/events/index.ts'
import type { Actor } from '#platform/caller.ts'
import { dayOf } from '#platform/ids.ts'
import type { Database, Tx } from '#platform/postgres/index.ts'
import { type Delivery, findDelivery } from './delivery-store.ts'
import { lockOwnEndpoint, noSuchDelivery } from './own-endpoint.ts'
import { type DaysDeliveries, findFailed, queueAgain, queueFailed } from './resend-store.ts'
import { gatherMs, maxRecovered } from './rules.ts'

/** The endpoint, and the person or key that makes the request. */
export interface OwnEndpoint {
  readonly accountId: string
  readonly id: string
  readonly actor: Actor
}

/** Resends a delivery, whatever its state, also at a disabled endpoint. Throws `not_found`. */
export async function redeliver(tx: Tx, { accountId, id, actor }: OwnEndpoint, deliveryId: string): Promise<Delivery> {
  const endpoint = await lockOwnEndpoint(tx, accountId, id)
  const day = dayOf('dlv', deliveryId)
  if (day === undefined) throw noSuchDelivery()
  const wanted = { day, id: deliveryId, days: retentionDays }
  // A later statement than the lock's, so that it sees what a worker has just recorded.
  if (!(await queueAgain(tx, { id, isEnabled: endpoint.state === 'enabled' }, wanted))) throw noSuchDelivery()
  tx.wakeAfterCommit('lanes_due', '', gatherMs)
  await recordAudit(tx, {
    accountId,
    actor,
    action: 'webhook.redelivered',
    summary: `Webhook endpoint ${endpoint.url}: delivery ${deliveryId} was resent`,
    reference: { endpoint: id, delivery: deliveryId },
  })
  return (await findDelivery(tx, id, wanted)) as Delivery
}

/**
 * Resends deliveries that failed or were skipped since a time, at most 10,000. Throws `not_found`.
 *
 * The deliveries are read without a lock, and queued in batches, because the fan-out of all accounts waits for an endpoint's lane.
 */
export async function recover(
  database: Database,
  own: OwnEndpoint,
  since: Date,
): Promise<{ recovered: number; more: boolean }> {
  const found = await findFailed(database.db, own.id, { since, max: maxRecovered, days: retentionDays })
  let recovered = 0
  for (const part of found.flatMap(inParts))
    recovered += await database.transact((tx) => recoverTogether(tx, own, part, since))
  return { recovered, more: found.reduce((sum, { ids }) => sum + ids.length, 0) === maxRecovered }
}

/** Deliveries queued in one transaction. */
const maxTogether = 1_000

function inParts({ day, ids }: DaysDeliveries): DaysDeliveries[] {
  const parts = Math.ceil(ids.length / maxTogether)
  return Array.from({ length: parts }, (_, n) => ({ day, ids: ids.slice(n * maxTogether, (n + 1) * maxTogether) }))
}

async function recoverTogether(
  tx: Tx,
  { accountId, id, actor }: OwnEndpoint,
  deliveries: DaysDeliveries,
  since: Date,
): Promise<number> {
  const endpoint = await lockOwnEndpoint(tx, accountId, id)
  const recovered = await queueFailed(tx, { id, isEnabled: endpoint.state === 'enabled' }, deliveries)
  if (recovered === 0) return 0
  tx.wakeAfterCommit('lanes_due')
  await recordAudit(tx, {
    accountId,
    actor,
    action: 'webhook.recovered',
    summary: `Webhook endpoint ${endpoint.url}: ${recovered} deliveries since ${since.toISOString()} were resent`,
    reference: { endpoint: id, recovered },
  })
  return recovered
}
