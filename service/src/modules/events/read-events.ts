import { dayOf } from '#platform/ids.ts'
import type { Db } from '#platform/postgres/index.ts'
import { retentionDays } from './jobs.ts'
import {
  bodyForAccount,
  type EventContent,
  type EventFilter,
  findContents,
  findEventsOf,
  findFirstOfLatest,
  findHeads,
} from './store.ts'

/**
 * What is sent for placed events, by id; without the body if it is larger than `maxBytes` (`eventBody`). Events that no longer exist (older than
 * 30 days) are missing.
 *
 * One statement per day: with the day as its parameter, PostgreSQL plans for one partition instead of forty.
 */
export async function eventContents(
  db: Db,
  events: readonly { day: string; id: string }[],
  maxBytes: number,
): Promise<Map<string, EventContent>> {
  const days = Map.groupBy(events, (event) => event.day)
  const found = new Map<string, EventContent>()
  for (const [day, ofDay] of days) {
    const ids = [...new Set(ofDay.map((event) => event.id))]
    for (const [id, content] of await findContents(db, day, ids, maxBytes)) found.set(id, content)
  }
  return found
}

/** An event as it was sent, read back from the history. */
export interface ReadEvent {
  readonly id: string
  readonly type: string
  readonly created_at: string
  readonly data: unknown
}

/** The exact bytes of one of an account's events of the last 30 days, except tests; undefined if there is none. */
export async function readEvent(db: Db, accountId: string, id: string): Promise<Buffer | undefined> {
  const day = dayOf('evt', id)
  return day === undefined ? undefined : await bodyForAccount(db, accountId, { day, id, days: retentionDays })
}

/** The subject of an event: a zone, or an order with its domain name. */
export interface EventSubject {
  readonly zone?: { readonly id: string; readonly name: string }
  readonly order?: { readonly id: string; readonly name: string }
}

/** Large enough for an id and a name of at most 1,004 characters, which JSON escapes may double. */
const headBytes = 4_096

const jsonString = String.raw`"(?:[^"\\]|\\.)*"`
/** The id comes first, then the name; an order has its kind between them. */
const subject = new RegExp(
  `"data":\\{"(zone|order)":\\{"id":(${jsonString}),(?:"kind":${jsonString},)?"name":(${jsonString})`,
)

/** The subjects of these events, by id, for those about a zone or an order. Reads only the beginnings of their bodies. */
export async function eventSubjects(db: Db, ids: readonly string[]): Promise<Map<string, EventSubject>> {
  const events = [...new Set(ids)].flatMap((id) => {
    const day = dayOf('evt', id)
    return day === undefined ? [] : [{ day, id }]
  })
  const subjects = new Map<string, EventSubject>()
  if (events.length === 0) return subjects
  for (const [event, head] of await findHeads(db, events, headBytes)) {
    const [, kind, id, name] = subject.exec(head.toString('utf8')) ?? []
    if (kind && id && name) subjects.set(event, { [kind]: { id: JSON.parse(id), name: JSON.parse(name) } })
  }
  return subjects
}

/** Total size of the bodies on one page: an event of an import may have 16 MiB. */
const maxPageBytes = 4 * 1024 * 1024

/** Events, or deliveries, that a filtered page searches. The page ends there, even if it has found only a few. */
export const maxLookedAt = 20_000

/**
 * An account's events of the last 30 days, latest first: at most `limit`, and fewer if they are large, or if a filter by type
 * matches few. `next`: the event before which the next page begins.
 */
export async function listEvents(
  db: Db,
  accountId: string,
  wanted: Omit<EventFilter, 'days' | 'from' | 'maxBytes'>,
): Promise<{ events: ReadEvent[]; next: string | null }> {
  const filter = { ...wanted, days: retentionDays, maxBytes: maxPageBytes }
  const from = filter.type === null ? null : await findFirstOfLatest(db, accountId, filter, maxLookedAt)
  const rows = await findEventsOf(db, accountId, { ...filter, from })
  const events = rows.flatMap(({ body }) => (body === null ? [] : [JSON.parse(body.toString('utf8')) as ReadEvent]))
  return { events, next: rows.length > events.length ? (events.at(-1)?.id ?? null) : from }
}
