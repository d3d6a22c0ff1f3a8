import type { WireAttempt } from '@zonewright/contract'
import { parseZoneRef } from '#modules/zones/index.ts'
import { type Db, type Statement, sql } from '#platform/postgres/index.ts'
import type { FailureWord } from '#ports/webhook-http.ts'

/** The series of attempts for one event at one endpoint. */
export interface Delivery {
  readonly id: string
  readonly eventId: string
  readonly eventType: string
  readonly isTest: boolean
  readonly status: 'pending' | 'succeeded' | 'failed' | 'skipped'
  readonly lastStatus: number | null
  /** Why its latest attempt failed; null if that succeeded or there was none. */
  readonly lastFailure: FailureWord | null
  readonly lastFailureDetail: string | null
  /** Includes manual attempts. */
  readonly requests: number
  readonly nextAttemptAt: Date | null
  /** The next automatic attempt after a failed one. */
  readonly retry: Retry | null
  readonly createdAt: Date
  readonly finishedAt: Date | null
}

export interface Retry {
  /** The number of the automatic attempt. */
  readonly attempt: number
  /** In ms since 1970. */
  readonly at: number
}

/** The `Retry` that is planned in a row `q` of the queue, or null. */
export const retryOf = sql`
  case when q.attempts > 0 and q.retry_at is not null and not q.manual
    then json_build_object('attempt', q.attempts + 1, 'at', (extract(epoch from q.retry_at) * 1000)::float8) end`

/** Condition: a delivery `d` was sent by the test operation. Pings from before this column have no mark. */
export const isTest = sql`(d.test or d.event_type = 'ping')`

const columns = sql`
  d.id, d.event_id as "eventId", d.event_type as "eventType", ${isTest} as "isTest", d.status, d.last_status as "lastStatus",
  d.last_failure as "lastFailure", d.last_failure_detail as "lastFailureDetail", d.requests,
  case when q.position is not null then coalesce(q.retry_at, d.created_at) end as "nextAttemptAt", ${retryOf} as retry,
  d.created_at as "createdAt", d.finished_at as "finishedAt"`

const withQueue = sql`
  webhook_deliveries d left join webhook_queue q on q.endpoint_id = d.endpoint_id and q.position = d.position`

/** Condition: events that are at most this many days old, and not older than `since`. */
export function young({ days, since = null }: { days: number; since?: Date | null }) {
  return sql`d.event_id >= id_floor('evt', greatest(app_now() - make_interval(days => ${days}), ${since}::timestamptz))`
}

export interface DeliveryRange {
  /** Only deliveries of events before this one. */
  readonly before: string | null
  readonly since: Date | null
  readonly days: number
}

export interface DeliveryFilter extends DeliveryRange {
  /** Only deliveries of this event and later ones. */
  readonly from: string | null
  /** `failing`: deliveries that failed, and pending ones whose latest attempt failed. */
  readonly status: string | null
  readonly type: string | null
  /** The id or the name of the zone of the event. */
  readonly zone: string | null
  /** A text that occurs in the beginning of the payload or in the failure, or the id of the delivery. */
  readonly text: string | null
  readonly max: number
}

/** How much of a payload is searched for a text. */
const searchedBytes = 4_096

/** Always with a bound: "is null or" would scan an index from its end. */
function within(endpointId: string, { before, since, days }: DeliveryRange) {
  return sql`d.endpoint_id = ${endpointId} and ${young({ days, since })} and d.event_id < coalesce(${before}::text, 'evt_g')`
}

