import { retentionDays } from '#modules/events/index.ts'
import { byIndexAlone, type Statement, sql, type Tx, withoutWaitingForDisk } from '#platform/postgres/index.ts'
import type { Done, DueDelivery, LaneWork, Made } from './attempt.ts'
import type { FailingTime, Judgement } from './failing-time.ts'
import { aheadLimits, isStruggling, leaseMs, retryDelayS, sharedLimits } from './rules.ts'
import { noFailingTime } from './state-store.ts'
import { liveSecrets } from './store.ts'

/**
 * Settings for a transaction that advances a queue of deliveries. Only for work that is repeated after a crash: PostgreSQL loses only the end
 * of its log, so the latest work is undone as a whole, and some deliveries arrive twice, which is allowed.
 */
export const relaxed = sql`${withoutWaitingForDisk}, ${byIndexAlone}`

const lease = sql`make_interval(secs => ${sql.lit(leaseMs / 1_000)})`
const firstRetry = sql`make_interval(secs => ${sql.lit(retryDelayS(1))})`

/**
 * Whether a lane has been due for longer than the worker that made it due needs. Before that, a sweep would only take deliveries that this
 * worker sends together at a lower cost.
 */
export const isAnyLaneNeglected = sql`
  least((select min(due_at) from webhook_lanes where struggling), (select min(due_at) from webhook_lanes where not struggling))
    <= app_now() - interval '300 ms'`

/** Claims the lanes that have been due longest, each with its oldest due deliveries. */
export async function claimLanes(tx: Tx, max: { healthy: number; struggling: number }): Promise<LaneWork[]> {
  const leasedAtMs = performance.now()
  const { rows } = await sql<LaneRow>`
    with healthy as (
      select endpoint_id from webhook_lanes where not struggling and due_at <= app_now()
      order by due_at limit ${max.healthy} for update skip locked
    ), struggling as (
      select endpoint_id from webhook_lanes where struggling and due_at <= app_now()
      order by due_at limit ${max.struggling} for update skip locked
    ), claimed as (
      update webhook_lanes l set lease = gen_random_uuid(), due_at = app_now() + ${lease}
      where endpoint_id in (select endpoint_id from healthy union all select endpoint_id from struggling)
      returning l.endpoint_id, l.lease, l.struggling, l.placed_after
    )
    select lane.endpoint_id as "endpointId", lane.lease, lane.struggling, e.url, ${liveSecrets} as secrets, e.headers, app_now() as now, next.deliveries
    from claimed lane join webhook_endpoints e on e.id = lane.endpoint_id
    left join lateral (${firstGroup}) next on true`.execute(tx)
  return rows.map((row) => workOf(row, leasedAtMs))
}

/** Lanes that are locked, by their endpoints. */
export interface LockedLanes {
  /** Lanes that are still held under the lease with which they were claimed. */
  readonly held: ReadonlySet<string>
  /** The failing times of the lanes that have one. */
  readonly failing: ReadonlyMap<string, FailingTime>
  /** Failing lanes whose worker has lost the lease but had a success. */
  readonly ended: readonly string[]
  /** The database's time. */
  readonly now: Date
}

/** Locks the lanes that are about to be written, in endpoint order. */
export async function lockLanes(tx: Tx, dones: readonly Done[]): Promise<LockedLanes> {
  const { rows } = await sql<
    { id: string; held: boolean; now: Date } & { [K in keyof FailingTime]: FailingTime[K] | null }
  >`
    select l.endpoint_id as id, coalesce(l.lease = done.lease, false) as held, app_now() as now,
      l.failing_since as since, l.failing_event as "eventId", l.failing_other_since as "otherSince"
    from unnest(${dones.map(({ work }) => work.endpointId)}::text[], ${dones.map(({ work }) => work.lease)}::uuid[],
      ${dones.map(({ made }) => made.some(({ attempt }) => attempt.failure === null))}::boolean[]) as done (endpoint_id, lease, success)
    join webhook_lanes l on l.endpoint_id = done.endpoint_id
    where l.lease = done.lease or (done.success and l.failing_since is not null)
    order by l.endpoint_id for update of l`.execute(tx)
  const { held = [], ended = [] } = Object.groupBy(rows, ({ held }) => (held ? 'held' : 'ended'))
  const failing = held.flatMap(({ id, since, eventId, otherSince }): [string, FailingTime][] =>
    since && eventId ? [[id, { since, eventId, otherSince }]] : [],
  )
  return {
    held: new Set(held.map(({ id }) => id)),
    failing: new Map(failing),
    ended: ended.map(({ id }) => id),
    now: rows[0]?.now ?? new Date(),
  }
}

