import { type Db, sql, type Tx } from '#platform/postgres/index.ts'

/** Whether the job still has to check or report any rrset. */
export async function isAnyUnwritable(db: Db): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from unwritable_rrsets) as found`.execute(db)
  return rows[0]?.found ?? false
}

/** The next existing zones after `after`, by id, with rrsets that the job has not checked yet. */
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

/** The rrsets of a zone that the job has not checked yet. The caller has locked the zone's row. */
export async function readUnwritable(tx: Tx, zoneId: string): Promise<RrsetKey[]> {
  const { rows } = await sql<RrsetKey>`
    select name, type from unwritable_rrsets where zone_id = ${zoneId} and removed_in is null
    order by name, type`.execute(tx)
  return rows
}

/** Records that this version removed records from these rrsets. The other rrsets of the zone are allowed, so they are removed from the list. */
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

/** The next accounts after `after`, by id, that were not yet notified of records removed from their zones. */
export async function pageOfUnreported(db: Db, after: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct z.account_id as id from unwritable_rrsets u join zones z on z.id = u.zone_id
    where z.account_id > ${after}::uuid and u.removed_in is not null
    order by z.account_id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** The records that were removed from a zone. */
export interface RemovedFrom {
  readonly zone: string
  readonly version: number
  readonly rrsetCount: number
  /** The first of the rrsets, by name and type. */
  readonly rrsets: readonly RrsetKey[]
  /** All types of these rrsets. */
  readonly types: readonly string[]
}

/**
 * Takes the removed records of an account's zones off the list, to be reported in this transaction: for each zone at most `mostNamed` rrsets by
 * name. A second worker finds nothing.
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
