import { keyExpiring, keyUnused, queueMail } from '#modules/mail/index.ts'
import type { SecretBox } from '#platform/secrets.ts'
import type { RecurringJob } from '#platform/work/jobs.ts'
import { keysExpiringWithin, keysUnusedFor, noteToldUnused } from './store.ts'

/** The owner is told so many days before a key expires, and when one was not used for so long (design: accounts-and-keys). */
const noticeDays = [3, 14] as const
const unusedDays = 90

/** Mails about keys that are about to expire, or that nobody seems to need. Each is sent once. */
export function keyJobs({ secrets, site }: { secrets: SecretBox; site: string }): RecurringJob[] {
  return [
    {
      name: 'tell-of-keys',
      cron: '15 * * * *',
      run: async (database) => {
        const told = new Set<string>()
        for (const days of noticeDays)
          for (const { key, to } of await keysExpiringWithin(database.db, days)) {
            // A key that has three days left is told of as such, not as one that has fourteen as well.
            if (told.has(key.id)) continue
            told.add(key.id)
            const message = keyExpiring({ site, key, days })
            await database.transact((tx) =>
              queueMail(tx, secrets, { to, message, once: `key_expiring ${key.id} ${days}` }),
            )
          }
        for (const { key, to } of await keysUnusedFor(database.db, unusedDays)) {
          const message = keyUnused({ site, key, days: unusedDays })
          // Not by `once`: a mail is forgotten after 30 days.
          await database.transact(async (tx) => {
            if (await noteToldUnused(tx, key.id)) await queueMail(tx, secrets, { to, message })
          })
        }
      },
    },
  ]
}
