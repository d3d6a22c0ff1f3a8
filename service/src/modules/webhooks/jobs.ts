import { dropOldEvents, retentionDays } from '#modules/events/index.ts'
import type { RecurringJob } from '#platform/jobs.ts'
import { dropDeliveries } from './store.ts'

/** Retention: whole days of events, deliveries and attempts go when they are 30 days old (specification, "Limits"). */
export const webhookJobs: readonly RecurringJob[] = [
  {
    name: 'drop-old-events',
    cron: '30 3 * * *',
    run: async (database) => {
      await dropDeliveries(database.db, retentionDays)
      await dropOldEvents(database)
    },
  },
]
