import { type Db, type Statement, sql, type Tx } from '#platform/postgres/index.ts'
import type { AliasError } from './rules.ts'

/** The addresses that an ALIAS publishes at its name. */
export interface PublishedAlias {
  readonly zoneId: string
  readonly name: string
  readonly target: string
  readonly rrsetTtl: number
  readonly ttl: number
  readonly a: readonly string[]
  readonly aaaa: readonly string[]
  /** The revision of the target that it publishes. */
  readonly revision: number
}

const columns = sql`
  a.zone_id as "zoneId", a.name, a.target, a.rrset_ttl as "rrsetTtl", a.ttl, a.a, a.aaaa, a.revision`

/** Where an ALIAS is. */
export interface AliasPlace {
  readonly zoneId: string
  readonly name: string
}

/** What the ALIAS records at these places publish. Lock the zones first. */
export async function readPublished(tx: Tx, places: readonly AliasPlace[]): Promise<PublishedAlias[]> {
  const { rows } = await sql<PublishedAlias>`
    select ${columns} from ${placeRows(places)} join zone_aliases a on a.zone_id = place."zoneId" and a.name = place.name`.execute(
    tx,
  )
  return rows
}

const placeRows = sql.recordset('place', '"zoneId" uuid, name text')

/** The current addresses of a target. */
export interface TargetAddresses {
  readonly target: string
  readonly ttl: number
  readonly a: readonly string[]
  readonly aaaa: readonly string[]
  readonly revision: number
}

/** The known ones of these targets, locked until the transaction ends. Lock the zones first. */
export async function holdTargets(tx: Tx, targets: readonly string[]): Promise<TargetAddresses[]> {
  const { rows } = await sql<TargetAddresses>`
    select target, ttl, a, aaaa, revision from alias_targets where target = any(${targets}::text[])
    order by target for share`.execute(tx)
  return rows
}

/** Writes what ALIAS records publish from now on. */
export function publishStatement(aliases: readonly PublishedAlias[]): Statement {
  return sql`
    insert into zone_aliases (zone_id, name, target, rrset_ttl, ttl, a, aaaa, revision)
    select "zoneId", name, target, "rrsetTtl", ttl, a, aaaa, revision from ${publishedRows(aliases)}
    on conflict (zone_id, name) do update set target = excluded.target, rrset_ttl = excluded.rrset_ttl, ttl = excluded.ttl,
      a = excluded.a, aaaa = excluded.aaaa, revision = excluded.revision
    returning name`
}

const publishedRows = sql.recordset(
  'now',
  '"zoneId" uuid, name text, target text, "rrsetTtl" int, ttl int, a text[], aaaa text[], revision bigint',
)

/** Deletes what removed ALIAS records published. */
export function unpublishStatement(places: readonly AliasPlace[]): Statement {
  return sql`
    delete from zone_aliases a using ${placeRows(places)}
    where a.zone_id = place."zoneId" and a.name = place.name returning a.name`
}

/** Adds unknown targets, for the worker to look up. */
export function addTargetsStatement(targets: readonly string[]): Statement {
  return sql`
    insert into alias_targets (target) select target from unnest(${[...targets].sort()}::text[]) target
    on conflict do nothing returning target`
}

/**
 * The rrsets that a zone publishes, without the SOA and NS at its apex, as a subquery with the columns of `zone_rrsets` that answers need: the
 * A and AAAA rrsets of its ALIAS records replace the ALIAS records.
 */
export function servedRrsets(zoneId: Statement): Statement {
  return sql`(
    select name, type, ttl, records from zone_rrsets where zone_id = ${zoneId} and type <> 'ALIAS'
    union all
    select a.name, family.type, a.ttl, family.records from zone_aliases a
    cross join lateral (values ('A', a.a), ('AAAA', a.aaaa)) family(type, records)
    where a.zone_id = ${zoneId} and cardinality(family.records) > 0)`
}

/** An ALIAS with the state of its target, for the API. */
export interface ResolvedAlias {
  readonly name: string
  readonly target: string
  readonly ttl: number
  readonly a: readonly string[]
  readonly aaaa: readonly string[]
  /** When the target was last looked up; null: not yet. */
  readonly checkedAt: Date | null
  /** Why that failed; null: it found addresses, or there was no lookup yet. */
  readonly error: AliasError | null
  /** How many addresses the target has, also if fewer are published. */
  readonly found: number
}

/** The ALIAS records of a zone at these names, or all, with what is published for them. */
export async function readResolved(
  db: Db,
  zoneId: string,
  names?: readonly string[],
): Promise<ReadonlyMap<string, ResolvedAlias>> {
  const which = names === undefined ? sql`true` : sql`a.name = any(${names}::text[])`
  const { rows } = await sql<ResolvedAlias>`
    select a.name, a.target, a.ttl, a.a, a.aaaa, t.checked_at as "checkedAt", t.error, coalesce(t.found, 0) as found
    from zone_aliases a left join alias_targets t on t.target = a.target
    where a.zone_id = ${zoneId} and ${which}`.execute(db)
  return new Map(rows.map((row) => [row.name, row]))
}
