import { type Database, sql, type Tx } from '#platform/postgres/index.ts'

/**
 * Counts the rows that some work reads, in a separate transaction, in the tables whose names are `like` the pattern.
 *
 * The pieces of large values, which PostgreSQL keeps next to a table (TOAST), count as rows.
 */
export function rowsRead(database: Database, like: string, work: (tx: Tx) => Promise<unknown>): Promise<number> {
  return database.transact(async (tx) => {
    const before = await readLately(tx, like)
    await work(tx)
    return (await readLately(tx, like)) - before
  })
}

/** For this connection. Its earlier transactions may be included. */
async function readLately(tx: Tx, like: string): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select coalesce(sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)), 0)::int as read
    from pg_stat_xact_all_tables
    where relid in (select unnest(array[oid, reltoastrelid]) from pg_class where relname like ${like})`.execute(tx)
  return rows[0]?.read ?? 0
}
