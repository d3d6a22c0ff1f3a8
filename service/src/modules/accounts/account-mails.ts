import type { Tx } from '#platform/postgres/index.ts'
import type { Account } from './store.ts'

/** The account that an email is about. */
export type Told = Pick<Account, 'id' | 'email'>

/** The emails about an account. Each is sent after its transaction has committed, and never if it rolls back. */
export interface AccountMails {
  /** Someone signed up with this address: the link leads to the page where its owner creates the account. */
  finishSignUp(tx: Tx, email: string, url: string): Promise<void>
  /** Asks for confirmation of the account's new address. */
  confirmNewAddress(tx: Tx, email: string, url: string): Promise<void>
  /** Someone signed up with, or wanted for an account, an address that already has an account: only its owner is notified. */
  alreadyRegistered(tx: Tx, email: string): Promise<void>
  resetPassword(tx: Tx, email: string, url: string): Promise<void>
  /** `from` is the network address of the request. */
  passwordChanged(tx: Tx, account: Told, from: string): Promise<void>
  twoFactorChanged(tx: Tx, account: Told, isOn: boolean, from: string): Promise<void>
  /** Someone signed in from a browser that the account does not know. */
  signedIn(tx: Tx, account: Told, about: { readonly from: string; readonly device: string }): Promise<void>
  /** Many wrong passwords or codes were entered within an hour; `from` entered the latest one. */
  guessesFailed(
    tx: Tx,
    account: Told,
    about: { readonly what: 'password' | 'code'; readonly from: string },
  ): Promise<void>
  deletionStarted(tx: Tx, email: string): Promise<void>
}
