import { type Db, sql } from '#platform/postgres/index.ts'
import type { RecurringJob } from '#platform/work/jobs.ts'
import { forgetAnswers } from './idempotency.ts'

/** Upkeep of the platform's own tables. */
export const housekeeping: readonly RecurringJob[] = [
  {
    name: 'ensure-partitions',
    cron: '10 * * * *',
    run: ({ db }) => ensurePartitions(db),
  },
  {
    name: 'forget-idempotency-keys',
    cron: '20 * * * *',
    run: ({ db }) => forgetAnswers(db),
  },
]

/** Makes the partitions that are missing: those of the coming days, and of released events that nobody has placed yet. */
export async function ensurePartitions(db: Db): Promise<void> {
  await sql`select ensure_all_partitions()`.execute(db)
}
