import { type Db, sql } from '#platform/postgres/index.ts'
import { eventually } from './eventually.ts'

/** Waits until a statement of this database waits for a lock. */
export async function untilBlocked(db: Db): Promise<void> {
  await eventually('a statement waits for a lock', async () => {
    const { rows } = await sql`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    return rows.length > 0
  })
}
