import { randomBytes } from 'node:crypto'
import { type Db, type Statement, sql, type Tx } from '#platform/postgres/index.ts'
import { type OthersZone, type Surroundings, usualZonesPerAccount } from './rules.ts'
import { serialClock } from './serial-clock.ts'
import { othersOf } from './taking-store.ts'
import { namesAbove, type ZoneName } from './zone-name.ts'

/** Lower than every id: the start of a walk through zones in the order of their ids. */
export const nilId = '00000000-0000-0000-0000-000000000000'

/** A zone as use cases read it. `recipients` are the accounts that get its events: the owner and every manager. */
export interface ZoneRow {
  readonly id: string
  readonly name: string
  readonly accountId: string
  readonly state: 'pending' | 'live'
  readonly origin: 'verified' | 'bought' | 'claimed' | 'added'
  readonly version: number
  readonly serial: number
  readonly rrsetCount: number
  /** Size of its rrsets (`rrsetBytes` of the module records). */
  readonly bytes: number
  /** Null: the default limit. */
  readonly rrsetLimit: number | null
  readonly catalogLabel: string
  /** The zone here that delegates to it with managed records, or did so when both were live. */
  readonly parentId: string | null
  readonly createdAt: Date
  readonly recipients: string[]
  /** The names of customers' own secondaries that its NS records have next to our nameservers. Null: none. */
  readonly secondaryNames?: readonly string[] | null
}

export interface NewZone extends Pick<ZoneRow, 'accountId' | 'state' | 'origin' | 'serial' | 'parentId'> {
  readonly name: ZoneName
  /** The operator vouches for it: it does not depend on a zone above it. */
  readonly vouched?: boolean | undefined
}

/** The columns of a ZoneRow, from a table or subquery named `z`. */
export const zoneColumns = sql`
  z.id, z.name, z.account_id as "accountId", z.state, z.origin, z.version, z.serial, z.rrset_count as "rrsetCount",
  z.bytes, z.rrset_limit as "rrsetLimit", z.catalog_label as "catalogLabel", z.parent_id as "parentId", z.created_at as "createdAt",
  z.secondary_names as "secondaryNames",
  array(select z.account_id union all select m.account_id from zone_managers m where m.zone_id = z.id) as recipients`

/** Condition on a table or subquery `z` of zones: the account owns or manages the zone. */
export function isSeenBy(accountId: Statement): Statement {
  return sql`(z.account_id = ${accountId}
    or exists (select from zone_managers m where m.zone_id = z.id and m.account_id = ${accountId}))`
}

/** A value, or a column of the surrounding statement. */
type Operand = string | Statement

/**
 * The zone that an id or a name (whichever is not null) refers to for an account, as a subquery of `zones` rows: one that it owns or
 * manages. By name: a live zone that it can see, otherwise its own pending zone (design: api, "Conventions"). By several names: the zone
 * with the longest of them, by the same rule.
 */
export function visibleZone(
  { id, name, names }: { readonly id?: Operand; readonly name?: Operand; readonly names?: Operand | readonly string[] },
  accountId: Statement,
): Statement {
  const isSeen = isSeenBy(accountId)
  const byId = sql`select z.* from zones z where z.id = ${id} and z.state <> 'deleted' and ${isSeen}`
  const isNamed = names === undefined ? sql`z.name = ${name}` : sql`z.name = any(${names})`
  const byName = sql`
    (select z.* from zones z
      where ${isNamed}
        and ((z.state = 'live' and ${isSeen}) or (z.state = 'pending' and z.account_id = ${accountId}))
      order by z.state = 'live' desc${names === undefined ? sql`` : sql`, length(z.name) desc`} limit 1)`
  if (name === undefined && names === undefined) return byId
  return id === undefined ? byName : sql`${byId} union all ${byName}`
}

export async function readZone(db: Db, zoneId: string): Promise<ZoneRow | undefined> {
  const { rows } =
    await sql<ZoneRow>`select ${zoneColumns} from zones z where z.id = ${zoneId} and z.state <> 'deleted'`.execute(db)
  return rows[0]
}

