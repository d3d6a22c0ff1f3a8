import { dayOf } from '#platform/ids.ts'
import { type Db, type Statement, sql, type Tx } from '#platform/postgres/index.ts'
import type { NewEvent } from './new-event.ts'

/**
 * Bytes of events that one statement releases or places, so that it ends within 30 s; or one event of any size. An import's event may
 * have 16 MiB, and a zone may have hundreds of them waiting.
 */
const maxBytesTogether = 64 * 1024 * 1024

/** Writes held events as rows of the outbox. Returns rows, so that it can run together with other statements. */
export function insertHeld(events: readonly NewEvent[], isLone?: boolean): Statement {
  // The lock on zone.created makes this wait for its release, so that the 30 s begin either here or there.
  return sql`
    insert into event_outbox (type, recipients, zone_id, serial, data, bytes, request_id, held, held_since, id, created_at)
    select new.type, ${everyRecipient}, new."zoneId", new.serial, new.data, ${bytesOfData}, new."requestId", new.held,
      case when exists (
        select from event_outbox where zone_id = new."zoneId" and held = 'everywhere' for share
      ) then 'infinity' else stamp.at end, ${idOfRow}, stamp.at
    from ${asRows(events, isLone)} cross join lateral ${stampOfRow}
    returning 1`
}

/** Writes events that wait only for earlier events of their zone; if there are none, they are released immediately. */
export function insertReleased(events: readonly NewEvent[], isLone?: boolean): Statement {
  // The first held event through the index, and not `exists`, which may become a hash of the whole outbox (measured: 213 pages for one event).
  // Events without a zone skip this: with a plan from when the outbox was short, each would scan all of it.
  return sql`
    insert into event_outbox (type, recipients, endpoint_id, zone_id, serial, data, bytes, request_id, held, id, created_at, released_at)
    select new.type, ${everyRecipient}, new."endpointId", new."zoneId", new.serial, new.data, ${bytesOfData}, new."requestId",
      case when waits then 'turn' end, ${idOfRow}, stamp.at, case when not waits then stamp.at end
    from ${asRows(events, isLone)}
    cross join lateral (
      select case when new."zoneId" is null then false else
        (select seq from event_outbox where zone_id = new."zoneId" and held is not null order by zone_id, seq limit 1) is not null
      end as waits
    ) line
    cross join lateral ${stampOfRow}
    returning id`
}

/** The time of an event. It depends on the row, because otherwise PostgreSQL may compute one time for all rows. */
const stampOfRow = sql`(select app_now() as at, new.type) stamp`

/** Fixed with the change, so that an event that is released again after a failover or a restore has the same id (docs/decisions/0027). */
const idOfRow = sql`case when new."zoneId" is null then new_id('evt', stamp.at) else event_id(stamp.at, new.type, new.data) end`

/** The managers of a locked zone. A statement after the one that waited for the lock does not see managers who were removed in the meantime. */
const everyRecipient = sql`
  case when new."alsoManagers" then new.recipients || array(select account_id from zone_managers where zone_id = new."zoneId")
    else new.recipients end`

/** Computed during the insert, when PostgreSQL has all the data. */
const bytesOfData = sql`octet_length(new.data::text)`

/** Keeps their order: the outbox numbers its rows as they are inserted. `data` is stored unchanged. */
const asRows = sql.recordset(
  'new',
  `type text, recipients uuid[], "alsoManagers" boolean, "endpointId" text, "zoneId" uuid, serial bigint,
   data json, "requestId" text, held text`,
)

/** Which events of one zone may be released now. */
export interface Release {
  readonly zoneId: string
  readonly serial: number
  readonly everywhere: boolean
  readonly replicated: boolean
  /** Events held for their serial are released after 30 s. */
  readonly overdue: boolean
}

/**
 * Locks the held events of these zones, and waits for other holders.
 *
 * Run it in a statement before the one that releases them: an event's time is its statement's, and must be after the times of events that
 * another releaser was processing. Rows are locked in one order, and none is skipped, because a later serial would overtake it.
 */
export async function lockHeld(tx: Tx, zoneIds: readonly string[]): Promise<void> {
  await sql`
    select 1 from event_outbox where zone_id = any(${zoneIds}::uuid[]) and held is not null
    order by zone_id, seq for update`.execute(tx)
}

/** An event that was released. */
export interface ReleasedEvent {
  readonly zoneId: string
  /** What it waited for. */
  readonly held: string
  readonly requestId: string | null
  /** Whether more events could have been released, but not in this statement. */
  readonly isMore: boolean
}

/**
 * Releases each zone's held events in order, up to the first that must still wait, or as many of these as may be released together.
 * They must be locked with `lockHeld`.
 */
