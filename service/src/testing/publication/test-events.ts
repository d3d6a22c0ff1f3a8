import { publish } from '#modules/events/index.ts'
import { type Database, sql } from '#platform/postgres/index.ts'
import type { PlantedZone } from '../primary/test-zones.ts'

/** Publishes an event of a zone that waits for a serial, or until every nameserver answers for the zone. */
export async function hold(database: Database, zone: PlantedZone, held: 'serial' | 'everywhere', serial: number) {
  const zoneData = { id: zone.id, name: zone.name }
  await database.transact((tx) =>
    publish(tx, {
      type: held === 'serial' ? 'zone.records_changed' : 'zone.created',
      recipients: [],
      zoneId: zone.id,
      zoneName: zone.name,
      serial,
      held,
      data: held === 'serial' ? { zone: zoneData, serial, replicated: false, changes: [] } : { zone: zoneData },
    }),
  )
}

/** The outcome of a zone's events, in order: released as replicated or not, or still held. */
export async function eventsOf(database: Database, zone: PlantedZone): Promise<string[]> {
  const { rows } = await sql<{ held: string | null; says: boolean; replicated: boolean }>`
    select held, data->'replicated' is not null as says, replicated from event_outbox where zone_id = ${zone.id} order by seq`.execute(
    database.db,
  )
  return rows.map(({ held, says, replicated }) => {
    if (held !== null) return 'held'
    return says && !replicated ? 'not replicated' : 'released'
  })
}
