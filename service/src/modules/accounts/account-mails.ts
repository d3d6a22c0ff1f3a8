import type { Tx } from '#platform/postgres/index.ts'

/** The mails about an account. Each is sent after its transaction has committed, and never if it does not. */
export interface AccountMails {
  /** Somebody signed up with this address: the link leads to the page where its owner creates the account. */
  finishSignUp(tx: Tx, email: string, url: string): Promise<void>
  /** An account shall have this address. */
  confirmNewAddress(tx: Tx, email: string, url: string): Promise<void>
  /** Somebody signed up with, or wanted for an account, an address that has an account: its owner hears of it, nobody else does. */
  alreadyRegistered(tx: Tx, email: string): Promise<void>
  resetPassword(tx: Tx, email: string, url: string): Promise<void>
  /** `from` is the network address that it was done from. */
  passwordChanged(tx: Tx, email: string, from: string): Promise<void>
  twoFactorChanged(tx: Tx, email: string, isOn: boolean, from: string): Promise<void>
  /** Somebody signed in from a browser that the account does not know. */
  signedIn(tx: Tx, email: string, about: { readonly from: string; readonly device: string }): Promise<void>
  /** Many wrong passwords or codes were given within an hour; `from` gave the latest one. */
  guessesFailed(
    tx: Tx,
    email: string,
    about: { readonly what: 'password' | 'code'; readonly from: string },
  ): Promise<void>
  deletionStarted(tx: Tx, email: string): Promise<void>
}
