import type { RecurringJob } from '#platform/work/jobs.ts'
import { pruneCatalogJournal } from './catalog-store.ts'
import { pruneZoneJournals } from './journal-store.ts'
import { forgetRetired } from './nameserver-store.ts'

/** A secondary that was away for longer gets whole zones instead of differences. */
const journalDays = 30

/** Deletes old journals and removed nameservers. */
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
