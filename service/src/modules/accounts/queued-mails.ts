import {
  accountDeletion,
  alreadyRegistered,
  confirmAddress,
  confirmNewAddress,
  type Message,
  passwordChanged,
  queueMail,
  resetPassword,
  twoFactorChanged,
} from '#modules/mail/index.ts'
import type { Database } from '#platform/db.ts'
import type { SecretBox } from '#platform/secrets.ts'
import type { AccountMails } from './account-mails.ts'
import { linkLifetimeS } from './auth-rules.ts'
import { holdDays } from './delete-account.ts'

/** The mails about accounts, written into the queue of mails. */
export function queuedMails(parts: { database: Database; secrets: SecretBox; site: string }): AccountMails {
  const { database, secrets, site } = parts
  const queue = async (to: string, message: Message): Promise<void> => {
    await database.transact((tx) => queueMail(tx, secrets, { to, message }))
  }
  return {
    confirmAddress: (to, link) => queue(to, confirmAddress({ address: to, link, validForS: linkLifetimeS.confirm })),
    confirmNewAddress: (to, link) =>
      queue(to, confirmNewAddress({ address: to, link, validForS: linkLifetimeS.confirm })),
    alreadyRegistered: (to) => queue(to, alreadyRegistered({ site, address: to })),
    resetPassword: (to, link) => queue(to, resetPassword({ address: to, link, validForS: linkLifetimeS.reset })),
    passwordChanged: (to, from) => queue(to, passwordChanged({ site, address: to, at: new Date(), from })),
    twoFactorChanged: (to, isOn, from) => queue(to, twoFactorChanged({ site, isOn, at: new Date(), from })),
    deletionStarted: (to) =>
      queue(to, accountDeletion({ address: to, erasedAt: new Date(Date.now() + holdDays * 24 * 60 * 60 * 1000) })),
  }
}