/** An attempt at an endpoint. */
export interface EndpointMade extends Made {
  readonly endpointId: string
}

/** Which of these attempts, whose commit was in doubt, were not recorded. */
export async function withoutRecord(tx: Tx, made: readonly EndpointMade[]): Promise<EndpointMade[]> {
  const { rows } = await sql<{ index: number }>`
    select made.index::int - 1 as index
    from unnest(${made.map(({ delivery }) => delivery.eventDay)}::date[], ${made.map(({ delivery }) => delivery.id)}::text[],
      ${made.map(({ attempt }) => attempt.startedAt)}::timestamptz[]) with ordinality as made (day, delivery_id, started_at, index)
    where not exists (select from webhook_attempts a
      where a.event_day = made.day and a.delivery_id = made.delivery_id and a.started_at = made.started_at)
    order by index`.execute(tx)
  return rows.flatMap(({ index }) => made[index] ?? [])
}

/** Ends the failing times of locked lanes that had a success. */
export async function endFailing(tx: Tx, endpointIds: readonly string[]): Promise<void> {
  if (endpointIds.length > 0)
    await sql`update webhook_lanes set ${noFailingTime} where endpoint_id = any(${endpointIds}::text[])`.execute(tx)
}

/**
 * Stores the attempts for deliveries of one day's events, and updates the deliveries.
 *
 * A worker that has lost the lease (its lane is not in `held`) still records its attempt and its success. Its failure changes
 * nothing, because the current worker sets the delivery's schedule.
 *
 * Nothing here joins the attempts to each other's rows: without hash joins (`byIndexAlone`), PostgreSQL would compare every pair. So deliveries
 * are updated by outcome, of which there are few (measured with 256 attempts: 43 µs of processor time each, and 276 with such joins).
 */
export async function recordAttempts(
  tx: Tx,
  day: string,
  made: readonly EndpointMade[],
  held: ReadonlySet<string>,
): Promise<void> {
  await sql`
    with made as materialized (
      -- In the order in which deliveries are locked: a worker that has lost a lease records some of those of the current one.
      select * from ${attemptRows(made.map((one) => attemptRow(one, held)))} order by delivery_id
    ), next as materialized (
      select made.*, d.requests + 1 as number, q.delivery_id is not null as queued,
        case when made.failure is null then null
          when asked.again then q.retry_at
          -- The series goes on after an attempt by hand, but no sooner than after any failure.
          when made.manual then case when q.resume_at is not null then greatest(q.resume_at, app_now() + ${firstRetry}) end
          else later.retry_at end as retry_at,
        asked.again as manual_next, case when asked.again then case when made.manual then q.resume_at else later.retry_at end end as resume_at
      from made
      -- Missing if the day's history has been dropped. Locked, because the number of the attempt must not change before the update below.
      left join lateral (
        select requests from webhook_deliveries where event_day = ${day}::date and id = made.delivery_id for update
      ) d on true
      -- After a crash of PostgreSQL, which may take an unflushed commit back, the position may be another delivery's.
      left join webhook_queue q on q.endpoint_id = made.endpoint_id and q.position = made.position and q.delivery_id = made.delivery_id
        and (made.held or made.failure is null)
      cross join lateral (select app_now() + made.retry_s * interval '1 s' as retry_at) later
      -- For an attempt by hand, while this one was on its way.
      cross join lateral (select q.manual and q.retry_at is distinct from made.due_at as again) asked
    ), finished as (
      delete from webhook_queue q using next
      where q.endpoint_id = next.endpoint_id and q.position = next.position and next.queued and next.retry_at is null
    ), postponed as (
      update webhook_queue q set retry_at = next.retry_at, attempts = q.attempts + case when next.manual then 0 else 1 end,
        manual = next.manual_next, resume_at = next.resume_at
      from next where q.endpoint_id = next.endpoint_id and q.position = next.position and next.queued and next.retry_at is not null
    ), outcome as materialized (
      select status, failure, failure_detail, queued and not manual as counts, failure is null or (queued and retry_at is null) as ends,
        array_agg(delivery_id) as ids
      from next group by 1, 2, 3, 4, 5
    ), moved as (
      update webhook_deliveries d set
        requests = d.requests + 1,
        attempts = d.attempts + case when outcome.counts then 1 else 0 end,
        last_status = outcome.status, last_failure = outcome.failure, last_failure_detail = outcome.failure_detail,
        status = case when outcome.failure is null then 'succeeded' when outcome.ends then 'failed' else d.status end,
        finished_at = case when outcome.ends then app_now() else d.finished_at end
      from outcome
      -- All ids once more: a plan kept from a time when the day was young must not read the whole day.
      where d.event_day = ${day}::date and d.id = any(${made.map(({ delivery }) => delivery.id)}::text[])
        and d.id = any(outcome.ids)
    )
    insert into webhook_attempts (event_day, delivery_id, number, manual, started_at, duration_ms, status, failure,
      failure_detail, resent, request_headers, response_headers, response_body)
    select ${day}::date, delivery_id, number, manual, started_at, duration_ms, status, failure,
      failure_detail, resent, request_headers, response_headers, response_body
    from next where number is not null`.execute(tx)
}

