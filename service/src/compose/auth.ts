import { type AccountMails, type Auth, createAuth, type Passwords, queuedMails } from '#modules/accounts/index.ts'
import type { Parts } from './parts.ts'

/** The mails about accounts: queued, and sent by a worker. */
export function accountMailsOf({ configuration, secrets }: Pick<Parts, 'configuration' | 'secrets'>): AccountMails {
  return queuedMails({ secrets, site: configuration.publicUrl })
}

/** Sign-up and sign-in, for this configuration. */
export function authOf(
  { configuration, database, log }: Pick<Parts, 'configuration' | 'database' | 'log'>,
  mails: AccountMails,
  passwords?: Passwords,
): Auth {
  return createAuth({
    database,
    log,
    mails,
    secretKey: configuration.secretKey,
    secretKeyFallback: configuration.secretKeyFallback,
    publicUrl: configuration.publicUrl,
    passwords,
  })
}
