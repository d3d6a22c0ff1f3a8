import { tellAccount } from '#modules/accounts/index.ts'
import { aliasFailing } from '#modules/mail/index.ts'
import type { SecretBox } from '#platform/secrets.ts'
import type { RecurringJob } from '#platform/work/jobs.ts'
import { noteTold, targetsToTell } from './failure-store.ts'

/** Sends an email to the owners of zones with a target that has been failing for an hour, once for each failure. */
export function aliasJobs({ secrets, site }: { secrets: SecretBox; site: string }): RecurringJob[] {
  return [
    {
      name: 'tell-of-aliases',
      cron: '*/5 * * * *',
      run: async (database) => {
        for (const { target, error, failingSince, owners } of await targetsToTell(database.db))
          await database.transact(async (tx) => {
            if (!(await noteTold(tx, target, failingSince))) return
            for (const { accountId, names } of owners) {
              const message = aliasFailing({ site, target, error, failingSince, names })
              await tellAccount(tx, { secrets }, accountId, message)
            }
          })
      },
    },
  ]
}
