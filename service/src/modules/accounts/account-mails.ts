import type { Tx } from '#platform/db.ts'

/** The mails about an account that sign-up and sign-in cause. Each is committed with the change that it tells of. */
export interface AccountMails {
  confirmAddress(tx: Tx, email: string, url: string): Promise<void>
  /** An account shall have this address. */
  confirmNewAddress(tx: Tx, email: string, url: string): Promise<void>
  /** Somebody signed up with, or wanted for an account, an address that has an account: its owner hears of it, nobody else does. */
  alreadyRegistered(tx: Tx, email: string): Promise<void>
  resetPassword(tx: Tx, email: string, url: string): Promise<void>
  /** `from` is the network address that it was done from. */
  passwordChanged(tx: Tx, email: string, from: string): Promise<void>
  twoFactorChanged(tx: Tx, email: string, isOn: boolean, from: string): Promise<void>
  deletionStarted(tx: Tx, email: string): Promise<void>
}
