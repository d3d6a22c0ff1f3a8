import type { RecurringJob } from '#platform/work/jobs.ts'
import { rememberDays } from './rules.ts'
import { forgetMails, giveUpOverdue } from './store.ts'

/** Forgets what mails said that are of no use any more, and, later, that there were any. */
export const mailJobs: readonly RecurringJob[] = [
  {
    name: 'forget-mails',
    cron: '40 * * * *',
    run: async ({ db }) => {
      await giveUpOverdue(db)
      await forgetMails(db, rememberDays)
    },
  },
]
