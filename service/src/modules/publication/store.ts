import type { Served } from '#modules/events/index.ts'
import type { NameserverEntry } from '#modules/primary/index.ts'
import type { ZoneAdvance } from '#modules/zones/index.ts'
import { type Db, sql, type Tx, withoutWaitingForDisk } from '#platform/postgres/index.ts'
import { serving } from './rules.ts'

/** A sighting `s` of a zone `z`: the nameserver serves the zone's newest change. */
const isCurrent = serving(sql`s.serial`, sql`z.serial`, sql`z.serial`)
/** A sighting `s` of a zone `z`, as a column: how far the nameserver is; -1: it serves no change. */
const servedSerial = sql`case when ${serving(sql`s.serial`, sql`0`, sql`z.serial`)} then s.serial else -1 end`

/** A live zone and its newest serial. */
export interface LiveZone {
  readonly id: string
  readonly name: string
  readonly serial: number
}

/** The live ones of these zones, with their newest serials. */
export async function readLiveZones(db: Db, zoneIds: readonly string[]): Promise<LiveZone[]> {
  const { rows } = await sql<LiveZone>`
    select id, name, serial from zones where id = any(${zoneIds}::uuid[]) and state = 'live'`.execute(db)
  return rows
}

/** A live zone with its place and its owner. */
export interface PublishedZone extends ZoneAdvance {
  readonly accountId: string
}

/** Every live zone, locked until the transaction ends. */
export async function lockLiveZones(tx: Tx): Promise<PublishedZone[]> {
  const { rows } = await sql<PublishedZone>`
    select id, account_id as "accountId", version, serial, rrset_count as "rrsetCount", bytes from zones
    where state = 'live' order by id for no key update`.execute(tx)
  return rows
}

/** How long each nameserver has been out of sync, in seconds; those that are in sync are left out. */
export async function readLags(db: Db): Promise<{ name: string; seconds: number }[]> {
  const { rows } = await sql<{ name: string; seconds: number }>`
    select name, extract(epoch from app_now() - lagging_since)::float8 as seconds from nameservers
    where lagging_since is not null`.execute(db)
  return rows
}

/** Records that a nameserver has been out of sync for this time, or (null) that it has caught up. */
export async function writeLag(db: Db, name: string, seconds: number | null): Promise<void> {
  await sql`
    update nameservers set lagging_since = app_now() - ${seconds}::float8 * interval '1 s' where name = ${name}`.execute(
    db,
  )
}

/** One sighting: a nameserver serves the zone with this serial. */
export interface Sighting {
  readonly zoneId: string
  readonly nameserver: string
  readonly serial: number
}

/**
 * Writes many sightings, at most one per zone and nameserver. Those of deleted zones are left out. The commit does not wait
 * for the disk: what is lost in a crash is seen again.
 */
export async function writeSightings(db: Db, sightings: readonly Sighting[]): Promise<void> {
  await sql`
    insert into zone_sightings (zone_id, nameserver, serial, seen_at)
    select s.zone_id, s.nameserver, s.serial, app_now()
    from unnest(${sightings.map(({ zoneId }) => zoneId)}::uuid[], ${sightings.map(({ nameserver }) => nameserver)}::text[],
      ${sightings.map(({ serial }) => serial)}::int8[]) as s(zone_id, nameserver, serial)
    join zones z on z.id = s.zone_id and z.state = 'live'
    join nameservers n on n.name = s.nameserver
    cross join (select ${withoutWaitingForDisk}) relaxed
    order by s.zone_id, s.nameserver
    on conflict (zone_id, nameserver) do update set serial = excluded.serial, seen_at = excluded.seen_at`.execute(db)
}

/**
 * Deletes the sightings of nameservers that these configured ones replace, before they are written: a removed one that is added again,
 * and one that gets another address, because another machine may be there.
 */
export async function forgetReplaced(tx: Tx, configured: readonly NameserverEntry[]): Promise<void> {
  const names = configured.map(({ name }) => name)
  const addresses = configured.map(({ address }) => address)
  // Locked in the order in which a leader writes them at the same time.
  await sql`
    with stale as (
      select s.zone_id, s.nameserver from zone_sightings s join nameservers n on n.name = s.nameserver
      join unnest(${names}::text[], ${addresses}::text[]) as now(name, address) on now.name = n.name
      where n.retired_at is not null or n.address <> now.address
      order by s.zone_id, s.nameserver for update of s
    )
    delete from zone_sightings s using stale where s.zone_id = stale.zone_id and s.nameserver = stale.nameserver`.execute(
    tx,
  )
}

