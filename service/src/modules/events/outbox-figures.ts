import { ageS, type FigureSource, showFromDatabase } from '#platform/figures/database-figures.ts'
import { type Db, sql } from '#platform/postgres/index.ts'

/** What `/metrics` tells of events that have not been placed yet. */
export function showOutbox(source: FigureSource): void {
  showFromDatabase(source, outbox, readOutbox)
}

const outbox = {
  zonewright_events_oldest_held_seconds:
    'Age of the oldest event that waits for the nameservers: at most 30 s, except for zone.created.',
  zonewright_events_oldest_released_seconds:
    'Age of the oldest released event that has not been queued for its endpoints yet.',
}

async function readOutbox(db: Db) {
  const { rows } = await sql<Record<keyof typeof outbox, number>>`
    select ${ageS(sql`min(held_since) filter (where held = 'serial' and held_since < 'infinity')`)}
        as zonewright_events_oldest_held_seconds,
      ${ageS(sql`min(created_at) filter (where held is null)`)} as zonewright_events_oldest_released_seconds
    from event_outbox`.execute(db)
  return rows[0]
}
