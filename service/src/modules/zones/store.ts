import { randomBytes } from 'node:crypto'
import type { RawBuilder } from 'kysely'
import { type Db, type Statement, sql, type Tx } from '#platform/db.ts'
import type { Surroundings } from './rules.ts'
import type { ZoneName, ZoneRef } from './zone-name.ts'

/** A zone as a use case holds it. `recipients` are the accounts that its events go to: the owner and every manager. */
export interface ZoneRow {
  readonly id: string
  readonly name: string
  readonly accountId: string
  readonly state: 'pending' | 'live'
  readonly origin: 'verified' | 'bought' | 'claimed' | 'added'
  readonly version: number
  readonly serial: number
  readonly rrsetCount: number
  readonly catalogLabel: string
  readonly createdAt: Date
  readonly recipients: string[]
}

export interface NewZone {
  readonly name: ZoneName
  readonly accountId: string
  readonly state: 'pending' | 'live'
  readonly origin: ZoneRow['origin']
  readonly serial: number
}

/** The columns of a ZoneRow, of a table or subquery that goes by the name `z`. */
export const zoneColumns = sql`
  z.id, z.name, z.account_id as "accountId", z.state, z.origin, z.version, z.serial, z.rrset_count as "rrsetCount",
  z.catalog_label as "catalogLabel", z.created_at as "createdAt",
  array(select z.account_id union all select m.account_id from zone_managers m where m.zone_id = z.id) as recipients`

/**
 * The zone that a reference means for an account, as a subquery of `zones` rows: its own or one that it manages.
 * By name: a live one that it can see, else its own pending one (design: api, "Conventions").
 */
export function visibleZone(ref: ZoneRef, accountId: RawBuilder<unknown>): RawBuilder<unknown> {
  const managed = sql`exists (select from zone_managers m where m.zone_id = z.id and m.account_id = ${accountId})`
  return 'id' in ref
    ? sql`select z.* from zones z where z.id = ${ref.id}::uuid and z.state <> 'deleted' and (z.account_id = ${accountId} or ${managed})`
    : sql`
        select z.* from zones z
        where z.name = ${ref.name}
          and ((z.state = 'live' and (z.account_id = ${accountId} or ${managed})) or (z.state = 'pending' and z.account_id = ${accountId}))
        order by z.state = 'live' desc limit 1`
}

export async function readZone(db: Db, zoneId: string): Promise<ZoneRow | undefined> {
  const { rows } =
    await sql<ZoneRow>`select ${zoneColumns} from zones z where z.id = ${zoneId} and z.state <> 'deleted'`.execute(db)
  return rows[0]
}

/** The live zone of a name, whoever owns it. */
export async function liveZoneNamed(db: Db, name: string): Promise<ZoneRow | undefined> {
  const { rows } =
    await sql<ZoneRow>`select ${zoneColumns} from zones z where z.name = ${name} and z.state = 'live'`.execute(db)
  return rows[0]
}

/** The zone with its row locked until the transaction ends, so that its serials and events keep one order. */
export async function lockZone(tx: Tx, zoneId: string): Promise<ZoneRow | undefined> {
  const { rows } = await sql<ZoneRow>`
    select ${zoneColumns} from zones z where z.id = ${zoneId} and z.state <> 'deleted' for no key update of z`.execute(
    tx,
  )
  return rows[0]
}

export async function insertZone(tx: Tx, zone: NewZone): Promise<ZoneRow> {
  const { rows } = await sql<ZoneRow>`
    with z as (
      insert into zones (name, account_id, state, origin, serial, catalog_label)
      values (${zone.name}, ${zone.accountId}, 'pending', ${zone.origin}, ${zone.serial}, ${newCatalogLabel()}) returning *)
    select ${zoneColumns} from z`.execute(tx)
  return rows[0] as ZoneRow
}

export async function markLive(tx: Tx, zoneId: string): Promise<ZoneRow> {
  const { rows } = await sql<ZoneRow>`
    with z as (update zones set state = 'live', live_at = app_now() where id = ${zoneId} returning *) select ${zoneColumns} from z`.execute(
    tx,
  )
  return rows[0] as ZoneRow
}

export async function markDeleted(tx: Tx, zoneId: string): Promise<void> {
  await sql`update zones set state = 'deleted', deleted_at = app_now() where id = ${zoneId}`.execute(tx)
  await sql`delete from api_key_zones where zone_id = ${zoneId}`.execute(tx)
}

/** Notes that a zone came to the nameservers or left them; publication takes it from here. */
export async function insertMove(
  tx: Tx,
  zone: Pick<ZoneRow, 'id' | 'name' | 'catalogLabel'>,
  live: boolean,
): Promise<void> {
  await sql`insert into zone_moves (zone_id, zone_name, catalog_label, live)
    values (${zone.id}, ${zone.name}, ${zone.catalogLabel}, ${live})`.execute(tx)
}

/** One coming or going of a zone. */
export interface ZoneMove {
  readonly zoneId: string
  readonly zoneName: string
  readonly catalogLabel: string
  readonly live: boolean
}

/** Takes the oldest moves, in their order. They are gone once the transaction commits. */
export async function takeMoves(tx: Tx, max: number): Promise<ZoneMove[]> {
  const { rows } = await sql<ZoneMove>`
    with taken as (delete from zone_moves where id in (select id from zone_moves order by id limit ${max}) returning *)
    select zone_id as "zoneId", zone_name as "zoneName", catalog_label as "catalogLabel", live from taken order by id`.execute(
    tx,
  )
  return rows
}

/** The zone's new place after a change of its records, as a value to run together with the records. */
export function advanceStatement(zone: { id: string; version: number; serial: number; rrsetCount: number }): Statement {
  return sql`update zones set version = ${zone.version}, serial = ${zone.serial}, rrset_count = ${zone.rrsetCount}
    where id = ${zone.id} returning id`
}

export async function surroundingsOf(
  db: Db,
  name: ZoneName,
  accountId: string,
): Promise<Surroundings & { lastSerial: number | undefined; unixSeconds: number }> {
  const { rows } = await sql<{
    own: 'pending' | 'live' | null
    taken: boolean
    foreignAncestor: string | null
    zonesOfAccount: number
    lastSerial: number | null
    unixSeconds: number
  }>`
    select
      (select state from zones where name = ${name} and account_id = ${accountId} and state <> 'deleted') as own,
      exists (select from zones where name = ${name} and account_id <> ${accountId} and state = 'live') as taken,
      (select name from zones where name = any(${ancestorsOf(name)}) and account_id <> ${accountId} and state = 'live' limit 1) as "foreignAncestor",
      (select count(*) from zones where account_id = ${accountId} and state <> 'deleted')::int as "zonesOfAccount",
      (select max(serial) from zones where name = ${name}) as "lastSerial",
      floor(extract(epoch from app_now()))::bigint as "unixSeconds"`.execute(db)
  const row = rows[0]
  if (row === undefined) throw new Error('no answer')
  return {
    own: row.own ?? undefined,
    taken: row.taken,
    foreignAncestor: row.foreignAncestor ?? undefined,
    zonesOfAccount: row.zonesOfAccount,
    lastSerial: row.lastSerial ?? undefined,
    unixSeconds: row.unixSeconds,
  }
}

function ancestorsOf(name: string): string[] {
  const labels = name.split('.')
  return labels.slice(1).map((_, i) => labels.slice(i + 1).join('.'))
}

/** A label that no other member has or had: a zone deleted and added again must be transferred anew (RFC 9432 §5.4). */
function newCatalogLabel(): string {
  return randomBytes(10).toString('hex')
}
