import type { AccountMails } from '#modules/accounts/index.ts'

/** An email as requested. */
export interface KeptMail {
  readonly kind: keyof AccountMails
  readonly to: string
  readonly url?: string
  /** For failed guesses: what was guessed. */
  readonly what?: 'password' | 'code'
}

/** Records the emails about accounts as they are queued. `kept` has the oldest first. */
export function keepMails(queue: AccountMails): AccountMails & { readonly kept: KeptMail[] } {
  const kept: KeptMail[] = []
  const keep = async (mail: KeptMail, queued: Promise<void>): Promise<void> => {
    await queued
    kept.push(mail)
  }
  return {
    kept,
    finishSignUp: (tx, to, url) => keep({ kind: 'finishSignUp', to, url }, queue.finishSignUp(tx, to, url)),
    confirmNewAddress: (tx, to, url) =>
      keep({ kind: 'confirmNewAddress', to, url }, queue.confirmNewAddress(tx, to, url)),
    alreadyRegistered: (tx, to) => keep({ kind: 'alreadyRegistered', to }, queue.alreadyRegistered(tx, to)),
    resetPassword: (tx, to, url) => keep({ kind: 'resetPassword', to, url }, queue.resetPassword(tx, to, url)),
    passwordChanged: (tx, told, from) =>
      keep({ kind: 'passwordChanged', to: told.email }, queue.passwordChanged(tx, told, from)),
    twoFactorChanged: (tx, told, isOn, from) =>
      keep({ kind: 'twoFactorChanged', to: told.email }, queue.twoFactorChanged(tx, told, isOn, from)),
    signedIn: (tx, told, about) => keep({ kind: 'signedIn', to: told.email }, queue.signedIn(tx, told, about)),
    guessesFailed: (tx, told, about) =>
      keep({ kind: 'guessesFailed', to: told.email, what: about.what }, queue.guessesFailed(tx, told, about)),
    deletionStarted: (tx, to) => keep({ kind: 'deletionStarted', to }, queue.deletionStarted(tx, to)),
  }
}
