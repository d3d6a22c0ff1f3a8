import { type Db, sql, type Tx } from '#platform/postgres/index.ts'

/** Is there an rrset that the job still has to look at or report? */
export async function isAnyUnwritable(db: Db): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from unwritable_rrsets) as found`.execute(db)
  return rows[0]?.found ?? false
}

/** Zones, not deleted ones, with rrsets that are still to be looked at: the next by id after `after`. */
export async function pageOfUnwritable(db: Db, after: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct u.zone_id as id from unwritable_rrsets u join zones z on z.id = u.zone_id
    where u.zone_id > ${after}::uuid and u.removed_in is null and z.state <> 'deleted'
    order by u.zone_id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** An rrset by its owner name and type. */
export interface RrsetKey {
  readonly name: string
  readonly type: string
}

/** The rrsets of a zone that are still to be looked at. The zone's row must be locked. */
export async function readUnwritable(tx: Tx, zoneId: string): Promise<RrsetKey[]> {
  const { rows } = await sql<RrsetKey>`
    select name, type from unwritable_rrsets where zone_id = ${zoneId} and removed_in is null
    order by name, type`.execute(tx)
  return rows
}

/** Notes that this version removed records from these rrsets, and forgets the zone's others, which may stay. */
export async function noteRemoved(
  tx: Tx,
  zoneId: string,
  version: number,
  removed: readonly RrsetKey[],
): Promise<void> {
  await sql`
    update unwritable_rrsets u set removed_in = ${version}
    from unnest(${removed.map(({ name }) => name)}::text[], ${removed.map(({ type }) => type)}::text[]) as r(name, type)
    where u.zone_id = ${zoneId} and u.removed_in is null and u.name = r.name and u.type = r.type`.execute(tx)
  await sql`delete from unwritable_rrsets where zone_id = ${zoneId} and removed_in is null`.execute(tx)
}

/** Accounts of whose zones records were removed and not reported yet, the next by id after `after`. */
export async function pageOfUnreported(db: Db, after: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct z.account_id as id from unwritable_rrsets u join zones z on z.id = u.zone_id
    where z.account_id > ${after}::uuid and u.removed_in is not null
    order by z.account_id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** What was removed from a zone. */
export interface RemovedFrom {
  readonly zone: string
  readonly version: number
  readonly rrsetCount: number
  /** The first of the rrsets, by name and type. */
  readonly rrsets: readonly RrsetKey[]
  /** All types that are among them. */
  readonly types: readonly string[]
}

/**
 * Takes out what was removed from an account's zones, to be reported in this transaction: of each zone at most `mostNamed` rrsets by
 * name. Whoever comes second finds nothing.
 */
export async function takeRemoved(tx: Tx, accountId: string, mostNamed: number): Promise<RemovedFrom[]> {
  const { rows } = await sql<RemovedFrom>`
    with taken as (
      delete from unwritable_rrsets u using zones z
      where z.id = u.zone_id and z.account_id = ${accountId} and u.removed_in is not null
      returning z.name as zone, u.removed_in as version, u.name, u.type
    ), placed as (
      select *, row_number() over (partition by zone, version order by name, type) as place from taken
    )
    select zone, version, count(*)::int as "rrsetCount", array_agg(distinct type) as types,
      json_agg(json_build_object('name', name, 'type', type) order by place) filter (where place <= ${mostNamed}) as rrsets
    from placed group by zone, version order by zone, version`.execute(tx)
  return rows
}
