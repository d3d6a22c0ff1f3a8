import {
  accountDeletion,
  alreadyRegistered,
  confirmNewAddress,
  finishSignUp,
  guessesFailed,
  type Message,
  passwordChanged,
  queueMail,
  resetPassword,
  signedIn,
  twoFactorChanged,
} from '#modules/mail/index.ts'
import type { Tx } from '#platform/postgres/index.ts'
import type { SecretBox } from '#platform/secrets.ts'
import type { AccountMails } from './account-mails.ts'
import { linkLifetimeS } from './auth-rules.ts'
import { holdDays } from './delete-account.ts'
import { tellAfterFailures } from './guess-rules.ts'

/** The emails about accounts, written into the mail queue. */
export function queuedMails({ secrets, site }: { secrets: SecretBox; site: string }): AccountMails {
  const queue = async (tx: Tx, to: string, message: Message): Promise<void> => {
    await queueMail(tx, secrets, { to, message })
  }
  return {
    finishSignUp: (tx, to, link) => queue(tx, to, finishSignUp({ address: to, link, validForS: linkLifetimeS.signUp })),
    confirmNewAddress: (tx, to, link) =>
      queue(tx, to, confirmNewAddress({ address: to, link, validForS: linkLifetimeS.confirm })),
    alreadyRegistered: (tx, to) => queue(tx, to, alreadyRegistered({ site, address: to })),
    resetPassword: (tx, to, link) =>
      queue(tx, to, resetPassword({ address: to, link, validForS: linkLifetimeS.reset })),
    passwordChanged: (tx, to, from) => queue(tx, to, passwordChanged({ site, address: to, at: new Date(), from })),
    twoFactorChanged: (tx, to, isOn, from) => queue(tx, to, twoFactorChanged({ site, isOn, at: new Date(), from })),
    signedIn: (tx, to, { from, device }) =>
      queue(tx, to, signedIn({ site, address: to, at: new Date(), from, device })),
    guessesFailed: (tx, to, { what, from }) => {
      const about = { site, address: to, what, count: tellAfterFailures[what] }
      return queue(tx, to, guessesFailed({ ...about, at: new Date(), from }))
    },
    deletionStarted: (tx, to) => {
      const erasedAt = new Date(Date.now() + holdDays * 24 * 60 * 60 * 1000)
      return queue(tx, to, accountDeletion({ address: to, erasedAt }))
    },
  }
}
