import type { RecurringJob } from '#platform/work/jobs.ts'
import { dropOldInvitations } from './store.ts'

export const sharingJobs: readonly RecurringJob[] = [
  { name: 'drop-old-invitations', cron: '25 * * * *', run: ({ db }) => dropOldInvitations(db) },
]
