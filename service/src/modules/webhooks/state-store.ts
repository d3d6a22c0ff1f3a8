import { type Db, sql, type Tx } from '#platform/postgres/index.ts'
import { disableAfterMs } from './failing-time.ts'

/** What ends the failing time of a lane. */
export const noFailingTime = sql`failing_since = null, failing_event = null, failing_other_since = null, warned_at = null`

/**
 * Records that the owner of a locked endpoint is warned. Returns when its failing time began; undefined if the owner was already warned in it,
 * if it is over, or if the endpoint is disabled.
 */
export async function noteWarning(tx: Tx, id: string): Promise<Date | undefined> {
  const { rows } = await sql<{ since: Date }>`
    update webhook_lanes l set warned_at = app_now() from webhook_endpoints e
    where l.endpoint_id = ${id} and e.id = l.endpoint_id and e.state = 'enabled' and l.failing_since is not null and l.warned_at is null
    returning l.failing_since as since`.execute(tx)
  return rows[0]?.since
}

/**
 * Disables a locked endpoint that was judged to have failed for too long, if it is still enabled and nothing has ended its failing time since.
 * Returns whether this call disabled it.
 */
export async function disableIfFailing(tx: Tx, id: string, reason: string): Promise<boolean> {
  const { rows } = await sql`
    update webhook_endpoints e set state = 'disabled', disabled_at = app_now(), disabled_reason = ${reason}
    from webhook_lanes l
    where e.id = ${id} and e.state = 'enabled' and l.endpoint_id = e.id
      and l.failing_since <= app_now() - make_interval(secs => ${sql.lit(disableAfterMs / 1_000)})
    returning 1`.execute(tx)
  return rows.length > 0
}

/** Disables a locked endpoint at its owner's request. */
export async function pause(tx: Tx, id: string): Promise<void> {
  await sql`
    update webhook_endpoints set state = 'disabled', disabled_at = app_now(), disabled_reason = 'paused' where id = ${id}`.execute(
    tx,
  )
}

/** Enables a locked endpoint: its failing time is cleared, and its lane checks for remaining deliveries. */
export async function enable(tx: Tx, id: string): Promise<void> {
  await sql`
    update webhook_endpoints set state = 'enabled', disabled_at = null, disabled_reason = null where id = ${id}`.execute(
    tx,
  )
  await sql`
    update webhook_lanes set ${noFailingTime}, due_at = case when lease is null then app_now() else due_at end
    where endpoint_id = ${id}`.execute(tx)
}

/** Condition: deliveries that a disabled endpoint does not get: all except resends and tests. */
const skippable = sql`not manual and not test`

/** The days of the events that wait for an endpoint and would be skipped, oldest first. Reads everything that waits. */
export async function skippableDays(db: Db, id: string): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select distinct event_day as day from webhook_queue where endpoint_id = ${id} and ${skippable} order by event_day`.execute(
    db,
  )
  return rows.map(({ day }) => day)
}

/**
 * Records pending deliveries of these days for a locked endpoint as skipped, at most `max`, oldest first. Returns their number.
 *
 * A worker that is sending one of them still records its attempt, and its success.
 */
export async function skipPending(
  tx: Tx,
  id: string,
  { days, max }: { days: readonly string[]; max: number },
): Promise<number> {
  let skipped = 0
  for (const day of days) {
    const { rows } = await sql<{ count: number }>`
      with skipped as (
        delete from webhook_queue where endpoint_id = ${id} and position = any(array(
          select position from webhook_queue where endpoint_id = ${id} and event_day = ${day}::date and ${skippable}
          order by position limit ${max - skipped}
        )) returning delivery_id
      ), moved as (
        update webhook_deliveries d set status = 'skipped', finished_at = app_now()
        from skipped where d.event_day = ${day}::date and d.id = skipped.delivery_id
      )
      select count(*)::int as count from skipped`.execute(tx)
    skipped += rows[0]?.count ?? 0
    if (skipped >= max) break
  }
  return skipped
}

/** Manual sends that wait for a locked endpoint that is now off get only that one attempt. */
export async function endSeriesOfManual(tx: Tx, id: string): Promise<void> {
  await sql`
    update webhook_queue set resume_at = null where endpoint_id = ${id} and manual and resume_at is not null`.execute(
    tx,
  )
}

/** Disabled endpoints for which deliveries still wait that were not resent manually: their worker died while it skipped them. */
export async function disabledWithPending(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from webhook_endpoints e where state = 'disabled' and exists (
      select from webhook_queue q where q.endpoint_id = e.id and ${skippable})`.execute(db)
  return rows.map(({ id }) => id)
}
