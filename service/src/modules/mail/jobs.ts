import type { RecurringJob } from '#platform/work/jobs.ts'
import { rememberDays } from './rules.ts'
import { forgetMails, giveUpOverdue } from './store.ts'

/** Deletes the content of emails that are no longer useful and, later, their rows. */
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
