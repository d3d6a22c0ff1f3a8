import { eventStatements } from '#modules/events/index.ts'
import { Refusal } from '#platform/errors.ts'
import type { Statement, Tx } from '#platform/postgres/index.ts'
import { insertZone, markLive, moveStatement, type NewZone, type ZoneRow } from './store.ts'

/**
 * Makes a zone live: it becomes a member of the catalog, and `zone.created` follows once every nameserver serves it.
 *
 * Throws `zone_exists` if another zone of the name is live.
 */
export async function publishZone(
  tx: Tx,
  zone: Pick<ZoneRow, 'id' | 'name' | 'origin' | 'parentId'>,
): Promise<ZoneRow> {
  const live = await markLive(tx, zone).catch(refuseTaken(zone.name))
  await tx.runTogether(announcementOf(live))
  tx.wakeAfterCommit('catalog_changed')
  return live
}

/** Writes a new zone that is live from the start, like `publishZone`. The transaction must have no other event of the zone. */
export async function insertLiveZone(tx: Tx, zone: Omit<NewZone, 'state'>): Promise<ZoneRow> {
  const live = await insertZone(tx, { ...zone, state: 'live' }).catch(refuseTaken(zone.name))
  tx.writeAtCommit(announcementOf(live))
  tx.wakeAfterCommit('catalog_changed')
  return live
}

/** Adds the zone to the catalog, with the event that waits for it. */
function announcementOf(live: ZoneRow): Statement[] {
  const created = {
    type: 'zone.created',
    recipients: live.recipients,
    zoneId: live.id,
    zoneName: live.name,
    serial: live.serial,
    held: 'everywhere',
    data: { zone: { id: live.id, name: live.name } },
  } as const
  return [moveStatement(live, true), ...eventStatements([created])]
}

/** Another account's transaction may have made the name live since this one read it: the unique index decides. */
function refuseTaken(name: string): (error: unknown) => never {
  return (error) => {
    throw (error as { code?: string }).code === uniqueViolation ? hostedElsewhere(name) : error
  }
}

/** SQLSTATE of a row that violates a unique index. */
const uniqueViolation = '23505'

export function hostedElsewhere(name: string): Refusal {
  return new Refusal('zone_exists', `${name} is hosted here by another account.`)
}
