import { type Db, sql, type Tx } from '#platform/postgres/index.ts'
import { type Retry, retryOf } from './delivery-store.ts'
import { type EndpointZone, zonesColumn } from './endpoint-zones.ts'
import { maxLiveSecrets } from './rules.ts'

/** A webhook endpoint, with the outcome of its latest delivery. Its secrets are not part of it. */
export interface Endpoint {
  readonly id: string
  readonly url: string
  /** Types and groups; null: every event. */
  readonly events: readonly string[] | null
  /** The zones that it is limited to; null: all zones. Empty: they are all gone, and it gets no events. */
  readonly zones: readonly EndpointZone[] | null
  /** The names of the headers that its owner added. */
  readonly headerNames: readonly string[]
  readonly description: string
  readonly state: 'enabled' | 'disabled'
  readonly disabledAt: Date | null
  readonly disabledReason: string | null
  readonly status: 'pending' | 'succeeded' | 'failed' | 'skipped' | null
  readonly lastDelivery: string | null
  readonly lastStatus: number | null
  /** The next automatic attempt of the latest delivery, if an attempt of it failed. */
  readonly retry: Retry | null
  readonly createdAt: Date
}

const columns = sql`
  e.id, e.url, e.events, ${zonesColumn}, e.header_names as "headerNames", e.description, e.state, e.disabled_at as "disabledAt", e.disabled_reason as "disabledReason",
  latest.status, latest.id as "lastDelivery", latest.last_status as "lastStatus", ${retryOf} as retry, e.created_at as "createdAt"`

const withLatest = sql`
  webhook_endpoints e left join lateral (
    select id, status, last_status, position from webhook_deliveries d where d.endpoint_id = e.id order by d.event_id desc limit 1
  ) latest on true left join webhook_queue q on q.endpoint_id = e.id and q.position = latest.position`

/** The account's endpoints in order of creation, after a given one. */
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

/** Which secrets of an endpoint `e` still sign. */
export const liveSecrets = sql`live_secrets(e.secrets, e.secret_ends)`

export async function countEndpoints(tx: Tx, accountId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from webhook_endpoints where account_id = ${accountId}`.execute(tx)
  return rows[0]?.count ?? 0
}

/** The ids of an account's endpoints, in the order in which they are locked. */
export async function endpointsOf(tx: Tx, accountId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from webhook_endpoints where account_id = ${accountId} order by id`.execute(tx)
  return rows.map(({ id }) => id)
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

/** The data that a use case needs of an endpoint that it has locked. */
export interface LockedEndpoint {
  readonly id: string
  readonly accountId: string
  readonly url: string
  /** Sealed. */
  readonly headers: Buffer | null
  readonly state: Endpoint['state']
}

/** Locks an endpoint and then its lane, whose holder reads it again after the commit. Undefined if there is none. */
export async function lockEndpoint(tx: Tx, id: string): Promise<LockedEndpoint | undefined> {
  const { rows } = await sql<LockedEndpoint>`
    select id, account_id as "accountId", url, headers, state from webhook_endpoints where id = ${id} for update`.execute(
    tx,
  )
  if (rows.length === 0) return undefined
  await sql`select 1 from webhook_lanes where endpoint_id = ${id} for update`.execute(tx)
  tx.wakeAfterCommit('lanes_changed', id)
  return rows[0]
}

/** The fields of an endpoint that an owner may change; missing members stay unchanged. */
export interface EndpointChange {
  readonly url?: string | undefined
  readonly events?: readonly string[] | null | undefined
  readonly description?: string | undefined
  /** The names, and the sealed headers; null: there are none. */
  readonly headers?: { readonly names: readonly string[]; readonly sealed: Buffer | null } | undefined
}

/** Changes a locked endpoint. */
export async function updateEndpoint(tx: Tx, id: string, change: EndpointChange): Promise<void> {
  const { url, events, description, headers } = change
  await sql`
    update webhook_endpoints set url = coalesce(${url ?? null}, url), description = coalesce(${description ?? null}, description),
      events = case when ${events !== undefined} then ${events ?? null}::text[] else events end,
      header_names = coalesce(${headers?.names ?? null}::text[], header_names),
      headers = case when ${headers !== undefined} then ${headers?.sealed ?? null}::bytea else headers end
    where id = ${id}`.execute(tx)
}

/**
 * Adds a new secret before those of a locked endpoint: the old ones sign for this number of hours more, or end immediately.
 *
 * This never extends an older one. Ended secrets are not kept.
 */
export async function addSecret(tx: Tx, id: string, secret: Buffer, overlapHours: number): Promise<void> {
  await sql`
    update webhook_endpoints e set (secrets, secret_ends) = (
      select array_agg(kept.secret order by place), array_agg(kept.until order by place) from (
        select ${secret}::bytea as secret, null::timestamptz as until, 0 as place
        union all
        select old.secret, least(old.until, app_now() + make_interval(hours => ${overlapHours})), old.place
        from unnest(e.secrets, e.secret_ends) with ordinality as old (secret, until, place)
        where ${overlapHours} > 0 and old.place < ${maxLiveSecrets} and (old.until is null or old.until > app_now())
      ) kept)
    where id = ${id}`.execute(tx)
}

/** Deletes the secrets whose overlap is over. */
export async function dropEndedSecrets(db: Db): Promise<void> {
  await sql`
    update webhook_endpoints e set secrets = live_secrets(secrets, secret_ends), secret_ends = (
      select array_agg(until order by place) from unnest(e.secret_ends) with ordinality as kept (until, place)
      where until is null or until > app_now())
    where cardinality(secrets) > 1
      and exists (select from unnest(e.secret_ends) as ends (until) where until <= app_now())`.execute(db)
}

/**
 * Removes a locked endpoint and its lane: nothing more is sent. Pending deliveries, however many, stay for `removeOrphans`, and
 * recorded deliveries stay until they are 30 days old.
 */
export async function removeEndpoint(tx: Tx, id: string): Promise<void> {
  await sql`delete from webhook_endpoints where id = ${id}`.execute(tx)
}

/** Deleted endpoints for which something still waits. */
export async function goneWithPending(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct endpoint_id as id from webhook_queue q
    where not exists (select from webhook_endpoints e where e.id = q.endpoint_id)`.execute(db)
  return rows.map(({ id }) => id)
}

/** Removes up to `max` pending deliveries of a deleted endpoint. Returns their number. */
export async function removeOrphans(db: Db, endpointId: string, max: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with removed as (
      delete from webhook_queue where endpoint_id = ${endpointId} and position = any(array(
        select position from webhook_queue where endpoint_id = ${endpointId} order by position limit ${max}
      )) returning 1
    ) select count(*)::int as count from removed`.execute(db)
  return rows[0]?.count ?? 0
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
