import { advisoryLocks, sql, type Tx } from '#platform/postgres/index.ts'
import { zonesAmong } from './endpoint-zones.ts'
import { relaxed } from './lane-store.ts'

/** Takes the lock of fan-out for this transaction, and returns the last assigned position; undefined if another process has the lock. */
export async function lockFanOut(tx: Tx): Promise<{ readonly lastPosition: number } | undefined> {
  const { rows } = await sql<{ mine: boolean; lastPosition: number }>`
    select pg_try_advisory_xact_lock(${advisoryLocks.fanOut}) as mine,
      coalesce(pg_sequence_last_value('event_positions'), 0) as "lastPosition", ${relaxed}`.execute(tx)
  return rows[0]?.mine ? rows[0] : undefined
}

/** The accounts of these endpoints. */
export async function findAccounts(tx: Tx, endpointIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select account_id as id from webhook_endpoints where id = any(${endpointIds}::text[])`.execute(tx)
  return rows.map(({ id }) => id)
}

/** An endpoint that may receive events of its account. */
export interface Subscriber {
  readonly endpointId: string
  readonly accountId: string
  readonly events: readonly string[] | null
  /** Those of the events' zones that it is limited to; null: it gets the events of all zones, and those without a zone. */
  readonly zones: readonly string[] | null
  /** Its account was deleted, but support can still restore it. */
  readonly isHeld: boolean
}

/** The endpoints of these accounts, their lanes locked, in endpoint order. `zoneIds`: the zones of the events. */
export async function lockSubscribers(
  tx: Tx,
  accountIds: readonly string[],
  zoneIds: readonly string[],
): Promise<Subscriber[]> {
  const { rows } = await sql<Subscriber>`
    select l.endpoint_id as "endpointId", e.account_id as "accountId", e.events, ${zonesAmong(zoneIds)} as zones,
      (select deleted_at is not null from accounts where id = e.account_id) as "isHeld"
    from webhook_endpoints e join webhook_lanes l on l.endpoint_id = e.id
    where e.account_id = any(${accountIds}::uuid[])
    order by l.endpoint_id for update of l`.execute(tx)
  return rows
}

/** One event for one endpoint. */
export interface NewDelivery {
  readonly endpointId: string
  readonly eventId: string
  readonly eventType: string
  readonly eventDay: string
  readonly position: number
  /** Sent by the test operation. */
  readonly isTest: boolean
}

/**
 * Writes deliveries and makes their lanes due. Returns how many wait to be sent. Deliveries for disabled endpoints are skipped,
 * except tests, with which the owner finds out whether the receiver works again.
 *
 * Run it in a later statement than the one that locked the lanes, so that it sees the endpoints' current state.
 */
export async function insertDeliveries(tx: Tx, deliveries: readonly NewDelivery[]): Promise<number> {
  const { rows } = await sql`
    with new as (
      select * from ${newDeliveries(deliveries)}
    ), written as (
      insert into webhook_deliveries
        (event_day, id, endpoint_id, event_id, event_type, test, position, status, finished_at)
      select new."eventDay", 'dlv_' || substr(new."eventId", 5, 12) || right(new_id('', app_now()), 20), e.id, new."eventId",
        new."eventType", new."isTest", new.position, case when goes then 'pending' else 'skipped' end, case when not goes then app_now() end
      from new join webhook_endpoints e on e.id = new."endpointId"
      cross join lateral (select e.state = 'enabled' or new."isTest" as goes) decided
      returning *
    ), queued as (
      insert into webhook_queue (endpoint_id, position, event_day, delivery_id, event_id, event_type, test)
      select endpoint_id, position, event_day, id, event_id, event_type, test from written where status = 'pending'
      returning endpoint_id
    ), due as (
      -- A leased lane looks for itself when it finishes; one that waits keeps its place in the line.
      update webhook_lanes set due_at = case when lease is null then least(due_at, app_now()) else due_at end
      where endpoint_id in (select endpoint_id from queued)
    )
    select 1 from queued`.execute(tx)
  return rows.length
}

const newDeliveries = sql.recordset(
  'new',
  `"endpointId" text, "eventId" text, "eventType" text, "eventDay" date, position bigint, "isTest" boolean`,
)
