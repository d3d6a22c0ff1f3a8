import type { WireAttemptCount } from '@zonewright/contract'
import { type Db, sql, type Tx } from '#platform/postgres/index.ts'

/** The attempts at an endpoint in an hour. */
export interface HourCount {
  readonly endpointId: string
  /** The start of the hour. */
  readonly hour: Date
  readonly succeeded: number
  readonly failed: number
  /** How long all attempts took in total, and how long the slowest one took. */
  readonly totalMs: number
  readonly slowestMs: number
}

const hourCounts = sql.recordset(
  'new',
  `"endpointId" text, hour timestamptz, succeeded integer, failed integer, "totalMs" bigint, "slowestMs" integer`,
)

/** Adds to the counts of hours. Counts are added in the order in which they are given. */
export async function addHours(tx: Tx, counts: readonly HourCount[]): Promise<void> {
  await sql`
    insert into webhook_hours as kept (endpoint_id, hour, succeeded, failed, total_ms, slowest_ms)
    select "endpointId", hour, succeeded, failed, "totalMs", "slowestMs" from ${hourCounts(counts)}
    on conflict (endpoint_id, hour) do update set succeeded = kept.succeeded + excluded.succeeded, failed = kept.failed + excluded.failed,
      total_ms = kept.total_ms + excluded.total_ms, slowest_ms = greatest(kept.slowest_ms, excluded.slowest_ms)`.execute(
    tx,
  )
}

/** The counts of an endpoint in its latest hours or days (UTC), earliest first. The last one has not ended yet. */
export async function readCounts(
  db: Db,
  endpointId: string,
  { step, points }: { step: 'hour' | 'day'; points: number },
): Promise<WireAttemptCount[]> {
  const { rows } = await sql<Omit<WireAttemptCount, 'at'> & { at: Date }>`
    select step.at at time zone 'utc' as at, coalesce(sum(succeeded), 0)::int as succeeded, coalesce(sum(failed), 0)::int as failed,
      round(sum(total_ms) / nullif(sum(succeeded + failed), 0))::int as average_ms, max(slowest_ms) as slowest_ms
    from (
      select date_trunc(${step}, app_now() at time zone 'utc') - ago * ('1 ' || ${step})::interval as at
      from generate_series(0, ${points}::int - 1) as ago
    ) step
    left join webhook_hours h on h.endpoint_id = ${endpointId}
      and h.hour >= step.at at time zone 'utc' and h.hour < (step.at + ('1 ' || ${step})::interval) at time zone 'utc'
    group by step.at order by step.at`.execute(db)
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }))
}

/** Removes up to `max` counts of hours that began more than `days` days ago. Returns their number. */
export async function dropHours(db: Db, days: number, max: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with dropped as (
      delete from webhook_hours where (endpoint_id, hour) in (
        select endpoint_id, hour from webhook_hours where hour < app_now() - make_interval(days => ${days}) order by hour limit ${max}
      ) returning 1
    ) select count(*)::int as count from dropped`.execute(db)
  return rows[0]?.count ?? 0
}
