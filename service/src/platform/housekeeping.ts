import { sql } from './db.ts'
import { forgetAnswers } from './http/idempotency.ts'
import type { RecurringJob } from './jobs.ts'

/** Upkeep of the platform's own tables. */
export const housekeeping: readonly RecurringJob[] = [
  {
    name: 'ensure-partitions',
    cron: '10 * * * *',
    run: async ({ db }) => {
      await sql`select ensure_all_partitions()`.execute(db)
    },
  },
  {
    name: 'forget-idempotency-keys',
    cron: '20 * * * *',
    run: ({ db }) => forgetAnswers(db),
  },
]
