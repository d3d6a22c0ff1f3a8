import type { CatalogEntry, CatalogState } from '#modules/primary/index.ts'
import { serialClock } from '#modules/zones/index.ts'
import { type Db, type Statement, sql, type Tx } from '#platform/postgres/index.ts'
import type { CatalogPlan, Member } from './rules.ts'

/** Gives the catalog its first serial, if it has none yet. Uses only the time, because on a new timeline this runs before `adoptTimeline`. */
export async function ensureCatalog(db: Db): Promise<void> {
  await sql`
    insert into catalog (serial) values (floor(extract(epoch from app_now()))::bigint) on conflict do nothing`.execute(
    db,
  )
}

/** Whether the catalog has a later serial than this one. */
export function isCatalogLaterThan(serial: number): Statement {
  return sql`(select serial from catalog) > ${serial}::int8`
}

/** Locks the catalog until the transaction ends. The holder writes the next serial. */
export async function lockCatalog(tx: Tx): Promise<CatalogState & { serialClock: number }> {
  const { rows } = await sql<CatalogState & { serialClock: number }>`
    select serial, member_count as "memberCount", ${serialClock} as "serialClock"
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

/** Removes members. Run it before the insert: a zone may be removed and added again in one batch. */
export function removeMembersStatement(members: readonly Member[]): Statement {
  return sql`
    delete from catalog_members where label = any(${members.map(({ label }) => label)}::text[]) returning label`
}

/** Gives the catalog this serial without a journal step, so that its secondaries fetch all of it. */
export async function writeCatalogSerial(tx: Tx, serial: number): Promise<void> {
  await sql`update catalog set serial = ${serial}`.execute(tx)
}

/** The statements that write a new serial: the added members, the journal's row, and the serial itself. */
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
