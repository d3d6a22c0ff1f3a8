import type { Notes } from '@zonewright/contract'
import type { DomainName } from '@zonewright/dns'
import type { NamesOfType } from '#modules/api-keys/index.ts'
import {
  absolute,
  advanceStatement,
  relativeToRoot,
  serialClock,
  uncheckedSerialClock,
  type ZoneAdvance,
  type ZoneRow,
  zoneColumns,
} from '#modules/zones/index.ts'
import type { Actor } from '#platform/caller.ts'
import { byIndexAlone, type Db, type Statement, sql, type Tx } from '#platform/postgres/index.ts'
import type { RrsetMove, StoredRrset } from './rrset.ts'
import { namesAboveOwner } from './rules.ts'
import type { LockedZone } from './zone-draft.ts'
import { childAbove } from './zone-names.ts'

/** A zone to lock, and the owner names whose rrsets are read, together with the DNAMEs above them (undefined: all rrsets). */
export interface ZoneWish {
  readonly id: string
  readonly names: readonly string[] | undefined
}

/** Whether a statement waits for zones that another transaction has locked, or skips them. `unlocked`: it only reads, and locks nothing. */
export type Patience = 'wait' | 'skip' | 'unlocked'

/**
 * Locks zones and reads their rrsets. Omits zones that are gone and, with `skip`, zones that another transaction has locked.
 *
 * This takes one round trip, unless it waited for another writer: then the snapshot of the statement is older than the lock, and the
 * rrsets are read again. Reading them only in the locking statement loses writes (measured: 54 of 400 adds kept).
 * Several zones are locked only with `skip`: a statement that never waits needs no lock order.
 */
export async function lockZonesAndRead(tx: Tx, wishes: readonly ZoneWish[], patience: Patience): Promise<LockedZone[]> {
  const isWhole = wishes.some(({ names }) => names === undefined)
  const skipping = patience === 'skip' ? sql`skip locked` : sql``
  const locked =
    patience === 'unlocked'
      ? sql`select * from zones where id = wish.id and state <> 'deleted'`
      : sql`select * from zones where id = wish.id and state <> 'deleted' for no key update ${skipping}`
  // Sent with the statement below, for its plan and for the plans of the statements that write.
  const settings = tx.apply(byIndexAlone)
  const locking = sql<ReadZone>`
      with z as (
        select locked.*, wish.names, wish.above
        from ${wished(wishes.map(withAbove))}
        cross join lateral (${locked}) locked
      )
      select ${zoneColumns}, app_now() as now, ${serialClock} as "serialClock", ${hasWildcards} as "hasWildcards",
        (select serial from zones where id = z.id) as "readSerial",
        ${isWhole ? sql`page.rrsets from z left join lateral ${rrsetsInPages(sql`z.id`)} page on true order by z.id, page.n` : sql`${rrsetsAt(sql`z.id`, sql`z.names`, sql`z.above`)} as rrsets from z`}`.execute(
    tx,
  )
  const [, { rows }] = await Promise.all([settings, locking])
  const wishOf = new Map(wishes.map((wish) => [wish.id, wish]))
  const zones: LockedZone[] = []
  for (const { readSerial, rrsets, ...zone } of isWhole ? withPagesTogether(rows) : rows) {
    const wish = wishOf.get(zone.id)
    if (readSerial === zone.serial || wish === undefined) zones.push({ ...zone, rrsets })
    else zones.push({ ...zone, rrsets: await readRrsetsAt(tx, wish) })
  }
  return zones
}

const wished = sql.recordset('wish', 'id uuid, names text[], above text[]')

/** The names above the requested names that are not among them. */
function withAbove(wish: ZoneWish): ZoneWish & { readonly above: readonly string[] } {
  const names = new Set(wish.names)
  const above = new Set([...names].flatMap(namesAboveOwner))
  return { ...wish, above: [...above].filter((name) => !names.has(name)) }
}