export async function releasePrefixes(tx: Tx, releases: readonly Release[]): Promise<ReleasedEvent[]> {
  const { rows } = await sql<ReleasedEvent>`
    with may as (
      select * from unnest(
        ${releases.map((one) => one.zoneId)}::uuid[], ${releases.map((one) => one.serial)}::bigint[],
        ${releases.map((one) => one.everywhere)}::boolean[], ${releases.map((one) => one.replicated)}::boolean[],
        ${releases.map((one) => one.overdue)}::boolean[]
      ) as may (zone_id, serial, everywhere, replicated, overdue)
    ), waiting as materialized (
      select o.seq, o.zone_id, o.held, o.bytes, may.replicated,
        case o.held
          when 'serial' then o.serial <= may.serial or (may.overdue and o.held_since <= app_now() - interval '30 s')
          when 'everywhere' then may.everywhere
          else true
        end as passes
      from event_outbox o join may on o.zone_id = may.zone_id
      where o.held is not null
      order by o.zone_id, o.seq
      for update of o
    ), passing as materialized (
      select *, row_number() over in_order = 1 or sum(bytes) over in_order <= ${maxBytesTogether} as fits
      from (select *, bool_and(passes) over (partition by zone_id order by seq) as goes from waiting) ordered
      where goes window in_order as (order by zone_id, seq)
    ), ready as materialized (
      select seq, zone_id, held, replicated, app_now() as at from passing where fits
    )
    update event_outbox o
    set held = null, ${released(sql`ready.at`)}, replicated = ready.replicated
    from ready where o.seq = ready.seq
    returning ready.zone_id as "zoneId", ready.held as held, o.request_id as "requestId",
      exists (select from passing where not fits) as "isMore"`.execute(tx)
  return rows
}

/** An event that has waited for longer than this is released with a new id and time, which its place in the history depends on. */
const longestWait = sql`interval '1 day'`

/** What a release writes to an event `o`. Events written by code before migration 0031 have no id before their release. */
function released(at: Statement): Statement {
  const isKept = sql`o.created_at > ${at} - ${longestWait}`
  return sql`released_at = ${at}, id = case when ${isKept} then o.id else new_id('evt', ${at}) end,
      created_at = case when ${isKept} then o.created_at else ${at} end`
}

/** Their `zone.created` is released: the 30 s of the events behind it begin. */
export async function startWaiting(tx: Tx, zoneIds: readonly string[]): Promise<void> {
  await sql`
    update event_outbox set held_since = app_now()
    where zone_id = any(${zoneIds}::uuid[]) and held = 'serial' and held_since = 'infinity'`.execute(tx)
}

/** Releases all held events of a zone. They must be locked with `lockHeld`. */
export async function releaseOfDeletedZone(tx: Tx, zoneId: string): Promise<number> {
  const { rows } = await sql`
    with waiting as materialized (
      select seq, held, app_now() as at
      from (
        select seq, held from event_outbox where zone_id = ${zoneId}::uuid and held is not null order by seq for update
      ) locked
    ), dropped as (
      delete from event_outbox o using waiting where o.seq = waiting.seq and waiting.held = 'everywhere'
    )
    update event_outbox o
    set held = null, ${released(sql`waiting.at`)}
    from waiting where o.seq = waiting.seq and waiting.held <> 'everywhere'
    returning 1`.execute(tx)
  return rows.length
}

/** Zones with an event that has waited its 30 s, or whose turn has come unnoticed. */
export async function findDue(db: Db, max: number): Promise<string[]> {
  const { rows } = await sql<{ zone_id: string }>`
    (select distinct zone_id from (
      select zone_id from event_outbox
      where held = 'serial' and held_since <= app_now() - interval '30 s' order by held_since limit ${max}
    ) overdue)
    union
    (select zone_id from event_outbox o where held = 'turn' and not exists (
      select from event_outbox earlier where earlier.zone_id = o.zone_id and earlier.held is not null and earlier.seq < o.seq
    ) limit ${max})`.execute(db)
  return rows.map((row) => row.zone_id)
}

export async function findHeldZones(db: Db, after: string, max: number): Promise<string[]> {
  const { rows } = await sql<{ zone_id: string }>`
    select distinct zone_id from event_outbox
    where held is not null and zone_id > ${after}::uuid and held_since <= app_now() - interval '1 s'
    order by zone_id limit ${max}`.execute(db)
  return rows.map((row) => row.zone_id)
}

/** When an event was released. Code before migration 0031 writes this time only as its `created_at`. */
export const releasedAt = sql`coalesce(released_at, created_at)`

/** Whether any event waits for its position. */
export const isAnyReleased = sql`(select min(${releasedAt}) from event_outbox where held is null) is not null`

/** Whether an event has waited for its position longer than the current fan-out process should let it. */
export const isAnyNeglected = sql`
  (select min(${releasedAt}) from event_outbox where held is null) <= app_now() - interval '300 ms'`