const attemptRows = sql.recordset(
  'made',
  `endpoint_id text, position bigint, delivery_id text, held boolean, manual boolean, due_at timestamptz,
   retry_s integer, started_at timestamptz, duration_ms integer, status integer, failure text, failure_detail text, resent boolean,
   request_headers json, response_headers json, response_body text`,
)

/** A lane after its deliveries: kept with the next ones, or given back until its next delivery is due. */
export interface Scheduled extends LaneWork {
  readonly kept: boolean
  readonly isEnabled: boolean
}

/**
 * Gives every lane that is still held its next due time, or its next deliveries to the worker that keeps it.
 *
 * Run it in a later statement than the one that locked the lanes: it sees everything that fan-out had inserted by then, so no wake-up is lost.
 *
 * @param judgements how the attempts change the failing times; lanes without an attempt have none
 */
export async function scheduleLanes(
  tx: Tx,
  dones: readonly Done[],
  judgements: ReadonlyMap<string, Judgement>,
): Promise<Scheduled[]> {
  const leasedAtMs = performance.now()
  const nextDue = dones.some(({ keep }) => keep) ? nextGroup : firstDue
  const { rows } = await sql<LaneRow & { kept: boolean; isEnabled: boolean }>`
    with done as materialized (
      select * from ${laneRows(dones.map((done) => laneRow(done, judgements.get(done.work.endpointId))))}
    ), lane as materialized (
      select l.endpoint_id, done.keep, greatest(l.placed_after, done.position) as placed_after,
        coalesce(done.struggling, l.struggling) as struggling,
        done.is_judged, done.failing_since, done.failing_event, done.failing_other_since,
        e.state = 'enabled' as is_enabled, e.url, ${liveSecrets} as secrets, e.headers
      from done
      join webhook_lanes l on l.endpoint_id = done.endpoint_id and l.lease = done.lease
      join webhook_endpoints e on e.id = l.endpoint_id
    ), next as materialized (
      select lane.*, next.deliveries, lane.keep and next.deliveries is not null as kept,
        (select min(retry_at) from webhook_queue q
          where q.endpoint_id = lane.endpoint_id and q.retry_at is not null and ${isKept}) as later
      from lane left join lateral (${nextDue}) next on true
    )
    update webhook_lanes l set placed_after = next.placed_after, struggling = next.struggling,
      failing_since = case when next.is_judged then next.failing_since else l.failing_since end,
      failing_event = case when next.is_judged then next.failing_event else l.failing_event end,
      failing_other_since = case when next.is_judged then next.failing_other_since else l.failing_other_since end,
      warned_at = case when next.is_judged and next.failing_since is null then null else l.warned_at end,
      lease = case when next.kept then gen_random_uuid() end,
      due_at = case when next.kept then app_now() + ${lease} when next.deliveries is not null then app_now() else next.later end
    from next where l.endpoint_id = next.endpoint_id
    returning l.endpoint_id as "endpointId", l.lease, l.struggling, next.url,
      case when next.kept then next.secrets else '{}' end as secrets, case when next.kept then next.headers end as headers, app_now() as now, next.deliveries,
      next.kept, next.is_enabled as "isEnabled"`.execute(tx)
  return rows.map((row) => ({ ...workOf(row, leasedAtMs), kept: row.kept, isEnabled: row.isEnabled }))
}

