import { type AccountMails, type Auth, createAuth, queuedMails } from '#modules/accounts/index.ts'
import type { Platform } from './platform.ts'

/** The mails about accounts: queued, and sent by a worker. */
export function accountMailsOf({ configuration, secrets }: Platform): AccountMails {
  return queuedMails({ secrets, site: configuration.publicUrl })
}

/** Sign-up and sign-in, for this configuration. */
export function authOf({ configuration, database, log }: Platform, mails: AccountMails): Auth {
  return createAuth({
    database,
    log,
    mails,
    secretKey: configuration.secretKey,
    publicUrl: configuration.publicUrl,
  })
}