/** Deletes the sightings of zones that are no longer published. */
export async function deleteSightings(tx: Tx, zoneIds: readonly string[]): Promise<void> {
  await sql`delete from zone_sightings where zone_id = any(${zoneIds}::uuid[])`.execute(tx)
}

/**
 * Which serial every nameserver that counts serves, for each of these zones. A nameserver that has been out of sync for
 * 5 minutes does not count (design: webhooks, "From event to delivery"); if one is left out, `replicated` may be false.
 */
export async function readServed(db: Db, zoneIds: readonly string[]): Promise<Required<Served>[]> {
  const { rows } = await sql<Required<Served>>`
    with n as (
      select name, coalesce(lagging_since <= app_now() - interval '5 min', false) as lags
      from nameservers where retired_at is null
    ), far as (
      select z.id, bool_and(${servedSerial} >= 0) as everywhere, min(${servedSerial}) as by_all,
        coalesce(min(${servedSerial}) filter (where not n.lags), z.serial) as by_awaited
      from zones z cross join n left join zone_sightings s on s.zone_id = z.id and s.nameserver = n.name
      where z.id = any(${zoneIds}::uuid[]) and z.state = 'live' group by z.id
    )
    select id as "zoneId", by_awaited as serial, everywhere, by_all >= by_awaited as replicated from far`.execute(db)
  return rows
}

/** A zone that a nameserver has not yet been seen to serve with its newest serial. */
export interface Behind extends LiveZone {
  readonly nameserver: string
}

/** Everything that nameservers are behind with: for these zones or all, for one nameserver or each. */
export async function readBehind(
  db: Db,
  of: { zoneIds: readonly string[] | null; nameservers: readonly string[] },
): Promise<Behind[]> {
  // Two statements rather than one with an "or": a kept plan must find a few zones by their ids.
  const which = of.zoneIds === null ? sql`true` : sql`z.id = any(${of.zoneIds}::uuid[])`
  const { rows } = await sql<Behind>`
    select z.id, z.name, z.serial, n.name as nameserver
    from zones z cross join nameservers n
    left join zone_sightings s on s.zone_id = z.id and s.nameserver = n.name and ${isCurrent}
    where z.state = 'live' and s.zone_id is null and n.name = any(${of.nameservers}::text[])
      and ${which}`.execute(db)
  return rows
}

/** Of these zones, those whose current serial every nameserver serves. */
export async function replicatedZones(db: Db, zoneIds: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select z.id from zones z cross join nameservers n
    left join zone_sightings s on s.zone_id = z.id and s.nameserver = n.name
    where z.id = any(${zoneIds}::uuid[]) and z.state = 'live' and n.retired_at is null
    group by z.id having bool_and(${isCurrent})`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Whether every nameserver was seen to serve the change of a live zone with this serial. */
export async function isServed(db: Db, zoneId: string, serial: number): Promise<boolean> {
  const { rows } = await sql`
    select from zones z cross join nameservers n left join zone_sightings s on s.zone_id = z.id and s.nameserver = n.name
    where z.id = ${zoneId} and n.retired_at is null having bool_and(${serving(sql`s.serial`, sql`${serial}`, sql`z.serial`)})`.execute(
    db,
  )
  return rows.length > 0
}

/** A change that someone waits for. */
export interface AwaitedChange {
  readonly zoneId: string
  readonly serial: number
}

/** The same for many changes, without the nameservers that are out of sync, for which no one has to wait. */
export async function areServedInSync(db: Db, changes: readonly AwaitedChange[]): Promise<boolean[]> {
  const { rows } = await sql<{ n: number }>`
    select asked.n from ${awaitedChanges(changes.map(({ zoneId, serial }, n) => ({ n, zone_id: zoneId, serial })))}
    cross join lateral (select id, serial from zones where id = asked.zone_id and state = 'live' offset 0) z
    cross join nameservers n left join zone_sightings s on s.zone_id = z.id and s.nameserver = n.name
    where n.retired_at is null and n.lagging_since is null
    group by asked.n having not bool_and(coalesce(${serving(sql`s.serial`, sql`asked.serial`, sql`z.serial`)}, false))`.execute(
    db,
  )
  const missing = new Set(rows.map(({ n }) => n))
  return changes.map((_, n) => !missing.has(n))
}

const awaitedChanges = sql.recordset('asked', 'n int, zone_id uuid, serial bigint')
