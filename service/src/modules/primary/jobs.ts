import type { RecurringJob } from '#platform/work/jobs.ts'
import { pruneCatalogJournal } from './catalog-store.ts'
import { pruneZoneJournals } from './journal-store.ts'
import { forgetRetired } from './nameserver-store.ts'

/** A secondary that was away for longer gets whole zones instead of differences. */
const journalDays = 30

/** Upkeep of what secondaries are served from. */
export const primaryJobs: readonly RecurringJob[] = [
  {
    name: 'prune-journals',
    cron: '40 * * * *',
    run: async ({ db }) => {
      await pruneZoneJournals(db, journalDays)
      await pruneCatalogJournal(db, journalDays)
      await forgetRetired(db)
    },
  },
]
