import type { RecurringJob } from '#platform/work/jobs.ts'
import { forgetRegistrars } from './registrar-store.ts'

export const delegationJobs: readonly RecurringJob[] = [
  { name: 'forget-registrars', cron: '17 * * * *', run: ({ db }) => forgetRegistrars(db) },
]
