import { recordAudit } from '#modules/audit/index.ts'
import type { Actor } from '#platform/caller.ts'
import type { Tx } from '#platform/postgres/index.ts'
import { lockZone, setRrsetLimit } from './store.ts'

/**
 * Sets how many rrsets a zone may have, for an operator; null: the default limit. A zone that has more keeps them. Returns the limit,
 * or undefined if the zone does not exist.
 */
export async function limitRrsets(
  tx: Tx,
  actor: Actor,
  zoneId: string,
  rrsets: number | null,
): Promise<number | undefined> {
  const zone = await lockZone(tx, zoneId)
  if (zone === undefined) return undefined
  const limit = await setRrsetLimit(tx, zone.id, rrsets)
  await recordAudit(tx, {
    accountId: zone.accountId,
    actor,
    action: 'zone.limit_changed',
    zone,
    summary: `The record set limit of zone ${zone.name} was set to ${limit} record sets`,
    reference: { before: zone.rrsetLimit, after: limit },
  })
  return limit
}
