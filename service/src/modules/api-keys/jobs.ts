import { tellAccount } from '#modules/accounts/index.ts'
import { keyExpiring, keyUnused } from '#modules/mail/index.ts'
import type { SecretBox } from '#platform/secrets.ts'
import type { RecurringJob } from '#platform/work/jobs.ts'
import { keysExpiringWithin, keysUnusedFor, noteToldUnused } from './store.ts'
import { forgetIdleWindows } from './window-store.ts'

/**
 * The days before a key expires on which its owner is notified, and the days without use after which the owner is asked (design:
 * accounts-and-keys).
 */
const noticeDays = [3, 14] as const
const unusedDays = 90

/** Sends emails about keys that expire soon, and about unused keys, each once. Deletes the windows of idle keys. */
export function keyJobs({ secrets, site }: { secrets: SecretBox; site: string }): RecurringJob[] {
  return [
    { name: 'forget-key-windows', cron: '40 3 * * *', run: ({ db }) => forgetIdleWindows(db) },
    {
      name: 'tell-of-keys',
      cron: '15 * * * *',
      run: async (database) => {
        const told = new Set<string>()
        for (const days of noticeDays)
          for (const { key, accountId } of await keysExpiringWithin(database.db, days)) {
            // A key with three days left gets only the three-day notice, not the fourteen-day notice.
            if (told.has(key.id)) continue
            told.add(key.id)
            const message = keyExpiring({ site, key, days })
            const once = `key_expiring ${key.id} ${days}`
            await database.transact((tx) => tellAccount(tx, { secrets }, accountId, message, once))
          }
        for (const { key, accountId } of await keysUnusedFor(database.db, unusedDays)) {
          const message = keyUnused({ site, key, days: unusedDays })
          // `once` is not used here, because an email is deleted after 30 days.
          await database.transact(async (tx) => {
            if (await noteToldUnused(tx, key.id)) await tellAccount(tx, { secrets }, accountId, message)
          })
        }
      },
    },
  ]
}
