import { type Database, sql } from '#platform/postgres/index.ts'
import type { RecurringJob } from '#platform/work/jobs.ts'
import { forgetAnswers } from './idempotency.ts'

/** Upkeep of the platform's own tables. */
export const housekeeping: readonly RecurringJob[] = [
  {
    name: 'ensure-partitions',
    cron: '10 * * * *',
    run: ensurePartitions,
  },
  {
    name: 'forget-idempotency-keys',
    cron: '20 * * * *',
    run: ({ db }) => forgetAnswers(db),
  },
]

/**
 * Creates missing partitions: those of the coming days, and those of released events that have no position yet.
 *
 * It waits only a moment for the lock of a table, because every later statement about the table waits behind it.
 *
 * @throws the error of PostgreSQL (55P03) if a transaction holds the table; the next run tries again
 */
export async function ensurePartitions({ transact }: Pick<Database, 'transact'>): Promise<void> {
  await transact(async (tx) => {
    await sql`select set_config('lock_timeout', '1s', true)`.execute(tx)
    await sql`select ensure_all_partitions()`.execute(tx)
  })
}
