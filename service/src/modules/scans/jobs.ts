import type { RecurringJob } from '#platform/work/jobs.ts'
import { forgetScans } from './store.ts'

export const scanJobs: readonly RecurringJob[] = [
  { name: 'forget-scans', cron: '*/10 * * * *', run: ({ db }) => forgetScans(db) },
]