/** The ids of an account's zones, pending and live. */
export async function zonesOwnedBy(db: Db, accountId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from zones where account_id = ${accountId} and state <> 'deleted' order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/** The live zone of a name, of any account. */
export async function liveZoneNamed(db: Db, name: string): Promise<ZoneRow | undefined> {
  const { rows } =
    await sql<ZoneRow>`select ${zoneColumns} from zones z where z.name = ${name} and z.state = 'live'`.execute(db)
  return rows[0]
}

/**
 * Locks the zone's row until the transaction ends, so that its serials and events stay in order, and reads the zone and the zone that
 * delegates to it. Reads after the lock, because the previous holder of the lock may have added a manager.
 */
export async function lockZone(tx: Tx, zoneId: string): Promise<ZoneRow | undefined> {
  await sql`
    select 1 from zones z
    where z.id = ${zoneId} or z.id = (select parent_id from zones where id = ${zoneId})
    order by z.id for no key update`.execute(tx)
  return readZone(tx, zoneId)
}

/** The same for many zones, by id; ids that do not exist are left out. Locks in a fixed order, so that no deadlock occurs. */
export async function lockZones(tx: Tx, zoneIds: readonly string[]): Promise<ReadonlyMap<string, ZoneRow>> {
  const [, zones] = await Promise.all([
    sql`
      select 1 from zones z
      where z.id = any(${[...zoneIds]}::uuid[]) or z.id in (select parent_id from zones where id = any(${[...zoneIds]}::uuid[]))
      order by z.id for no key update`.execute(tx),
    readZones(tx, zoneIds),
  ])
  return new Map(zones.map((row) => [row.id, row]))
}

/** Zones by their ids; ids that do not exist are left out. */
export async function readZones(db: Db, zoneIds: readonly string[]): Promise<ZoneRow[]> {
  const { rows } = await sql<ZoneRow>`
    select ${zoneColumns} from zones z where z.id = any(${[...zoneIds]}::uuid[]) and z.state <> 'deleted'`.execute(db)
  return rows
}

/** An account's own zone of a name, pending or live. */
export async function readOwnZone(db: Db, accountId: string, name: string): Promise<ZoneRow | undefined> {
  const { rows } = await sql<ZoneRow>`
    select ${zoneColumns} from zones z
    where z.name = ${name} and z.account_id = ${accountId} and z.state <> 'deleted'`.execute(db)
  return rows[0]
}

/** Zones of a name that wait for a proof, oldest first. */
export async function pendingZonesNamed(db: Db, name: string): Promise<ZoneRow[]> {
  const { rows } = await sql<ZoneRow>`
    select ${zoneColumns} from zones z where z.name = ${name} and z.state = 'pending' order by z.created_at, z.id`.execute(
    db,
  )
  return rows
}

/** The names of customers' own secondaries of live zones, by the names of the zones that have some. */
export async function secondaryNamesOf(
  db: Db,
  zoneNames: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await sql<{ name: string; secondaryNames: string[] }>`
    select name, secondary_names as "secondaryNames" from zones
    where name = any(${[...zoneNames]}::text[]) and state = 'live' and secondary_names is not null`.execute(db)
  return new Map(rows.map(({ name, secondaryNames }) => [name, secondaryNames]))
}

export async function insertZone(tx: Tx, zone: NewZone): Promise<ZoneRow> {
  const { rows } = await sql<ZoneRow>`
    with z as (
      insert into zones (name, account_id, state, origin, serial, catalog_label, parent_id, vouched, live_at)
      values (${zone.name}, ${zone.accountId}, ${zone.state}, ${zone.origin}, ${zone.serial}, ${newCatalogLabel()}, ${zone.parentId},
        ${zone.vouched ?? false}, case when ${zone.state === 'live'} then app_now() end) returning *)
    select ${zoneColumns} from z`.execute(tx)
  return rows[0] as ZoneRow
}

/** Makes the zone live with the next serial of its name: another zone of the name may have had higher serials while this one waited. */
export async function markLive(
  tx: Tx,
  zone: { readonly id: string; readonly origin: ZoneRow['origin']; readonly parentId: string | null },
): Promise<ZoneRow> {
  const { rows } = await sql<ZoneRow>`
    with z as (
      update zones this set state = 'live', live_at = app_now(), deleted_at = null, origin = ${zone.origin},
        parent_id = ${zone.parentId}, serial = greatest(this.serial, ${serialClock},
          (select max(serial) + 1 from zones where name = this.name and id <> this.id),
          (select serial + 1 from zone_serials where name = this.name))
      where id = ${zone.id} returning *
    ) select ${zoneColumns} from z`.execute(tx)
  return rows[0] as ZoneRow
}

/** Control of the zone's name was proved, so it no longer depends on a zone above it. */
export async function markVerified(tx: Tx, zoneId: string): Promise<void> {
  await sql`update zones set origin = 'verified' where id = ${zoneId} and origin = 'added'`.execute(tx)
}

/** Restores a zone that was never live, in its previous state. */
export async function markPending(tx: Tx, zoneId: string): Promise<ZoneRow> {
  const { rows } = await sql<ZoneRow>`
    with z as (update zones set state = 'pending', deleted_at = null where id = ${zoneId} returning *)
    select ${zoneColumns} from z`.execute(tx)
  return rows[0] as ZoneRow
}

export async function markDeleted(tx: Tx, zoneId: string): Promise<void> {
  await sql`update zones set state = 'deleted', deleted_at = app_now() where id = ${zoneId}`.execute(tx)
  await sql`
    with covered as (delete from api_key_zones where zone_id = ${zoneId} returning zone_id, key_id, limits)
    insert into deleted_zone_scopes (zone_id, key_id, limits) select zone_id, key_id, limits from covered
    on conflict (zone_id, key_id) do update set limits = excluded.limits`.execute(tx)
  await sql`update free_subdomains set released_at = app_now() where zone_id = ${zoneId}`.execute(tx)
}

/** Sets how many rrsets a zone may have; null: the default limit. Returns it. */
export async function setRrsetLimit(tx: Tx, zoneId: string, rrsets: number | null): Promise<number> {
  const limit = rrsets === null ? sql`default` : sql`${rrsets}`
  const { rows } = await sql<{ limit: number }>`
    update zones set rrset_limit = ${limit} where id = ${zoneId} returning rrset_limit as "limit"`.execute(tx)
  return (rows[0] as { limit: number }).limit
}

/** Removes the limit of rrsets of a zone, because the service delegates from it. */
export async function unlimitRrsets(tx: Tx, zoneId: string): Promise<void> {
  await sql`update zones set rrset_limit = null where id = ${zoneId} and rrset_limit is not null`.execute(tx)
}

/** Records for publication that a zone was added to or removed from the nameservers. Returns a row. */
export function moveStatement(zone: Pick<ZoneRow, 'id' | 'name' | 'catalogLabel'>, live: boolean): Statement {
  return sql`insert into zone_moves (zone_id, zone_name, catalog_label, live)
    values (${zone.id}, ${zone.name}, ${zone.catalogLabel}, ${live}) returning 1`
}

/** One addition or removal of a zone. */
export interface ZoneMove {
  readonly zoneId: string
  readonly zoneName: string
  readonly catalogLabel: string
  readonly live: boolean
}

/** Whether a zone was added or removed since the catalog's last batch. */
export const hasAnyZoneMoved = sql`(select min(id) from zone_moves) is not null`

/** Takes the oldest additions and removals, in order. They are deleted once the transaction commits. */
export async function takeMoves(tx: Tx, max: number): Promise<ZoneMove[]> {
  const { rows } = await sql<ZoneMove>`
    with taken as (delete from zone_moves where id in (select id from zone_moves order by id limit ${max}) returning *)
    select zone_id as "zoneId", zone_name as "zoneName", catalog_label as "catalogLabel", live from taken order by id`.execute(
    tx,
  )
  return rows
}

/** A zone's version and serial after changes of its records. */
export interface ZoneAdvance {
  readonly id: string
  readonly version: number
  readonly serial: number
  readonly rrsetCount: number
  readonly bytes: number
}

/** Zones' new versions and serials, as a value to write together with their records. */
export function advanceStatement(zones: readonly ZoneAdvance[], isLone?: boolean): Statement {
  return sql`
    update zones z set version = now.version, serial = now.serial, rrset_count = now."rrsetCount", bytes = now.bytes
    from ${places(zones, isLone)} where z.id = now.id returning z.id`
}

const places = sql.recordset('now', 'id uuid, version bigint, serial bigint, "rrsetCount" int, bytes bigint')

/** What is known about a name, except how many zones the account has. */
type Around = Omit<Surroundings, 'zonesOfAccount' | 'zoneLimit'> & {
  /** Another account has it pending. */
  readonly isAwaited: boolean
  /** Zones of other accounts that may be lost when the name goes live. */
  readonly others: readonly OthersZone[]
  readonly lastSerial: number | undefined
  readonly serialClock: number
}

/** The same, including how many zones the account has. */
export type CountedSurroundings = Around & Surroundings

/** What is known about a name that a locked account may add, including how many zones it has. */
export async function countedSurroundingsOf(db: Db, name: string, accountId: string): Promise<CountedSurroundings> {
  const [around, count] = await Promise.all([surroundingsOf(db, name, accountId), zoneCountOf(db, accountId)])
  return { ...around, ...count }
}

/** How many zones an account has, and how many it may have. */
export async function zoneCountOf(
  db: Db,
  accountId: string,
): Promise<Pick<Surroundings, 'zonesOfAccount' | 'zoneLimit'>> {
  const { rows } = await sql<{ zones: number; zoneLimit: number | null }>`
    select count(*)::int as zones, (select zone_limit from accounts where id = ${accountId}) as "zoneLimit"
    from zones where account_id = ${accountId} and state <> 'deleted'`.execute(db)
  const { zones = 0, zoneLimit = null } = rows[0] ?? {}
  return { zonesOfAccount: zones, zoneLimit: zoneLimit ?? usualZonesPerAccount }
}

/** Of many names, the zones at them and the nearest one above each. */
export async function zonesAround(
  db: Db,
  names: readonly string[],
  accountId: string,
): Promise<ReadonlyMap<string, Pick<Surroundings, 'own' | 'taken' | 'parent'>>> {
  const asked = names.map((name) => ({ name, above: namesAbove(name) }))
  const { rows } = await sql<{
    name: string
    own: 'pending' | 'live' | null
    taken: boolean
    parent: { id: string; name: string; isOwn: boolean } | null
  }>`
    select asked.name,
      (select state from zones z where z.name = asked.name and z.account_id = ${accountId} and z.state <> 'deleted') as own,
      exists (select from zones z where z.name = asked.name and z.account_id <> ${accountId} and z.state = 'live') as taken,
      (select json_build_object('id', z.id, 'name', z.name, 'isOwn', z.account_id = ${accountId}) from zones z
        where z.name = any(asked.above) and z.state = 'live' order by length(z.name) desc limit 1) as parent
    from ${askedNames(asked)}`.execute(db)
  return new Map(
    rows.map(({ name, own, taken, parent }) => [name, { own: own ?? undefined, taken, parent: parent ?? undefined }]),
  )
}

const askedNames = sql.recordset('asked', 'name text, above text[]')

/** What is known about a name. */
export async function surroundingsOf(db: Db, name: string, accountId: string): Promise<Around> {
  const { rows } = await sql<{
    own: 'pending' | 'live' | null
    taken: boolean
    isAwaited: boolean
    others: OthersZone[]
    parent: { id: string; name: string; isOwn: boolean } | null
    lastSerial: number | null
    serialClock: number
  }>`
    select
      (select state from zones where name = ${name} and account_id = ${accountId} and state <> 'deleted') as own,
      exists (select from zones where name = ${name} and account_id <> ${accountId} and state = 'live') as taken,
      exists (select from zones where name = ${name} and account_id <> ${accountId} and state = 'pending') as "isAwaited",
      ${othersOf(name, accountId)} as others,
      (select json_build_object('id', id, 'name', name, 'isOwn', account_id = ${accountId}) from zones
        where name = any(${namesAbove(name)}) and state = 'live' order by length(name) desc limit 1) as parent,
      greatest((select max(serial) from zones where name = ${name}), (select serial from zone_serials where name = ${name})) as "lastSerial",
      ${serialClock} as "serialClock"`.execute(db)
  const row = rows[0]
  if (row === undefined) throw new Error('no answer')
  return {
    own: row.own ?? undefined,
    taken: row.taken,
    isAwaited: row.isAwaited,
    others: row.others,
    parent: row.parent ?? undefined,
    lastSerial: row.lastSerial ?? undefined,
    serialClock: row.serialClock,
  }
}

/** A new, unique catalog label: a zone that is deleted and added again must be transferred again (RFC 9432 §5.4). */
function newCatalogLabel(): string {
  return randomBytes(10).toString('hex')
}
