import { type Db, sql, type Tx } from '#platform/db.ts'

/** A webhook endpoint, with the outcome of its latest delivery. Its secrets are not part of it. */
export interface Endpoint {
  readonly id: string
  readonly url: string
  /** Types and groups; null: every event. */
  readonly events: readonly string[] | null
  readonly description: string
  readonly state: 'enabled' | 'disabled'
  readonly disabledAt: Date | null
  readonly disabledReason: string | null
  readonly status: 'pending' | 'succeeded' | 'failed' | 'skipped' | null
  readonly lastStatus: number | null
  readonly createdAt: Date
}

const columns = sql`
  e.id, e.url, e.events, e.description, e.state, e.disabled_at as "disabledAt", e.disabled_reason as "disabledReason",
  latest.status, latest.last_status as "lastStatus", e.created_at as "createdAt"`

const withLatest = sql`
  webhook_endpoints e left join lateral (
    select status, last_status from webhook_deliveries d where d.endpoint_id = e.id order by d.event_id desc limit 1
  ) latest on true`

/** The account's endpoints in the order in which they were made, after one of them. */
export async function listEndpoints(db: Db, accountId: string, after: string, max: number): Promise<Endpoint[]> {
  const { rows } = await sql<Endpoint>`
    select ${columns} from ${withLatest}
    where e.account_id = ${accountId} and e.id > ${after} order by e.id limit ${max}`.execute(db)
  return rows
}

export async function readEndpoint(db: Db, accountId: string, id: string): Promise<Endpoint | undefined> {
  const { rows } = await sql<Endpoint>`
    select ${columns} from ${withLatest} where e.account_id = ${accountId} and e.id = ${id}`.execute(db)
  return rows[0]
}

export async function countEndpoints(tx: Tx, accountId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from webhook_endpoints where account_id = ${accountId}`.execute(tx)
  return rows[0]?.count ?? 0
}

export interface NewEndpoint {
  readonly id: string
  readonly accountId: string
  readonly url: string
  readonly events: readonly string[] | null
  readonly description: string
  /** Sealed. */
  readonly secret: Buffer
}

/** Writes an endpoint and its lane. */
export async function insertEndpoint(tx: Tx, endpoint: NewEndpoint): Promise<void> {
  await sql`
    with made as (
      insert into webhook_endpoints (id, account_id, url, events, description, secrets)
      values (${endpoint.id}, ${endpoint.accountId}, ${endpoint.url}, ${endpoint.events}::text[], ${endpoint.description},
        array[${endpoint.secret}::bytea])
      returning id
    )
    insert into webhook_lanes (endpoint_id) select id from made`.execute(tx)
}

/** Locks an endpoint and then its lane. Undefined when there is none. */
export async function lockEndpoint(tx: Tx, id: string): Promise<{ accountId: string; url: string } | undefined> {
  const { rows } = await sql<{ accountId: string; url: string }>`
    select account_id as "accountId", url from webhook_endpoints where id = ${id} for update`.execute(tx)
  if (rows.length > 0) await sql`select 1 from webhook_lanes where endpoint_id = ${id} for update`.execute(tx)
  return rows[0]
}

/** Removes a locked endpoint, its lane and its queue. Deliveries that were made stay until they are 30 days old. */
export async function removeEndpoint(tx: Tx, id: string): Promise<void> {
  await sql`delete from webhook_queue where endpoint_id = ${id}`.execute(tx)
  await sql`delete from webhook_endpoints where id = ${id}`.execute(tx)
}

/** Turns a locked endpoint off if every delivery to it has failed for three days. Returns whether it was turned off now. */
export async function disableIfWornOut(tx: Tx, id: string, reason: string): Promise<boolean> {
  const { rows } = await sql`
    update webhook_endpoints e set state = 'disabled', disabled_at = app_now(), disabled_reason = ${reason}
    from webhook_lanes l
    where e.id = ${id} and e.state = 'enabled' and l.endpoint_id = e.id and ${wornOut}
    returning 1`.execute(tx)
  return rows.length > 0
}

/** Every delivery to a lane `l` has failed for 3 days (specification, "Webhook endpoint"). */
export const wornOut = sql`l.failing_since <= app_now() - interval '3 days'`

/** Records what waits for a locked endpoint as skipped, and stops its lane. A lease runs out by itself. */
export async function skipPending(tx: Tx, id: string): Promise<void> {
  const { rows } = await sql<{ event_day: string }>`
    select distinct event_day from webhook_queue where endpoint_id = ${id}`.execute(tx)
  for (const { event_day: day } of rows)
    await sql`
      with skipped as (
        delete from webhook_queue where endpoint_id = ${id} and event_day = ${day}::date returning delivery_id
      )
      update webhook_deliveries d set status = 'skipped', finished_at = app_now()
      from skipped where d.event_day = ${day}::date and d.id = skipped.delivery_id`.execute(tx)
  await sql`update webhook_lanes set due_at = case when lease is not null then due_at end where endpoint_id = ${id}`.execute(
    tx,
  )
}

/** Drops the partitions of deliveries and attempts of events older than `days` days, and what still waited for them. */
export async function dropDeliveries(db: Db, days: number): Promise<string[]> {
  const before = sql`(app_now() at time zone 'utc')::date - ${days}::int`
  await sql`delete from webhook_queue where event_day < ${before}`.execute(db)
  const { rows } = await sql<{ name: string }>`
    select drop_partitions('webhook_attempts', ${before}) as name
    union all select drop_partitions('webhook_deliveries', ${before})`.execute(db)
  return rows.map((row) => row.name)
}