/** Whether `findDue` may find any event. */
export const isAnyOverdue = sql`
  (select min(held_since) from event_outbox where held = 'serial') <= app_now() - interval '30 s'
  or exists (select from (select from event_outbox where held = 'turn' order by zone_id, seq limit 1) turn)`

/** Whether any event is held. */
export const isAnyHeld = sql`
  exists (select from (select from event_outbox where held is not null order by zone_id, seq limit 1) held)`

/** A placed event, with the data that fan-out needs. */
export interface PlacedEvent {
  readonly day: string
  readonly id: string
  readonly type: string
  /** The recipient accounts; the first one owns the event. */
  readonly recipients: readonly string[]
  /** The only endpoint, for a test; null: all endpoints of the recipients that subscribe. */
  readonly endpointId: string | null
  /** The zone that it is about; null: none. */
  readonly zoneId: string | null
  readonly position: number
}

/** Events that were placed together. */
export interface Placed {
  readonly events: readonly PlacedEvent[]
  /** Whether more released events may wait. */
  readonly isMore: boolean
}

/**
 * Moves up to `max` released events, oldest first, from the outbox to their position in the history, or as many of these as may be moved
 * together, each with the exact bytes of its body. Only one caller at a time.
 */
export async function moveReleased(tx: Tx, max: number): Promise<Placed> {
  const { rows } = await sql<PlacedEvent & { isCut: boolean }>`
    with oldest as materialized (
      select seq, row_number() over in_order = 1 or sum(bytes) over in_order <= ${maxBytesTogether} as fits
      from (
        select seq, ${releasedAt} as at, bytes from event_outbox
        where held is null order by ${releasedAt}, seq limit ${max}
      ) released window in_order as (order by at, seq)
    ), taken as (
      delete from event_outbox where seq = any(array(select seq from oldest where fits)) returning *
    ), placed as (
      insert into events (event_day, id, type, recipients, endpoint_id, zone_id, serial, created_at, body, request_id, position)
      select (created_at at time zone 'utc')::date, id, type, recipients, endpoint_id, zone_id, serial, created_at,
        event_body(id, type, created_at, ${dataAsReleased}), request_id, nextval('event_positions')
      from (select * from taken order by ${releasedAt}, seq) in_order
      returning event_day, id, type, recipients, endpoint_id, zone_id, position
    )
    select event_day as day, id, type, recipients, endpoint_id as "endpointId", zone_id as "zoneId", position,
      exists (select from oldest where not fits) as "isCut"
    from placed order by position`.execute(tx)
  return { events: rows, isMore: rows.length === max || rows[0]?.isCut === true }
}

/** No string inside `data` can contain '"replicated":false', because JSON escapes its quotes. */
const dataAsReleased = sql`
  case when replicated then replace(data::text, '"replicated":false', '"replicated":true') else data::text end`

/** The exact contents that are sent for an event, and the request that caused it. */
export interface EventContent {
  readonly bytes: number
  /** Null: it is large, and read separately (`eventBody`). */
  readonly body: Buffer | null
  readonly requestId: string | null
}

/** The contents of events of one day, by id; without bodies that have more than this number of bytes. */
export async function findContents(
  db: Db,
  day: string,
  ids: readonly string[],
  maxBytes: number,
): Promise<Map<string, EventContent>> {
  const { rows } = await sql<EventContent & { id: string }>`
    select id, octet_length(body) as bytes, case when octet_length(body) <= ${maxBytes} then body end as body, request_id as "requestId"
    from events where event_day = ${day}::date and id = any(${ids}::text[])`.execute(db)
  return new Map(rows.map(({ id, ...content }) => [id, content]))
}

/** The exact bytes of one placed event of any size; undefined if it no longer exists. */
export async function eventBody(db: Db, { day, id }: { day: string; id: string }): Promise<Buffer | undefined> {
  const { rows } = await sql<{ body: Buffer }>`
    select body from events where event_day = ${day}::date and id = ${id}`.execute(db)
  return rows[0]?.body
}

/** Tests have no recipients, but pings from before this rule have one. */
const isReal = sql`endpoint_id is null`

/** The exact bytes of one of an account's events, except tests; undefined if there is none, or it is older than `days` days. */
export async function bodyForAccount(
  db: Db,
  accountId: string,
  { day, id, days }: { day: string; id: string; days: number },
): Promise<Buffer | undefined> {
  const { rows } = await sql<{ body: Buffer }>`
    select body from events
    where event_day = ${day}::date and id = ${id} and recipients @> array[${accountId}::uuid] and ${isReal}
      and id >= id_floor('evt', app_now() - make_interval(days => ${days}))`.execute(db)
  return rows[0]?.body
}