async function readRrsetsAt(tx: Tx, wish: ZoneWish): Promise<StoredRrset[]> {
  const { id, names, above } = withAbove(wish)
  const found =
    names === undefined
      ? sql`page.rrsets from ${rrsetsInPages(sql`${id}::uuid`)} page order by page.n`
      : sql`${rrsetsAt(sql`${id}::uuid`, sql`${[...names]}::text[]`, sql`${[...above]}::text[]`)} as rrsets`
  const { rows } = await sql<{ rrsets: StoredRrset[] }>`select ${found}`.execute(tx)
  return rows.flatMap(({ rrsets }) => rrsets)
}

/** The result of `zonePreloadColumn`: times are text. */
export interface ZonePreloadRow extends Omit<LockedZone, 'createdAt' | 'now'> {
  readonly createdAt: string
  readonly now: string
}

/** The zone named `z` in the statement, with its rrsets at one owner name and the DNAMEs above it, as one JSON value (`ZonePreloadRow`). */
export function zonePreloadColumn(ownerName: Statement, above: Statement): Statement {
  return sql`(
    select row_to_json(planned) from (
      select ${zoneColumns}, app_now() as now, ${uncheckedSerialClock} as "serialClock", ${hasWildcards} as "hasWildcards", ${rrsetsAtOne(sql`z.id`, ownerName, above)} as rrsets
    ) planned)`
}

/** How many seconds the clock for serials may advance between the preload of a zone and its change. Each failover moves it much further. */
const maxPreloadAgeS = 600

/**
 * Locks zones that have not changed since they were read, for `requireAtCommit`: fails if one has changed, or if someone else has locked one.
 * Also fails if the database failed over after they were read: they may then have other contents with the same serials.
 */
export function holdStatement(
  zones: readonly Pick<LockedZone, 'id' | 'serial' | 'state' | 'serialClock'>[],
): Statement {
  const oldestClock = Math.min(...zones.map((zone) => zone.serialClock))
  return sql`
    select ${byIndexAlone}, case when ${serialClock} > ${oldestClock + maxPreloadAgeS}::bigint or ${zones.length}::int > (
      select count(*) from ${readZones(zones)}
      cross join lateral (
        select true from zones where id = read.id and serial = read.serial and state = read.state for no key update skip locked
      ) locked
    ) then refuse_stale() end`
}

const readZones = sql.recordset('read', 'id uuid, serial bigint, state text')

/** Whether this is the error of a failed `holdStatement`. */
export function isStale(error: unknown): boolean {
  return (error as { code?: unknown }).code === '40001'
}

interface ReadZone extends ZoneRow {
  readonly now: Date
  readonly serialClock: number
  readonly hasWildcards: boolean
  readonly readSerial: number
  readonly rrsets: StoredRrset[]
}

/** Zones whose pages of rrsets are rows; a zone without rrsets has one row with null. */
function withPagesTogether(
  rows: readonly (Omit<ReadZone, 'rrsets'> & { readonly rrsets: StoredRrset[] | null })[],
): ReadZone[] {
  return [...Map.groupBy(rows, ({ id }) => id).values()].flatMap((pages) => {
    const [zone] = pages
    return zone === undefined ? [] : [{ ...zone, rrsets: pages.flatMap(({ rrsets }) => rrsets ?? []) }]
  })
}

/** Rrsets in a page. A page is parsed as a whole: 32 MiB as one value would block the event loop for a quarter of a second. */
const rrsetsInPage = 250

/** All rrsets of a zone in order, as `n` and `rrsets` of each page. */
function rrsetsInPages(zoneId: Statement): Statement {
  return sql`(
    select r.n, ${asJson} as rrsets from (
      select *, (row_number() over (order by name, type) - 1) / ${rrsetsInPage}::int as n from zone_rrsets where zone_id = ${zoneId}
    ) r group by r.n)`
}

/** All rrsets at some names, and the DNAMEs at others, each looked up by its whole key. */
function rrsetsAt(zoneId: Statement, names: Statement, above: Statement): Statement {
  return sql`(
    select ${asJson} from (
      select * from zone_rrsets where zone_id = ${zoneId} and name = any(${names})
      union all
      select * from zone_rrsets where zone_id = ${zoneId} and name = any(${above}) and type = 'DNAME'
    ) r)`
}

