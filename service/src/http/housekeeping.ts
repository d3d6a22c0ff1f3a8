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

/** Creates missing partitions: those of the coming days, and those of released events that have no position yet. */
export async function ensurePartitions(db: Db): Promise<void> {
  await sql`select ensure_all_partitions()`.execute(db)
}