const laneRows = sql.recordset(
  'done',
  `endpoint_id text, lease uuid, position bigint, keep boolean, struggling boolean,
   is_judged boolean, failing_since timestamptz, failing_event text, failing_other_since timestamptz`,
)

/** Gives back a lane that is still held under this lease. The next claim sees what is due. */
export async function giveBack(tx: Tx, { endpointId, lease }: Pick<LaneWork, 'endpointId' | 'lease'>): Promise<void> {
  await sql`
    update webhook_lanes set lease = null, due_at = app_now() where endpoint_id = ${endpointId} and lease = ${lease}`.execute(
    tx,
  )
}

/** Condition: entries of a queue `q` that `dropDeliveries` will not drop. Nothing older is sent, however long no worker ran. */
const isKept: Statement = sql`q.event_day >= (app_now() at time zone 'utc')::date - ${sql.lit(retentionDays)}`

/**
 * The oldest due deliveries of a `lane` (endpoint_id, placed_after), as JSON: retries and manual sends come before deliveries that
 * were never attempted. Null if nothing is due.
 */
const oldestDue = (max: number): Statement => sql`
  select json_agg(json_build_object('id', due.delivery_id, 'eventDay', due.event_day, 'eventId', due.event_id,
    'eventType', due.event_type, 'position', due.position, 'attempts', due.attempts, 'manual', due.manual, 'isTest', due.test, 'dueAt', due.retry_at)) as deliveries
  from (
    (select 1 as turn, q.* from webhook_queue q
      where q.endpoint_id = lane.endpoint_id and q.retry_at <= app_now() and ${isKept} order by q.retry_at, q.position limit ${sql.lit(max)})
    union all
    (select 2, q.* from webhook_queue q
      where q.endpoint_id = lane.endpoint_id and q.position > lane.placed_after and q.retry_at is null and ${isKept}
      order by q.position limit ${sql.lit(max)})
    order by turn, retry_at, position limit ${sql.lit(max)}
  ) due`
const firstDue = oldestDue(1)
const firstGroup = oldestDue(sharedLimits.deliveries)
const nextGroup = oldestDue(aheadLimits.deliveries)

interface LaneRow extends Omit<LaneWork, 'deliveries' | 'leasedAtMs'> {
  readonly deliveries: readonly DueDelivery[] | null
}

function workOf(row: LaneRow, leasedAtMs: number): LaneWork {
  const { endpointId, lease, struggling, url, secrets, headers, now, deliveries } = row
  return { endpointId, lease, leasedAtMs, struggling, url, secrets, headers, now, deliveries: deliveries ?? [] }
}

function attemptRow({ endpointId, delivery, attempt }: EndpointMade, held: ReadonlySet<string>): object {
  return {
    endpoint_id: endpointId,
    position: delivery.position,
    delivery_id: delivery.id,
    held: held.has(endpointId),
    manual: delivery.manual,
    due_at: delivery.dueAt,
    retry_s: delivery.isTest ? null : retryDelayS(delivery.attempts + 1),
    started_at: attempt.startedAt,
    duration_ms: attempt.durationMs,
    status: attempt.status,
    failure: attempt.failure,
    failure_detail: attempt.failureDetail,
    resent: attempt.resent,
    request_headers: attempt.requestHeaders,
    response_headers: attempt.responseHeaders,
    response_body: attempt.responseBody,
  }
}

function laneRow({ work, made, keep }: Done, judgement: Judgement | undefined): object {
  const last = made.at(-1)
  return {
    endpoint_id: work.endpointId,
    lease: work.lease,
    keep,
    ...(last && {
      // Only for a first attempt, because a manual one may be of a delivery behind others that were never attempted.
      position: made.findLast(({ delivery }) => delivery.dueAt === null)?.delivery.position,
      struggling: isStruggling(last.attempt),
    }),
    is_judged: judgement !== undefined,
    failing_since: judgement?.failing?.since,
    failing_event: judgement?.failing?.eventId,
    failing_other_since: judgement?.failing?.otherSince,
  }
}
