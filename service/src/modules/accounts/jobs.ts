import type { RecurringJob } from '#platform/work/jobs.ts'
import { dropOldCodes } from './codes-store.ts'
import { dropOldDevices } from './devices-store.ts'
import { dropOldGuesses } from './guess-store.ts'
import { dropUnconfirmed } from './notification-store.ts'
import { dropOldChallenges } from './passkey-store.ts'
import { dropOldSignUps } from './sign-up-store.ts'
import { dropOldSignIns } from './store.ts'
import { dropOldTries } from './tries-store.ts'

export const accountJobs: readonly RecurringJob[] = [
  {
    name: 'forget-sign-ins',
    cron: '25 * * * *',
    run: async ({ db }) => {
      await dropOldSignIns(db)
      await dropOldCodes(db)
      await dropOldTries(db)
      await dropOldGuesses(db)
      await dropOldSignUps(db)
      await dropOldDevices(db)
      await dropUnconfirmed(db)
      await dropOldChallenges(db)
    },
  },
]
