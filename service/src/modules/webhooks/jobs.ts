import { dropOldEvents, retentionDays } from '#modules/events/index.ts'
import type { RecurringJob } from '#platform/work/jobs.ts'
import { sweepQueue } from './delete-endpoint.ts'
import { skipAll } from './disable-endpoint.ts'
import { dropHours } from './hours-store.ts'
import { disabledWithPending } from './state-store.ts'
import { dropDeliveries, dropEndedSecrets } from './store.ts'

/** Counts of hours that one statement removes. */
const maxDropped = 10_000

/** The recurring jobs of webhooks. */
export const webhookJobs: readonly RecurringJob[] = [
  {
    // Retention: whole days of events, deliveries and attempts are dropped when they are 30 days old (specification, "Limits").
    name: 'drop-old-events',
    cron: '30 3 * * *',
    run: async (database) => {
      await dropDeliveries(database.db, retentionDays)
      await dropOldEvents(database)
    },
  },
  {
    name: 'tidy-webhook-endpoints',
    cron: '40 * * * *',
    run: async (database) => {
      for (const id of await disabledWithPending(database.db)) await skipAll(database, id)
      await sweepQueue(database.db)
      await dropEndedSecrets(database.db)
      for (let dropped = maxDropped; dropped === maxDropped; )
        dropped = await dropHours(database.db, retentionDays, maxDropped)
    },
  },
]