/** The same for one name, in one scan of the index, which filters what it finds. */
function rrsetsAtOne(zoneId: Statement, name: Statement, above: Statement): Statement {
  return sql`(
    select ${asJson} from zone_rrsets r
    where zone_id = ${zoneId} and name = any(array[${name}] || ${above}) and (name = ${name} or type = 'DNAME'))`
}

/** Whether the zone named `z` in the statement has a wildcard. This is one lookup, because names are stored in byte order. */
const hasWildcards = sql`exists (select from zone_rrsets where zone_id = z.id and name >= '*.' and name < '*/')`

const asJson = sql`coalesce(
  json_agg(json_build_object('name', r.name, 'type', r.type, 'ttl', r.ttl, 'records', r.records, 'managed', r.managed) order by r.name, r.type), '[]')`

/** The rows that changes of records write. */
export interface ChangeRows {
  readonly places: readonly ZoneAdvance[]
  /** The customer's history. */
  readonly history: readonly HistoryRow[]
  readonly kept: readonly KeptRow[]
  readonly gone: readonly GoneRow[]
  /** The history of the secondaries. */
  readonly journal: readonly JournalRow[]
}

interface KeptRow extends StoredRrset {
  readonly zoneId: string
  /** ISO 8601. */
  readonly at: string
}

interface GoneRow {
  readonly zoneId: string
  readonly name: string
  readonly type: string
}

interface HistoryRow {
  readonly zone_id: string
  readonly version: number
  readonly serial: number
  readonly at: Date
  readonly actor_kind: Actor['kind']
  readonly actor_name: string
  readonly actor_id: string | null
  readonly source: string | null
  readonly changes_count: number
  readonly changes: readonly RrsetMove[]
}

interface JournalRow {
  readonly zone_id: string
  readonly from_serial: number
  readonly to_serial: number
  readonly removed: readonly object[]
  readonly added: readonly object[]
  readonly bytes: number
}

/** The statements that write these rows, to run together. Each is created when it is requested. `isLone`: one change of one rrset. */
export function* changeStatements(
  { places, history, kept, gone, journal }: ChangeRows,
  isLone: boolean,
): Generator<Statement> {
  yield advanceStatement(places, isLone)
  if (history.length > 0) yield changeStatement(history, isLone)
  if (kept.length > 0) yield upsertStatement(kept, isLone)
  if (gone.length > 0) yield deleteStatement(gone, isLone)
  if (journal.length > 0) yield journalStatement(journal, isLone)
}

function upsertStatement(rrsets: readonly KeptRow[], isLone: boolean): Statement {
  return sql`
    insert into zone_rrsets (zone_id, name, type, ttl, records, managed, updated_at)
    select "zoneId", name, type, ttl, records, coalesce(managed, false), at from ${keptRrsets(rrsets, isLone)}
    on conflict (zone_id, name, type) do update
      set ttl = excluded.ttl, records = excluded.records, managed = excluded.managed, updated_at = excluded.updated_at
    returning type`
}

const keptRrsets = sql.recordset(
  'r',
  `"zoneId" uuid, name text, type text, ttl int, records text[], managed boolean, at timestamptz`,
)

function deleteStatement(rrsets: readonly GoneRow[], isLone: boolean): Statement {
  return sql`
    delete from zone_rrsets r
    using ${goneRrsets(rrsets, isLone)}
    where r.zone_id = gone."zoneId" and r.name = gone.name and r.type = gone.type
    returning r.type`
}

const goneRrsets = sql.recordset('gone', '"zoneId" uuid, name text, type text')

function changeStatement(rows: readonly HistoryRow[], isLone: boolean): Statement {
  return sql`
    insert into zone_changes (zone_id, version, serial, at, actor_kind, actor_name, actor_id, source, changes_count, changes)
    select * from ${historySteps(rows, isLone)}
    returning version`
}

const historySteps = sql.recordset(
  'step',
  `zone_id uuid, version bigint, serial bigint, at timestamptz, actor_kind text, actor_name text,
   actor_id text, source text, changes_count int, changes json`,
)

