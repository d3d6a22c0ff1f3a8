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
import type { AccountMails, Told } from './account-mails.ts'
import { linkLifetimeS } from './auth-rules.ts'
import { holdDays } from './delete-account.ts'
import { tellAfterFailures } from './guess-rules.ts'
import { tellAccount } from './tell-account.ts'

/** The emails about accounts, written into the mail queue. */
export function queuedMails({ secrets, site }: { secrets: SecretBox; site: string }): AccountMails {
  const queue = async (tx: Tx, to: string, message: Message): Promise<void> => {
    await queueMail(tx, secrets, { to, message })
  }
  const tell = async (tx: Tx, { id }: Told, message: Message): Promise<void> => {
    await tellAccount(tx, { secrets }, id, message)
  }
  return {
    finishSignUp: (tx, to, link) => queue(tx, to, finishSignUp({ address: to, link, validForS: linkLifetimeS.signUp })),
    confirmNewAddress: (tx, to, link) =>
      queue(tx, to, confirmNewAddress({ address: to, link, validForS: linkLifetimeS.confirm })),
    alreadyRegistered: (tx, to) => queue(tx, to, alreadyRegistered({ site, address: to })),
    resetPassword: (tx, to, link) =>
      queue(tx, to, resetPassword({ address: to, link, validForS: linkLifetimeS.reset })),
    passwordChanged: (tx, account, from) =>
      tell(tx, account, passwordChanged({ site, address: account.email, at: new Date(), from })),
    twoFactorChanged: (tx, account, isOn, from) =>
      tell(tx, account, twoFactorChanged({ site, isOn, at: new Date(), from })),
    signedIn: (tx, account, { from, device }) =>
      tell(tx, account, signedIn({ site, address: account.email, at: new Date(), from, device })),
    guessesFailed: (tx, account, { what, from }) => {
      const about = { site, address: account.email, what, count: tellAfterFailures[what] }
      return tell(tx, account, guessesFailed({ ...about, at: new Date(), from }))
    },
    deletionStarted: (tx, to) => {
      const erasedAt = new Date(Date.now() + holdDays * 24 * 60 * 60 * 1000)
      return queue(tx, to, accountDeletion({ address: to, erasedAt }))
    },
  }
}
