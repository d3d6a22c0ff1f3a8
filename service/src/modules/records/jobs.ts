import type { RecurringJob } from '#platform/work/jobs.ts'
import { forgetVersions } from './history-store.ts'
import { type RemovalParts, removeUnwritable } from './remove-unwritable.ts'

/** How much of a zone's history is kept: a year, or this many versions if that is more (design: zones, "Health"). */
const history = { days: 365, kept: 1_000 }

export function recordJobs(parts: Omit<RemovalParts, 'database'>): readonly RecurringJob[] {
  return [
    {
      name: 'forget-versions',
      cron: '15 4 * * *',
      run: async ({ db }) => {
        await forgetVersions(db, history)
      },
    },
    {
      // Has work once, after its migration, and again when a zone that was deleted then is restored.
      name: 'remove-unwritable-records',
      cron: '*/5 * * * *',
      run: (database) => removeUnwritable({ ...parts, database }),
    },
  ]
}
