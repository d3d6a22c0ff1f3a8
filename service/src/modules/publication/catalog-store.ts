import { type Db, type Statement, sql, type Tx } from '#platform/postgres/index.ts'
import type { CatalogEntry, CatalogPlan, JournalStep, Member } from './rules.ts'

/** Longest line of catalog steps that an IXFR is answered with; whoever is further behind gets the whole catalog. */
const maxSteps = 10_000

export interface CatalogState {
  readonly serial: number
  readonly memberCount: number
}

/** Gives the catalog its first serial, where it has none yet. */
export async function ensureCatalog(db: Db): Promise<void> {
  await sql`
    insert into catalog (serial) values (floor(extract(epoch from app_now()))::bigint) on conflict do nothing`.execute(
    db,
  )
}

export async function readCatalogSerial(db: Db): Promise<number> {
  const { rows } = await sql<{ serial: number }>`select serial from catalog`.execute(db)
  return rows[0]?.serial ?? 0
}

/** Has the catalog a later serial than this one? */
export function isCatalogLaterThan(serial: number): Statement {
  return sql`(select serial from catalog) > ${serial}::int8`
}

/** Locks the catalog until the transaction ends. Whoever holds it writes the next serial; the time is in seconds. */
export async function lockCatalog(tx: Tx): Promise<CatalogState & { unixSeconds: number }> {
  const { rows } = await sql<CatalogState & { unixSeconds: number }>`
    select serial, member_count as "memberCount", floor(extract(epoch from app_now()))::bigint as "unixSeconds"
    from catalog for update`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new Error('the catalog has no row')
  return row
}

export async function readMembersNamed(db: Db, names: readonly string[]): Promise<Member[]> {
  const { rows } = await sql<Member>`
    select label, zone_name as zone, zone_id as "zoneId" from catalog_members
    where zone_name = any(${names}::text[])`.execute(db)
  return rows
}

/** Takes members out. Run it before the insert: a zone may leave and come again in one batch. */
export function removeMembersStatement(members: readonly Member[]): Statement {
  return sql`
    delete from catalog_members where label = any(${members.map(({ label }) => label)}::text[]) returning label`
}

/** Gives the catalog this serial, with no step that leads there: its secondaries fetch all of it. */
export async function writeCatalogSerial(tx: Tx, serial: number): Promise<void> {
  await sql`update catalog set serial = ${serial}`.execute(tx)
}

/** What writes a new serial: the members that came, the journal's row, and the serial itself. */
export function catalogStatements(from: CatalogState, serial: number, { removed, added }: CatalogPlan): Statement[] {
  const entries = (members: readonly Member[]): string =>
    JSON.stringify(members.map(({ label, zone }): CatalogEntry => ({ label, zone })))
  return [
    sql`
      insert into catalog_members (zone_name, label, zone_id)
      select * from unnest(${added.map(({ zone }) => zone)}::text[], ${added.map(({ label }) => label)}::text[],
        ${added.map(({ zoneId }) => zoneId)}::uuid[]) returning label`,
    sql`
      insert into catalog_journal (from_serial, to_serial, removed, added)
      values (${from.serial}, ${serial}, ${entries(removed)}::json, ${entries(added)}::json) returning to_serial`,
    sql`
      update catalog set serial = ${serial}, member_count = ${from.memberCount + added.length - removed.length}
      returning serial`,
  ]
}

/** The catalog's serial, and its journal from the 32-bit serial `have` on, oldest first; null: no journal. */
export async function readCatalogJournal(
  db: Db,
  have: number | null,
): Promise<CatalogState & { journal: readonly JournalStep<CatalogEntry>[] }> {
  const { rows } = await sql<CatalogState & { journal: JournalStep<CatalogEntry>[] }>`
    select c.serial, c.member_count as "memberCount", coalesce(j.journal, '[]') as journal
    from catalog c
    left join lateral (
      select json_agg(json_build_object('from', from_serial, 'to', to_serial, 'removed', removed, 'added', added)
        order by to_serial) as journal
      from (
        select * from catalog_journal
        where (c.serial - ${have}::int8) & 4294967295 < 2147483648
          and to_serial > c.serial - ((c.serial - ${have}::int8) & 4294967295) and to_serial <= c.serial
        order by to_serial limit ${maxSteps + 1}
      ) steps
    ) j on ${have}::int8 is not null`.execute(db)
  return rows[0] ?? { serial: 0, memberCount: 0, journal: [] }
}

/** Every member with the serial that they belong to: one statement is one snapshot. */
export async function readWholeCatalog(db: Db): Promise<{ serial: number; members: readonly CatalogEntry[] }> {
  const { rows } = await sql<{ serial: number } & (CatalogEntry | { label: null })>`
    select c.serial, m.label, m.zone_name as zone from catalog c left join catalog_members m on true
    order by m.label`.execute(db)
  return { serial: rows[0]?.serial ?? 0, members: rows.filter((row) => row.label !== null) }
}

/** Forgets the catalog's steps that are older than `days`, or more than an IXFR is answered with. */
export async function pruneCatalogJournal(db: Db, days: number): Promise<void> {
  await sql`
    delete from catalog_journal where at < app_now() - ${days}::int * interval '1 day'
      or to_serial <= (select to_serial from catalog_journal order by to_serial desc offset ${maxSteps} limit 1)`.execute(
    db,
  )
}
