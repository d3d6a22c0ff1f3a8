import type { RecurringJob } from '#platform/jobs.ts'
import { forgetVersions } from './history-store.ts'

/** How much of a zone's history stays: a year, and if that is fewer, so many versions (design: zones, "Health"). */
const history = { days: 365, kept: 1_000 }

export const recordJobs: readonly RecurringJob[] = [
  {
    name: 'forget-versions',
    cron: '15 4 * * *',
    run: async ({ db }) => {
      await forgetVersions(db, history)
    },
  },
]
