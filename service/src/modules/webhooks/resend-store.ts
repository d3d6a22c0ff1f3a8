import { type Db, sql, type Tx } from '#platform/postgres/index.ts'
import { isTest, young } from './delivery-store.ts'
import { gatherMs, maxAttempts } from './rules.ts'

/** Condition: deliveries that are still stored, because their event is younger than this. */
export interface Age {
  readonly days: number
}

const gathering = sql`make_interval(secs => ${sql.lit(gatherMs / 1_000)})`

const columns = sql`endpoint_id, position, event_day, delivery_id, event_id, event_type, test, attempts, retry_at, manual, resume_at`

/** A delivery `d` as a row of the queue, due at a time, for a manual send. If it fails, its series continues where it stopped. */
function asDue(isEnabled: boolean, at = sql`app_now()`) {
  return sql`d.endpoint_id, d.position, d.event_day, d.id, d.event_id, d.event_type, ${isTest}, d.attempts, ${at}, true,
    case when ${isEnabled} and d.status = 'skipped' and d.attempts < ${maxAttempts} then app_now() end`
}

/** Maximum number of due entries of an endpoint that are searched for other resends. */
const maxLookedThrough = 1_000

/**
 * Puts one delivery of a locked endpoint into its queue, to be sent within `gatherMs`. False if there is no such delivery.
 *
 * It becomes due together with other resends that still wait. Those that become due together are sent oldest event first.
 * A delivery that was never attempted is about to be sent anyway and stays unchanged, unless the endpoint is off: then it would be skipped.
 */
export async function queueAgain(
  tx: Tx,
  endpoint: { id: string; isEnabled: boolean },
  delivery: { day: string; id: string } & Age,
): Promise<boolean> {
  const { rows } = await sql<{ at: Date }>`
    with wanted as materialized (
      select * from webhook_deliveries d
      where d.event_day = ${delivery.day}::date and d.id = ${delivery.id} and d.endpoint_id = ${endpoint.id} and ${young(delivery)}
    ), soon as (
      select retry_at, manual, delivery_id from webhook_queue
      where endpoint_id = ${endpoint.id} and retry_at <= app_now() + ${gathering} order by retry_at, position limit ${maxLookedThrough}
    ), due as materialized (
      select coalesce(
        (select min(retry_at) from soon where manual and delivery_id <> ${delivery.id}),
        -- Requested twice before it is sent; while the lane is leased, it may be on its way.
        (select retry_at from soon where manual and delivery_id = ${delivery.id} and lane.lease is null),
        app_now() + ${gathering}) as at
      from webhook_lanes lane where lane.endpoint_id = ${endpoint.id}
    ), queued as (
      insert into webhook_queue as q (${columns}) select ${asDue(endpoint.isEnabled, sql`due.at`)} from wanted d, due
      on conflict (endpoint_id, position) do update
        -- If a resend of it waits already, its series goes on as that one would have it. That resend may be on its way: a different due time says
        -- that another one was requested.
        set retry_at = excluded.retry_at + case when q.manual and q.retry_at = excluded.retry_at
            and (select lease is not null from webhook_lanes where endpoint_id = q.endpoint_id)
            then interval '1 microsecond' else interval '0' end, manual = true,
          resume_at = case when q.manual then q.resume_at when ${endpoint.isEnabled} then q.retry_at end
        where q.retry_at is not null or not ${endpoint.isEnabled}
    ), moved as (
      update webhook_deliveries d set status = 'pending', finished_at = null from wanted
      where d.event_day = ${delivery.day}::date and d.id = wanted.id and d.status <> 'pending'
    )
    select due.at from wanted, due`.execute(tx)
  const [found] = rows
  if (found) await makeDue(tx, endpoint.id, found.at)
  return found !== undefined
}

/** Deliveries of one day's events. */
export interface DaysDeliveries {
  readonly day: string
  readonly ids: readonly string[]
}

/** Deliveries that failed or were skipped since a time, oldest first, without tests: at most `max`. No index is used, and nothing is locked. */
export async function findFailed(
  db: Db,
  endpointId: string,
  { since, max, ...age }: { since: Date; max: number } & Age,
): Promise<DaysDeliveries[]> {
  const found: DaysDeliveries[] = []
  let left = max
  for (const day of await daysSince(db, since, age)) {
    const { rows } = await sql<{ id: string }>`
      select d.id from webhook_deliveries d
      where d.endpoint_id = ${endpointId} and d.event_day = ${day}::date and ${young({ ...age, since })}
        and d.status in ('failed', 'skipped') and not ${isTest}
      order by d.event_id limit ${left}`.execute(db)
    found.push({ day, ids: rows.map(({ id }) => id) })
    left -= rows.length
    if (left === 0) break
  }
  return found
}

/** Puts those of these deliveries of a locked endpoint into its queue that are still failed or skipped. Returns their number. */
export async function queueFailed(
  tx: Tx,
  endpoint: { id: string; isEnabled: boolean },
  { day, ids }: DaysDeliveries,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with wanted as materialized (
      select * from webhook_deliveries d
      where d.event_day = ${day}::date and d.id = any(${ids}::text[]) and d.endpoint_id = ${endpoint.id}
        and d.status in ('failed', 'skipped')
    ), queued as (
      insert into webhook_queue (${columns}) select ${asDue(endpoint.isEnabled)} from wanted d on conflict do nothing
    ), moved as (
      update webhook_deliveries d set status = 'pending', finished_at = null from wanted
      where d.event_day = ${day}::date and d.id = wanted.id
    )
    select count(*)::int as count from wanted`.execute(tx)
  const queued = rows[0]?.count ?? 0
  if (queued > 0) await makeDue(tx, endpoint.id)
  return queued
}

/** One statement per day, each on one partition, oldest first, so that the deliveries are sent in this order. */
async function daysSince(db: Db, since: Date, { days }: Age): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select day::date as day from generate_series(
      greatest((app_now() at time zone 'utc')::date - ${days}::int, (${since}::timestamptz at time zone 'utc')::date),
      (app_now() at time zone 'utc')::date, interval '1 day') as day`.execute(db)
  return rows.map(({ day }) => day)
}

/** A leased lane checks its queue itself when it finishes; a waiting lane keeps its place in the queue. */
async function makeDue(tx: Tx, endpointId: string, at: Date | null = null): Promise<void> {
  await sql`
    update webhook_lanes set
      due_at = case when lease is null then least(due_at, coalesce(${at}::timestamptz, app_now())) else due_at end
    where endpoint_id = ${endpointId}`.execute(tx)
}
