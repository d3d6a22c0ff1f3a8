import type { AccountMails } from '#modules/accounts/index.ts'

/** A mail as it was asked for. */
export interface KeptMail {
  readonly kind: keyof AccountMails
  readonly to: string
  readonly url?: string
}

/** Keeps the mails about accounts instead of queueing them; `kept` has the oldest first. */
export function keepMails(): AccountMails & { readonly kept: KeptMail[] } {
  const kept: KeptMail[] = []
  const keep = async (mail: KeptMail): Promise<void> => {
    kept.push(mail)
  }
  return {
    kept,
    confirmAddress: (to, url) => keep({ kind: 'confirmAddress', to, url }),
    confirmNewAddress: (to, url) => keep({ kind: 'confirmNewAddress', to, url }),
    alreadyRegistered: (to) => keep({ kind: 'alreadyRegistered', to }),
    resetPassword: (to, url) => keep({ kind: 'resetPassword', to, url }),
    passwordChanged: (to) => keep({ kind: 'passwordChanged', to }),
    twoFactorChanged: (to) => keep({ kind: 'twoFactorChanged', to }),
    deletionStarted: (to) => keep({ kind: 'deletionStarted', to }),
  }
}
