import type { RecurringJob } from '#platform/work/jobs.ts'
import { forgetAnswers } from './store.ts'

/** Deletes the answers to signed updates that can no longer be repeated. */
export const doorJobs: readonly RecurringJob[] = [
  { name: 'forget-update-answers', cron: '* * * * *', run: ({ db }) => forgetAnswers(db) },
]
