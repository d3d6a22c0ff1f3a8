import { actorColumns, joinActor, type ShownActor } from '#modules/audit/index.ts'
import { type Db, type Statement, sql } from '#platform/postgres/index.ts'
import type { RrsetMove, Side } from './rrset.ts'

/** A version of a zone: one change of its records. The changed records are left out if they are many, because they may be megabytes. */
export interface Version extends ShownActor {
  readonly version: number
  readonly serial: number
  readonly at: Date
  readonly changesCount: number
  /** What it changed; null: more than `few`. */
  readonly changes: readonly RrsetMove[] | null
}

/** What a list of versions shows of a version: a page of 200 versions stays below 2 MB. */
const few = { changes: 3, bytes: 8_192 }
// The first two conditions do not read the document.
const fewChanges = sql`
  case when c.changes_count <= ${few.changes} and pg_column_size(c.changes) <= ${few.bytes} and octet_length(c.changes::text) <= ${few.bytes}
  then c.changes end`
const columns = sql`c.version, c.serial, c.at, ${actorColumns('c')}, c.changes_count as "changesCount", ${fewChanges} as changes`
const versions = sql`zone_changes c ${joinActor('c')}`

/** Up to `limit` + 1 of a zone's versions before the given one, newest first. */
export async function pageOfVersions(
  db: Db,
  zoneId: string,
  { below, limit }: { below: string | undefined; limit: number },
): Promise<Version[]> {
  const { rows } = await sql<Version>`
    select ${columns} from ${versions}
    where c.zone_id = ${zoneId} and c.version < coalesce(${below ?? null}::bigint, 9223372036854775807)
    order by c.version desc limit ${limit + 1}`.execute(db)
  return rows
}

export async function readVersion(db: Db, zoneId: string, version: number): Promise<Version | undefined> {
  const { rows } = await sql<Version>`
    select ${columns} from ${versions} where c.zone_id = ${zoneId} and c.version = ${version}`.execute(db)
  return rows[0]
}

/**
 * What a version changed; undefined if the history has no such version.
 *
 * Returns a row for each rrset: parsing 30 MB of JSON as one value would block the event loop.
 */
export async function changesOf(db: Db, zoneId: string, version: number): Promise<readonly RrsetMove[] | undefined> {
  const { rows } = await sql<{ move: RrsetMove | null }>`
    select m.move from zone_changes c left join lateral json_array_elements(c.changes) with ordinality as m(move, place) on true
    where c.zone_id = ${zoneId} and c.version = ${version} order by m.place`.execute(db)
  return rows.length === 0 ? undefined : rows.flatMap(({ move }) => move ?? [])
}

/** A former state of an rrset. */
export interface PastRrset {
  readonly name: string
  readonly type: string
  readonly then: Side
}

/**
 * Every rrset that changed after a version, in its state at that version. Undefined if the history does not reach back that far.
 *
 * This state is what the first later change replaced.
 */
export async function rrsetsAt(db: Db, zoneId: string, version: number): Promise<PastRrset[] | undefined> {
  const { rows } = await sql<{ isWhole: boolean; rrset: PastRrset | null }>`
    with later as materialized (select version, changes from zone_changes where zone_id = ${zoneId} and version > ${version}),
    first_moves as (
      select distinct on (move.name, move.type) move.name, move.type, move.before
      from later cross join lateral json_to_recordset(later.changes) as move(name text, type text, before json)
      order by move.name, move.type, later.version
    ),
    history as (
      select ${version}::bigint <= z.version and (select count(*) from later) = z.version - ${version}::bigint as "isWhole"
      from zones z where z.id = ${zoneId}
    )
    select h."isWhole", case when m.name is not null then json_build_object('name', m.name, 'type', m.type, 'then', m.before) end as rrset
    from history h left join first_moves m on h."isWhole" order by m.name, m.type`.execute(db)
  return rows[0]?.isWhole ? rows.flatMap(({ rrset }) => rrset ?? []) : undefined
}

/** Maximum number of targets that are looked up before a restore. */
const maxTargets = 100

/** Targets of the ALIAS records that were changed or deleted after a version, as host names without the final dot. */
export async function targetsSince(db: Db, zoneId: string, version: number): Promise<string[]> {
  const { rows } = await sql<{ target: string }>`
    select distinct rtrim(move.before->'records'->>0, '.') as target
    from zone_changes c cross join lateral json_to_recordset(c.changes) as move(type text, before json)
    where c.zone_id = ${zoneId} and c.version > ${version} and move.type = 'ALIAS' and move.before is not null
    limit ${maxTargets}`.execute(db)
  return rows.map(({ target }) => target)
}

/** Maximum number of zones that one statement checks, and of versions that it deletes, so that no statement takes long. */
const page = { zones: 1_000, versions: 5_000 }

/**
 * Deletes versions of zones that are older than `days` and not among the latest `kept`. Returns their number.
 *
 * Versions are ordered by time, so the versions to delete are the first ones of each zone.
 */
export async function forgetVersions(db: Db, { kept, days }: { kept: number; days: number }): Promise<number> {
  const old = sql`at < app_now() - make_interval(days => ${days})`
  let forgotten = 0
  for (;;) {
    const { rows } = await sql<{ id: string; upTo: number }>`
      select z.id, z.version - ${kept} as "upTo" from zones z cross join lateral (
        select version, at from zone_changes where zone_id = z.id order by version limit 1
      ) first
      where z.version > ${kept} and first.version <= z.version - ${kept} and first.${old} limit ${page.zones}`.execute(
      db,
    )
    if (rows.length === 0) return forgotten
    for (const { id, upTo } of rows)
      forgotten += await forgetFirst(db, sql`zone_id = ${id} and version <= ${upTo} and ${old}`)
  }
}

async function forgetFirst(db: Db, which: Statement): Promise<number> {
  const { rows } = await sql`
    delete from zone_changes where ctid = any(array(
      select ctid from zone_changes where ${which} limit ${page.versions})) returning 1`.execute(db)
  return rows.length
}
