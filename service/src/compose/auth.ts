import { type AccountMails, type Auth, createAuth, type Passwords, queuedMails } from '#modules/accounts/index.ts'
import type { SignInProviders } from '#ports/sign-in-provider.ts'
import type { Parts } from './parts.ts'

/** The emails about accounts. They are queued, and a worker sends them. */
export function accountMailsOf({ configuration, secrets }: Pick<Parts, 'configuration' | 'secrets'>): AccountMails {
  return queuedMails({ secrets, site: configuration.publicUrl })
}

/** For commands, in which no one signs in. */
export const noProviders: SignInProviders = { all: [], close: async () => undefined }

/** Sign-up and sign-in, for this configuration. */
export function authOf(
  { configuration, database, log, secrets }: Pick<Parts, 'configuration' | 'database' | 'log' | 'secrets'>,
  mails: AccountMails,
  { passwords, providers }: { readonly passwords?: Passwords | undefined; readonly providers: SignInProviders },
): Auth {
  return createAuth({
    database,
    log,
    mails,
    mail: { secrets, site: configuration.publicUrl },
    providers,
    secretKey: configuration.secretKey,
    secretKeyFallback: configuration.secretKeyFallback,
    publicUrl: configuration.publicUrl,
    passwords,
  })
}
