import type { Db } from '#platform/db.ts'
import { retentionDays } from './jobs.ts'
import { type EventContent, type EventFilter, findContents, findEventsOf } from './store.ts'

/**
 * What is sent of placed events, by id. Ids of events that are gone (older than 30 days) are missing from it.
 *
 * One statement for each day: with the day as its parameter, PostgreSQL plans for one partition and not for forty.
 */
export async function eventContents(
  db: Db,
  events: readonly { day: string; id: string }[],
): Promise<Map<string, EventContent>> {
  const days = Map.groupBy(events, (event) => event.day)
  const found = new Map<string, EventContent>()
  for (const [day, ofDay] of days) {
    const ids = [...new Set(ofDay.map((event) => event.id))]
    for (const [id, content] of await findContents(db, day, ids)) found.set(id, content)
  }
  return found
}

/** An event as it was sent, read back. */
export interface ReadEvent {
  readonly id: string
  readonly type: string
  readonly created_at: string
  readonly data: unknown
}

/** Bodies on one page, together: an event of an import may have 16 MiB by itself. */
const maxPageBytes = 4 * 1024 * 1024

/** An account's events of the last 30 days, the latest first: at most `limit`, and fewer when they are large. */
export async function listEvents(
  db: Db,
  accountId: string,
  filter: Omit<EventFilter, 'days' | 'maxBytes'>,
): Promise<{ events: ReadEvent[]; isMore: boolean }> {
  const rows = await findEventsOf(db, accountId, { ...filter, days: retentionDays, maxBytes: maxPageBytes })
  const events = rows.flatMap(({ body }) => (body === null ? [] : [JSON.parse(body.toString('utf8')) as ReadEvent]))
  return { events, isMore: rows.length > events.length }
}
