import { nilId } from '#modules/zones/index.ts'
import { type Db, type Statement, sql } from '#platform/postgres/index.ts'
import { serving } from './rules.ts'

/** A nameserver that has not reached a serial for this time has stopped following the zone. Transfers take seconds. */
const patience = sql`interval '2 minutes'`

/** Rows of `zones_behind`, as `b`, that have lasted too long for a slow transfer. */
const isStalled: Statement = sql`b.since <= app_now() - ${patience}`

/** Since when a nameserver has not followed a zone, as a column; null: it follows, or is only seconds behind. */
export function stalledSince(zoneId: Statement, nameserver: Statement): Statement {
  return sql`(select b.since from zones_behind b where b.zone_id = ${zoneId} and b.nameserver = ${nameserver} and ${isStalled})`
}

/** Maximum number of zones that one check adds: a nameserver may have none of its zones. The next checks add the others. */
const mostAdded = 1_000

/**
 * Records which zones these nameservers do not serve with their current serials. A zone that is already recorded keeps its serial and time.
 *
 * Only nameservers that the zone names count: a new one is not named before it has the zone.
 */
export async function noteBehind(db: Db, nameservers: readonly string[]): Promise<void> {
  await sql`
    insert into zones_behind (zone_id, nameserver, serial)
    select z.id, n.name, z.serial
    from zones z cross join nameservers n
    left join zone_sightings s on s.zone_id = z.id and s.nameserver = n.name
      and ${serving(sql`s.serial`, sql`z.serial`, sql`z.serial`)}
    where z.state = 'live' and s.zone_id is null and n.retired_at is null and n.name = any(${[...nameservers]}::text[])
      and not exists (select from zones_behind b where b.zone_id = z.id and b.nameserver = n.name)
      and not exists (select from former_nameservers f where f.zone_id = z.id and n.name <> all(f.names))
    limit ${mostAdded}
    on conflict do nothing`.execute(db)
}

/** Deletes zones that were seen with the recorded serial, or are no longer published. Returns how many are left. */
export async function forgetCaughtUp(db: Db): Promise<number> {
  const { rows } = await sql<{ left: number }>`
    with gone as (
      delete from zones_behind b using zones z, nameservers n
      where z.id = b.zone_id and n.name = b.nameserver and (z.state <> 'live' or n.retired_at is not null or exists (
        select from zone_sightings s where s.zone_id = b.zone_id and s.nameserver = b.nameserver
          and ${serving(sql`s.serial`, sql`b.serial`, sql`z.serial`)}))
      returning 1
    )
    select (select count(*) from zones_behind)::int - (select count(*) from gone)::int as left`.execute(db)
  return rows[0]?.left ?? 0
}

/** Zones that a nameserver has stopped following. */
export interface Stalled {
  readonly nameserver: string
  readonly zoneCount: number
  /** The zones that have waited longest. */
  readonly zones: readonly StalledZone[]
}

export interface StalledZone {
  readonly zone: string
  /** The serial that the nameserver should have reached; it may be older than the zone's current serial. */
  readonly serial: number
  readonly since: Date
}

/** For each nameserver that has stopped following zones, their number, and the first `mostNamed` of them. */
export async function readStalled(db: Db, mostNamed: number): Promise<Stalled[]> {
  const { rows } = await sql<StalledZone & { nameserver: string; zoneCount: number }>`
    select nameserver, zone, serial, since, "zoneCount" from (
      select b.nameserver, z.name as zone, b.serial, b.since,
        count(*) over (partition by b.nameserver)::int as "zoneCount",
        row_number() over (partition by b.nameserver order by b.since, z.name) as place
      from zones_behind b join zones z on z.id = b.zone_id
      where ${isStalled} and z.state = 'live'
    ) stalled where place <= ${mostNamed} order by nameserver, place`.execute(db)
  return [...Map.groupBy(rows, ({ nameserver }) => nameserver)].map(([nameserver, zones]) => ({
    nameserver,
    zoneCount: zones[0]?.zoneCount ?? 0,
    zones: zones.map(({ zone, serial, since }) => ({ zone, serial, since })),
  }))
}

/** A live zone, and the serials that nameservers were last seen to serve. */
export interface WatchedZone {
  readonly id: string
  readonly name: string
  readonly serial: number
  readonly seen: Readonly<Record<string, number>>
}

/** The next live zones by id. */
export async function pageOfWatched(db: Db, after: string | undefined, limit: number): Promise<WatchedZone[]> {
  const { rows } = await sql<WatchedZone>`
    select z.id, z.name, z.serial, coalesce((
      select json_object_agg(s.nameserver, s.serial) from zone_sightings s where s.zone_id = z.id), '{}') as seen
    from zones z where z.id > ${after ?? nilId}::uuid and z.state = 'live' order by z.id limit ${limit}`.execute(db)
  return rows
}

/** The live zones that nameservers were seen to serve with a new serial in the last ten minutes, the newest first. */
export async function recentlySeen(db: Db, limit: number): Promise<WatchedZone[]> {
  const { rows } = await sql<WatchedZone>`
    select z.id, z.name, z.serial, recent.seen from zones z join (
      select zone_id, max(seen_at) as seen_at, json_object_agg(nameserver, serial) as seen
      from zone_sightings where seen_at > app_now() - interval '10 minutes' group by zone_id
    ) recent on recent.zone_id = z.id
    where z.state = 'live' order by recent.seen_at desc limit ${limit}`.execute(db)
  return rows
}

/** Records that all zones were compared with the nameservers since the last new timeline. */
export async function endComparison(db: Db): Promise<void> {
  await sql`update serial_fence set is_compared = true`.execute(db)
}

/** A nameserver serves an older serial of a zone than before, or (null) no longer serves the zone. */
export interface Regress {
  readonly zoneId: string
  readonly nameserver: string
  readonly was: number
  readonly is: number | null
}

/** Corrects a sighting, unless it has changed since it was read. */
export async function writeRegresses(db: Db, regresses: readonly Regress[]): Promise<void> {
  const rows = regresses.map(({ zoneId, nameserver, was, is }) => ({ zone_id: zoneId, nameserver, was, is_now: is }))
  await sql`
    with r as (select * from ${regressRows(rows)}),
    gone as (
      delete from zone_sightings s using r
      where s.zone_id = r.zone_id and s.nameserver = r.nameserver and s.serial = r.was and r.is_now is null
    )
    update zone_sightings s set serial = r.is_now, seen_at = app_now() from r
    where s.zone_id = r.zone_id and s.nameserver = r.nameserver and s.serial = r.was and r.is_now is not null`.execute(
    db,
  )
}

const regressRows = sql.recordset('regress', 'zone_id uuid, nameserver text, was bigint, is_now bigint')
