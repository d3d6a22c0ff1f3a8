import { type Database, type Db, sql, type Tx } from '#platform/postgres/index.ts'
import { eventually } from './eventually.ts'

/**
 * Runs two pieces of work concurrently. The second one starts just before transaction `number` (from 1) of the first one commits. After
 * that commit, the first one continues only once the second one has finished, so that every run of the same two pieces is the same.
 *
 * `first` must work with the database that it is given, a copy of `database`. `second` must work with `other`, another pool, as another
 * process would.
 */
export async function crossed(
  { database, other, number }: { readonly database: Database; readonly other: Database; readonly number: number },
  first: (database: Database) => Promise<void>,
  second: () => Promise<void>,
): Promise<void> {
  let transactions = 0
  const crossing: Database = {
    ...database,
    transact: async (work) => {
      let beside: Promise<void> | undefined
      const result = await database.transact(async (tx) => {
        const worked = await work(tx)
        if (++transactions === number) {
          beside = second()
          await untilBlockedBy(tx, other.db, beside)
        }
        return worked
      })
      await beside
      return result
    },
  }
  await first(crossing)
}

/** Waits until a statement waits for a lock of this transaction, or the work has settled. */
async function untilBlockedBy(tx: Tx, db: Db, work: Promise<unknown>): Promise<void> {
  let isSettled = false
  const settle = (): void => {
    isSettled = true
  }
  work.then(settle, settle)
  const { rows: holders } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
  await eventually('the second piece of work ends, or waits for the first', async () => {
    if (isSettled) return true
    const { rows } = await sql`
      select 1 from pg_stat_activity where datname = current_database() and ${holders[0]?.pid} = any(pg_blocking_pids(pid))`.execute(
      db,
    )
    return rows.length > 0
  })
}