function journalStatement(rows: readonly JournalRow[], isLone: boolean): Statement {
  return sql`
    insert into zone_journal (zone_id, from_serial, to_serial, removed, added, bytes)
    select * from ${journalSteps(rows, isLone)}
    returning to_serial`
}

const journalSteps = sql.recordset(
  'step',
  `zone_id uuid, from_serial bigint, to_serial bigint, removed json, added json, bytes bigint`,
)

/** An rrset with the time of its last change. */
export interface DatedRrset extends StoredRrset, Notes {
  readonly updatedAt: Date
}

const rrsetColumns = sql`name, type, ttl, records, managed, updated_at as "updatedAt", comment, labels`

export async function readRrset(db: Db, zoneId: string, name: string, type: string): Promise<DatedRrset | undefined> {
  const { rows } = await sql<DatedRrset>`
    select ${rrsetColumns} from zone_rrsets where zone_id = ${zoneId} and name = ${name} and type = ${type}`.execute(db)
  return rows[0]
}

/** A request for one rrset. */
export interface RrsetAsk {
  readonly zoneId: string
  readonly name: string
  readonly type: string
}

/** An rrset, or null if there is none, and the version of its zone. */
export interface FoundRrset {
  readonly version: number
  readonly rrset: DatedRrset | null
}

/** The result of `rrsetPreloadColumn`: times are text. */
export interface RrsetPreloadRow {
  readonly version: number
  readonly rrset: (Omit<DatedRrset, 'updatedAt'> & { readonly updatedAt: string }) | null
}

/** One rrset of the zone named `z` in the statement, as one JSON value (`RrsetPreloadRow`). */
export function rrsetPreloadColumn(name: Statement, type: Statement): Statement {
  return sql`json_build_object('version', z.version, 'rrset', (
    select row_to_json(r) from (
      select ${rrsetColumns} from zone_rrsets where zone_id = z.id and name = ${name} and type = ${type}
    ) r))`
}

/**
 * Rrsets of any zones, in the order of the requests; undefined if the zone is gone. `offset 0` makes PostgreSQL use the index for each lookup.
 */
export async function findRrsets(db: Db, asks: readonly RrsetAsk[]): Promise<(FoundRrset | undefined)[]> {
  const { rows } = await sql<DatedRrset & { n: number; version: number; isThere: boolean }>`
    select asked.n, z.version, r.name is not null as "isThere",
      r.name, r.type, r.ttl, r.records, r.managed, r.updated_at as "updatedAt", r.comment, r.labels
    from ${askedRrsets(asks.map((ask, n) => ({ n, ...ask })))}
    cross join lateral (select version from zones where id = asked."zoneId" and state <> 'deleted' offset 0) z
    left join lateral (
      select * from zone_rrsets where zone_id = asked."zoneId" and name = asked.name and type = asked.type offset 0) r on true`.execute(
    db,
  )
  const found = new Map(rows.map((row) => [row.n, row]))
  return asks.map((_, n) => {
    const row = found.get(n)
    if (row === undefined) return undefined
    const { n: _n, version, isThere, ...rrset } = row
    return { version, rrset: isThere ? rrset : null }
  })
}

const askedRrsets = sql.recordset('asked', 'n int, "zoneId" uuid, name text, type text')

/** The rrsets of a zone at some owner names. */
export async function readAtNames(db: Db, zoneId: string, names: readonly string[]): Promise<StoredRrset[]> {
  const { rows } = await sql<StoredRrset>`
    select name, type, ttl, records, managed from zone_rrsets where zone_id = ${zoneId} and name = any(${names}::text[])`.execute(
    db,
  )
  return rows
}

/** Every rrset of a zone, with its serial, from one snapshot. */
export async function readWholeZone(
  db: Db,
  zoneId: string,
): Promise<{ zone: ZoneRow; rrsets: StoredRrset[]; now: Date; serialClock: number } | undefined> {
  const { rows } = await sql<ZoneRow & { rrsets: StoredRrset[] | null; now: Date; serialClock: number }>`
    select ${zoneColumns}, app_now() as now, ${uncheckedSerialClock} as "serialClock", page.rrsets from zones z
    left join lateral ${rrsetsInPages(sql`z.id`)} page on true
    where z.id = ${zoneId} and z.state <> 'deleted' order by page.n`.execute(db)
  const row = rows[0]
  if (row === undefined) return undefined
  const { rrsets: _, now, serialClock, ...zone } = row
  return { zone, rrsets: rows.flatMap(({ rrsets }) => rrsets ?? []), now, serialClock }
}