/** The event of the last of an endpoint's latest `max` deliveries; null if there are fewer. */
export async function findFirstOfLatest(
  db: Db,
  endpointId: string,
  range: DeliveryRange,
  max: number,
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select d.event_id as id from webhook_deliveries d where ${within(endpointId, range)}
    order by d.event_id desc offset ${max - 1} limit 1`.execute(db)
  return rows[0]?.id ?? null
}

/** An endpoint's deliveries, latest event first. */
export async function findDeliveries(db: Db, endpointId: string, filter: DeliveryFilter): Promise<Delivery[]> {
  const { from, status, type, zone, text, max } = filter
  const isInEvent = zone !== null || text !== null
  const { rows } = await sql<Delivery>`
    select ${columns} from ${withQueue} ${isInEvent ? withEvent : sql``}
    where ${within(endpointId, filter)} and d.event_id >= coalesce(${from}::text, '')
      and (${status}::text is null or d.status = ${status}
        or ${status} = 'failing' and (d.status = 'failed' or d.status = 'pending' and d.last_failure is not null)) and (${type}::text is null or d.event_type = ${type})
      ${zone === null ? sql`` : sql`and ${isAboutZone(zone)}`} ${text === null ? sql`` : sql`and ${hasText(text)}`}
    order by d.event_id desc limit ${max}`.execute(db)
  return rows
}

/**
 * The event of a delivery `d`, looked up by its key for each delivery, so that the order and the limit of the deliveries are kept (measured: up
 * to 25 µs for each delivery).
 */
const withEvent = sql`
  cross join lateral (
    select zone_id, substring(body from 1 for ${sql.lit(searchedBytes)}) as head
    from events where event_day = d.event_day and id = d.event_id offset 0
  ) event`

/** A name also finds zones that no longer exist, because the payload has the name. In no other object is a name the last member. */
function isAboutZone(zone: string): Statement {
  const ref = parseZoneRef(zone)
  if ('id' in ref) return sql`event.zone_id = ${ref.id}::uuid`
  const member = `,"name":${JSON.stringify(ref.name)}}`
  return sql`(d.event_type like 'zone.%' and position(convert_to(${member}, 'UTF8') in event.head) > 0)`
}

/** Compares bytes in their escaped form, because the head may end within a character. */
function hasText(text: string): Statement {
  const wanted = sql`lower(encode(convert_to(${text}, 'UTF8'), 'escape'))`
  return sql`(strpos(lower(encode(event.head, 'escape')), ${wanted}) > 0 or strpos(lower(d.last_failure_detail), lower(${text})) > 0 or d.id = ${text})`
}

/** One delivery of an endpoint; `day` is its event's. */
export async function findDelivery(
  db: Db,
  endpointId: string,
  { day, id, days }: { day: string; id: string; days: number },
): Promise<Delivery | undefined> {
  const { rows } = await sql<Delivery>`
    select ${columns} from ${withQueue}
    where d.event_day = ${day}::date and d.id = ${id} and d.endpoint_id = ${endpointId} and ${young({ days })}`.execute(
    db,
  )
  return rows[0]
}

type DeliveryOutcome = Pick<Delivery, 'id' | 'status' | 'lastStatus' | 'lastFailure' | 'lastFailureDetail'>

/** The state of an event's delivery at an endpoint; undefined while there is none. */
export async function outcomeOf(
  db: Db,
  endpointId: string,
  { day, eventId }: { day: string; eventId: string },
): Promise<DeliveryOutcome | undefined> {
  const { rows } = await sql<DeliveryOutcome>`
    select id, status, last_status as "lastStatus", last_failure as "lastFailure", last_failure_detail as "lastFailureDetail"
    from webhook_deliveries
    where endpoint_id = ${endpointId} and event_id = ${eventId} and event_day = ${day}::date`.execute(db)
  return rows[0]
}

/** A delivery's latest `max` attempts, earliest first. */
export async function findAttempts(
  db: Db,
  { day, id, max }: { day: string; id: string; max: number },
): Promise<WireAttempt[]> {
  const { rows } = await sql<Omit<WireAttempt, 'started_at'> & { started_at: Date }>`
    select number, manual, started_at, duration_ms, status, failure, failure_detail, resent, request_headers, response_headers, response_body
    from webhook_attempts where event_day = ${day}::date and delivery_id = ${id} order by number desc limit ${max}`.execute(
    db,
  )
  return rows.toReversed().map((row) => ({ ...row, started_at: row.started_at.toISOString() }))
}
