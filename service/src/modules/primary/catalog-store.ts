import { type Db, sql } from '#platform/postgres/index.ts'
import type { CatalogEntry, JournalStep } from './rules.ts'

/** Maximum number of catalog steps in an IXFR; a secondary that is further behind gets the whole catalog. */
const maxSteps = 10_000

export interface CatalogState {
  readonly serial: number
  readonly memberCount: number
}

export async function readCatalogSerial(db: Db): Promise<number> {
  const { rows } = await sql<{ serial: number }>`select serial from catalog`.execute(db)
  return rows[0]?.serial ?? 0
}

/** The catalog's serial, and its journal from the 32-bit serial `have` on, oldest first; if `have` is null, no journal. */
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

/** All members with the serial that they belong to: one statement is one snapshot. */
export async function readWholeCatalog(db: Db): Promise<{ serial: number; members: readonly CatalogEntry[] }> {
  const { rows } = await sql<{ serial: number } & (CatalogEntry | { label: null })>`
    select c.serial, m.label, m.zone_name as zone from catalog c left join catalog_members m on true
    order by m.label`.execute(db)
  return { serial: rows[0]?.serial ?? 0, members: rows.filter((row) => row.label !== null) }
}

/** Deletes the catalog's steps that are older than `days`, and the oldest of those that are more than an IXFR may have. */
export async function pruneCatalogJournal(db: Db, days: number): Promise<void> {
  await sql`
    delete from catalog_journal where at < app_now() - ${days}::int * interval '1 day'
      or to_serial <= (select to_serial from catalog_journal order by to_serial desc offset ${maxSteps} limit 1)`.execute(
    db,
  )
}