/** The first bytes of the bodies of events, by id. */
export async function findHeads(
  db: Db,
  events: readonly { day: string; id: string }[],
  bytes: number,
): Promise<Map<string, Buffer>> {
  const { rows } = await sql<{ id: string; head: Buffer }>`
    select e.id, substring(e.body from 1 for ${bytes}) as head
    from unnest(${events.map(({ day }) => day)}::date[], ${events.map(({ id }) => id)}::text[]) as wanted (day, id)
    join events e on e.event_day = wanted.day and e.id = wanted.id`.execute(db)
  return new Map(rows.map(({ id, head }) => [id, head]))
}

/** Condition: events before a given one, not older than a time or than `days` days. */
export interface EventRange {
  readonly before: string | null
  readonly since: Date | null
  readonly days: number
}

/** Which of an account's events to select: before a given one, and of a type. */
export interface EventFilter extends EventRange {
  readonly from: string | null
  readonly type: string | null
  /** At most this number of events and of bytes of bodies; but at least one event of any size. */
  readonly limit: number
  readonly maxBytes: number
}

export interface EventRow {
  readonly id: string
  /** Null: the event exists but does not fit. */
  readonly body: Buffer | null
}

/**
 * An account's events, latest first: its own, and those of zones that it manages. Returns one more than fits, to show that there are more.
 *
 * PostgreSQL knows the length of a body without reading it, so events that do not fit cost nothing.
 */
export async function findEventsOf(db: Db, accountId: string, filter: EventFilter): Promise<EventRow[]> {
  const max = filter.limit + 1
  const { own, shared } = latestOf(accountId, filter, max)
  const { rows } = await sql<EventRow>`
    select id, case when place = 1 or (place < ${max} and bytes <= ${filter.maxBytes}) then body end as body
    from (
      select id, body, row_number() over latest_first as place, sum(octet_length(body)) over latest_first as bytes
      from ((${own}) union all (${shared})) both_kinds window latest_first as (order by id desc)
    ) counted
    where place <= 2 or bytes - octet_length(body) <= ${filter.maxBytes}
    order by id desc limit ${max}`.execute(db)
  return rows
}

/**
 * The event at which a search through an account's latest events ends if it reads at most `max` of its own and `max` of those of zones that it
 * manages; null if there are fewer of both.
 */
export async function findFirstOfLatest(
  db: Db,
  accountId: string,
  range: EventRange,
  max: number,
): Promise<string | null> {
  const { own, shared } = latestOf(accountId, { ...range, from: null, type: null }, max)
  const { rows } = await sql<{ id: string | null }>`
    select max(id) as id from (
      select min(id) as id from (${own}) own having count(*) = ${max}
      union all
      select min(id) from (${shared}) shared having count(*) = ${max}
    ) firsts`.execute(db)
  return rows[0]?.id ?? null
}

/** Selects the latest `max` of an account's own events, and of those of zones that it manages. */
function latestOf(
  accountId: string,
  { before, since, days, from, type }: Omit<EventFilter, 'limit' | 'maxBytes'>,
  max: number,
): { own: Statement; shared: Statement } {
  const oldest = sql`greatest(app_now() - make_interval(days => ${days}), ${since}::timestamptz)`
  const firstDay = sql`(${oldest} at time zone 'utc')::date`
  // Ids contain their day. No day is later than the existing partitions.
  const dayBefore = before === null ? undefined : dayOf('evt', before)
  const lastDay = sql`least(${dayBefore ?? null}::date, (app_now() at time zone 'utc')::date + 7)`
  // Always with bounds: "is null or" would scan an index from its end.
  const wanted = sql`
    id >= greatest(id_floor('evt', ${oldest}), ${from}::text) and id < coalesce(${before}::text, 'evt_g')
    and (${type}::text is null or type = ${type}) and ${isReal}`
  return {
    own: sql`
      select id, body from events
      where event_day >= ${firstDay} and recipients[1] = ${accountId}::uuid and ${wanted} order by id desc limit ${max}`,
    // Day by day, latest first, so that only as many days are read as the page needs, not the account's whole history.
    shared: sql`
      select of_day.id, of_day.body
      from (
        select ${lastDay} - ago as day from generate_series(0, ${lastDay} - ${firstDay}) as ago order by ago
      ) days
      cross join lateral (
        select id, body from events
        where event_day = days.day and cardinality(recipients) > 1 and recipients @> array[${accountId}::uuid]
          and recipients[1] <> ${accountId}::uuid and ${wanted} order by id desc limit ${max}
      ) of_day limit ${max}`,
  }
}

/** Drops the partitions of whole days that ended `days` days ago or earlier. Returns their names. */
export async function dropPartitions(db: Db, days: number): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select drop_partitions('events', (app_now() at time zone 'utc')::date - ${days}::int) as name`.execute(db)
  return rows.map((row) => row.name)
}
