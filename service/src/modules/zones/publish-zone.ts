import { publish } from '#modules/events/index.ts'
import { type Tx, wakeAfterCommit } from '#platform/db.ts'
import { Refusal } from '#platform/errors.ts'
import { insertMove, markLive, type ZoneRow } from './store.ts'

/**
 * Makes a zone live: a member of the catalog from now on, and `zone.created` once every nameserver answers it.
 *
 * Throws `zone_exists` when another zone of the name is live.
 */
export async function publishZone(
  tx: Tx,
  zone: Pick<ZoneRow, 'id' | 'name' | 'origin' | 'parentId'>,
): Promise<ZoneRow> {
  const live = await markLive(tx, zone).catch((error: unknown) => {
    // Another account's transaction made the name live since this one looked: the unique index decides.
    throw (error as { code?: string }).code === uniqueViolation ? hostedElsewhere(zone.name) : error
  })
  await insertMove(tx, live, true)
  await publish(tx, {
    type: 'zone.created',
    recipients: live.recipients,
    zoneId: live.id,
    zoneName: live.name,
    serial: live.serial,
    held: 'everywhere',
    data: { zone: { id: live.id, name: live.name } },
  })
  wakeAfterCommit(tx, 'catalog_changed')
  wakeAfterCommit(tx, 'zones_changed', live.id)
  return live
}

/** SQLSTATE of a row that a unique index refuses. */
const uniqueViolation = '23505'

export function hostedElsewhere(name: string): Refusal {
  return new Refusal('zone_exists', `${name} is hosted here by another account.`)
}
