import { type Db, sql, type Tx } from '#platform/db.ts'

/** Every delivery to a lane `l` has failed for 3 days (specification, "Webhook endpoint"). */
export const wornOut = sql`l.failing_since <= app_now() - interval '3 days'`

/** Turns a locked endpoint off if every delivery to it has failed for three days. Returns whether it was turned off now. */
export async function disableIfWornOut(tx: Tx, id: string, reason: string): Promise<boolean> {
  const { rows } = await sql`
    update webhook_endpoints e set state = 'disabled', disabled_at = app_now(), disabled_reason = ${reason}
    from webhook_lanes l
    where e.id = ${id} and e.state = 'enabled' and l.endpoint_id = e.id and ${wornOut}
    returning 1`.execute(tx)
  return rows.length > 0
}

/** Turns a locked endpoint on: its failing time begins anew, and its lane looks whether something was left. */
export async function enable(tx: Tx, id: string): Promise<void> {
  await sql`
    update webhook_endpoints set state = 'enabled', disabled_at = null, disabled_reason = null where id = ${id}`.execute(
    tx,
  )
  await sql`
    update webhook_lanes set failing_since = null, due_at = case when lease is null then app_now() else due_at end
    where endpoint_id = ${id}`.execute(tx)
}

/** What a disabled endpoint is not sent: all but resends and tests. */
const skippable = sql`not manual and not test`

/** The days of the events that wait for an endpoint and would be skipped, the oldest first. Reads all that waits. */
export async function skippableDays(db: Db, id: string): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select distinct event_day as day from webhook_queue where endpoint_id = ${id} and ${skippable} order by event_day`.execute(
    db,
  )
  return rows.map(({ day }) => day)
}

/**
 * Records as skipped what waits of these days for a locked endpoint, at most `max` deliveries, the oldest first. Returns how many.
 *
 * A worker that has one of them on its way still leaves its attempt, and its success.
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

/** What waits to be sent by hand to a locked endpoint that is now off gets that one attempt alone. */
export async function endSeriesOfManual(tx: Tx, id: string): Promise<void> {
  await sql`
    update webhook_queue set resume_at = null where endpoint_id = ${id} and manual and resume_at is not null`.execute(
    tx,
  )
}

/** Disabled endpoints for which something still waits that nobody asked for by hand: their worker died while it skipped. */
export async function disabledWithPending(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from webhook_endpoints e where state = 'disabled' and exists (
      select from webhook_queue q where q.endpoint_id = e.id and ${skippable})`.execute(db)
  return rows.map(({ id }) => id)
}
