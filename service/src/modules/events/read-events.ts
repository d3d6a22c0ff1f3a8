import type { Db } from '#platform/db.ts'
import { findBodies } from './store.ts'

/**
 * The exact body bytes of placed events, by id. Ids of events that are gone (older than 30 days) are missing from it.
 *
 * One statement for each day: with the day as its parameter, PostgreSQL plans for one partition and not for forty.
 */
export async function eventBodies(
  db: Db,
  events: readonly { day: string; id: string }[],
): Promise<Map<string, Buffer>> {
  const days = Map.groupBy(events, (event) => event.day)
  const found = new Map<string, Buffer>()
  for (const [day, ofDay] of days) {
    const ids = [...new Set(ofDay.map((event) => event.id))]
    for (const [id, body] of await findBodies(db, day, ids)) found.set(id, body)
  }
  return found
}