/** Every MX and NS record set of a zone. */
export async function readHostRrsets(db: Db, zoneId: string): Promise<StoredRrset[]> {
  const { rows } = await sql<StoredRrset>`
    select name, type, ttl, records from zone_rrsets where zone_id = ${zoneId} and type in ('MX', 'NS') order by name, type`.execute(
    db,
  )
  return rows
}

/**
 * The types at some names of a zone, around them, and at the apex: enough to decide whether the names exist, which wildcard covers
 * them, and whether they are below a delegation or a DNAME.
 */
export async function readOutline(
  db: Db,
  zone: { readonly id: string; readonly name: string },
  names: readonly DomainName[],
): Promise<{ name: string; type: string }[]> {
  const apex = absolute(zone.name)
  const branches = new Set(names.filter((name) => name !== apex).map((name) => relativeToRoot(childAbove(name, apex))))
  const { rows } = await sql<{ name: string; type: string }>`
    select name, type from zone_rrsets
    where zone_id = ${zone.id} and (
      name = any(${[zone.name, `*.${zone.name}`, ...branches]}::text[])
      or exists (select from unnest(${[...branches].map((branch) => `.${branch}`)}::text[]) ending where right(name, length(ending)) = ending)
    )`.execute(db)
  return rows
}

export interface RrsetFilter {
  readonly limit: number
  readonly after: readonly string[] | undefined
  readonly name: string | undefined
  readonly type: string | undefined
  readonly q: string | undefined
  readonly onlyAcme: boolean
  /** The names of each type that are listed; undefined: all. */
  readonly limits: readonly NamesOfType[] | undefined
}

/** Up to `limit` + 1 of the rrsets after a position, by name and type. */
export async function pageOfRrsets(db: Db, zoneId: string, filter: RrsetFilter): Promise<DatedRrset[]> {
  const { after, name, type, q, limits } = filter
  const { rows } = await sql<DatedRrset>`
    select ${rrsetColumns} from zone_rrsets
    where zone_id = ${zoneId}${limits === undefined ? sql`` : sql` and ${isAllowed(limits)}`}
      and (${after?.[0] ?? null}::text is null or (name, type) > (${after?.[0] ?? null}, ${after?.[1] ?? null}))
      and (${name ?? null}::text is null or name = ${name ?? null})
      and (${type ?? null}::text is null or type = ${type ?? null})
      and (${q ?? null}::text is null or position(lower(${q ?? null}) in name) > 0 or position(lower(${q ?? null}) in lower(array_to_string(records, ' '))) > 0)
      and (not ${filter.onlyAcme}::boolean or (type = 'TXT' and name like '\\_acme-challenge.%'))
    order by name, type limit ${filter.limit + 1}`.execute(db)
  return rows
}

/** Whether limits cover an rrset, as `RecordLimits.covers` decides it. A dot after an odd number of backslashes is part of a label. */
function isAllowed(limits: readonly NamesOfType[]): Statement {
  return sql`exists (
    select from ${namesOfTypes(limits)} where allowed.type = zone_rrsets.type and (
      zone_rrsets.name = any(allowed.names)
      or exists (
        select from unnest(allowed.above) above
        cross join lateral (select left(zone_rrsets.name, -length(above) - 1) as front) part
        where right(zone_rrsets.name, length(above) + 1) = '.' || above
          and (length(front) - length(rtrim(front, '\\'))) % 2 = 0)))`
}

const namesOfTypes = sql.recordset('allowed', 'type text, names text[], above text[]')

/** The names in a zone at which the service delegates to other zones hosted here. */
export async function managedNames(db: Db, zoneId: string): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`
    select name from zone_rrsets where zone_id = ${zoneId} and managed`.execute(db)
  return new Set(rows.map(({ name }) => name))
}
