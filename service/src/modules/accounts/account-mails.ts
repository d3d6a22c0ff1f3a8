/** The mails about an account that sign-up and sign-in cause. Each resolves once it is certain to be sent. */
export interface AccountMails {
  confirmAddress(email: string, url: string): Promise<void>
  /** An account shall have this address. */
  confirmNewAddress(email: string, url: string): Promise<void>
  /** Somebody signed up with, or wanted for an account, an address that has an account: its owner hears of it, nobody else does. */
  alreadyRegistered(email: string): Promise<void>
  resetPassword(email: string, url: string): Promise<void>
  /** `from` is the network address that it was done from. */
  passwordChanged(email: string, from: string): Promise<void>
  twoFactorChanged(email: string, isOn: boolean, from: string): Promise<void>
  deletionStarted(email: string): Promise<void>
}
