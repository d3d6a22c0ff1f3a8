import type { Delegate } from '#modules/zones/index.ts'
import type { RecurringJob } from '#platform/work/jobs.ts'
import { eraseHeldAccounts } from './erase-accounts.ts'

export function erasureJobs({ delegate }: { delegate: Delegate }): readonly RecurringJob[] {
  return [
    {
      name: 'erase-held-accounts',
      cron: '35 * * * *',
      run: async (database) => {
        await eraseHeldAccounts(database, delegate)
      },
    },
  ]
}
