import type { RecurringJob } from '#platform/work/jobs.ts'
import { dropOldQuotes } from './quote-store.ts'

/** Recurring jobs of orders. */
export const orderJobs: readonly RecurringJob[] = [
  { name: 'drop-old-quotes', cron: '40 * * * *', run: ({ db }) => dropOldQuotes(db) },
]
