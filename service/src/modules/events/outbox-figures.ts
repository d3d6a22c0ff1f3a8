import { type Db, sql } from '#platform/postgres/index.ts'
import { releasedAt } from './store.ts'

const outbox = {
  zonewright_events_oldest_held_seconds:
    'Age of the oldest held event. The event zone.created and events that wait for it do not count.',
  zonewright_events_oldest_released_seconds:
    'Age of the oldest released event that is not yet in the lanes of its endpoints.',
}

/** Metrics of events that have not been placed yet. */
export const outboxFigures = { helps: outbox, read: readOutbox }

async function readOutbox(db: Db) {
  const { rows } = await sql<Record<keyof typeof outbox, number>>`
    select ${sql.ageS(sql`min(held_since) filter (where held = 'serial' and held_since < 'infinity')`)}
        as zonewright_events_oldest_held_seconds,
      ${sql.ageS(sql`min(${releasedAt}) filter (where held is null)`)} as zonewright_events_oldest_released_seconds
    from event_outbox`.execute(db)
  return rows[0]
}
