import { randomUUID } from 'node:crypto'
import { type BetterAuthOptions, betterAuth } from 'better-auth'
import { APIError } from 'better-auth/api'
import { hashPassword, verifyPassword } from 'better-auth/crypto'
import { twoFactor } from 'better-auth/plugins/two-factor'
import type { Logger } from '#platform/log.ts'
import type { Database } from '#platform/postgres/index.ts'
import type { SignInProviders } from '#ports/sign-in-provider.ts'
import type { AccountMails } from './account-mails.ts'
import { noteSecurity } from './account-notes.ts'
import { authDialect } from './auth-dialect.ts'
import { type AuthGuard, guardHooks } from './auth-guard.ts'
import { addressHeader, authPath, linkLifetimeS, passwordLength, sessionDays } from './auth-rules.ts'
import { currentAuthWork, writeWithAuth } from './auth-work.ts'
import { clearDelays } from './guesses.ts'
import { passkeyEndpoints } from './passkey-endpoints.ts'
import { providerEndpoints } from './provider-endpoints.ts'
import { signUpEndpoints } from './sign-up-endpoints.ts'
import { confirmAddress, endAllSessions } from './store.ts'
import type { MailContext } from './tell-account.ts'

export interface AuthParts {
  readonly database: Database
  readonly log: Logger
  /** SECRET_KEY: what better-auth signs and encrypts with is derived from it. */
  readonly secretKey: Buffer
  readonly secretKeyFallback: Buffer | undefined
  readonly publicUrl: string
  readonly mails: AccountMails
  readonly mail: MailContext
  readonly providers: SignInProviders
  /** Default: better-auth's scrypt. */
  readonly passwords?: Passwords | undefined
}

/** How passwords are hashed. */
export interface Passwords {
  hash(password: string): Promise<string>
  verify(given: { readonly password: string; readonly hash: string }): Promise<boolean>
}

/** Maximum length of better-auth's messages in the log, because they quote the request. */
const maxLogged = 200

/** better-auth in our configuration. `secret` is the key with which it signs and encrypts. */
export function setUpBetterAuth(parts: AuthParts, secret: string, guard: AuthGuard) {
  return betterAuth(optionsOf(parts, secret, guard))
}

const scryptPasswords: Passwords = { hash: hashPassword, verify: verifyPassword }

function optionsOf(
  { database, log, publicUrl, mails, passwords = scryptPasswords }: AuthParts,
  secret: string,
  guard: AuthGuard,
) {
  return {
    appName: 'Zonewright',
    baseURL: publicUrl,
    basePath: authPath,
    secret,
    // Writes that belong together are still one transaction: that of the request (`AuthWork`).
    database: { dialect: authDialect(database), type: 'postgres', transaction: false },
    telemetry: { enabled: false },
    // Delays and limits are ours: per account and per address, and the same in every process.
    rateLimit: { enabled: false },
    advanced: {
      cookiePrefix: 'zonewright',
      useSecureCookies: publicUrl.startsWith('https:'),
      database: { generateId: () => randomUUID() },
      ipAddress: { ipAddressHeaders: [addressHeader] },
    },
    logger: {
      level: 'error',
      // Some of its callers pass an error as the message.
      log: (_level, message: unknown) => log.error({ from: 'better-auth' }, String(message).slice(0, maxLogged)),
    },
    onAPIError: {
      // Everything except a refusal is returned and logged like a failure of any other route.
      onError: (error) => {
        if (!(error instanceof APIError)) throw error
      },
    },
    emailAndPassword: {
      enabled: true,
      // Accounts that were created before sign-ups stored only the address may be unconfirmed. A password reset confirms them.
      requireEmailVerification: true,
      disableSignUp: true,
      minPasswordLength: passwordLength.least,
      maxPasswordLength: passwordLength.most,
      revokeSessionsOnPasswordReset: true,
      password: {
        hash: async (password) => currentAuthWork()?.hashOf(password) ?? passwords.hash(password),
        verify: (given) => passwords.verify(given),
      },
      sendResetPassword: ({ user, url }) => writeWithAuth((tx) => mails.resetPassword(tx, user.email, url)),
      resetPasswordTokenExpiresIn: linkLifetimeS.reset,
      onPasswordReset: async ({ user }, request) => {
        const from = request?.headers.get(addressHeader) ?? ''
        await writeWithAuth(async (tx) => {
          await endAllSessions(tx, user.id)
          await confirmAddress(tx, user.id)
          await clearDelays(tx, user.id)
          await noteSecurity(tx, user, 'password.changed', from)
          await mails.passwordChanged(tx, user, from)
        })
      },
    },
    session: {
      ...tables.session,
      expiresIn: sessionDays * 24 * 60 * 60,
      // The browser's cookie also lasts from the sign-in, and a stolen one is never renewed.
      disableSessionRefresh: true,
      // The list of sessions can be read with a session of any age. Actions that weaken an account require the password instead.
      freshAge: 0,
      cookieCache: { enabled: false },
    },
    user: tables.user,
    account: tables.account,
    verification: {
      ...tables.verification,
      storeIdentifier: 'hashed',
      // A job deletes them (`dropOldSignIns`). If requests did so in their transactions, they would wait for each other.
      disableCleanup: true,
    },
    hooks: guardHooks(guard),
    plugins: [
      twoFactor({ issuer: 'Zonewright', schema: tables.twoFactor, accountLockout: { enabled: false } }),
      signUpEndpoints({ ...guard, site: publicUrl }),
      passkeyEndpoints(guard),
      providerEndpoints(guard),
    ],
  } satisfies BetterAuthOptions
}

/** Our tables and columns for better-auth's models. */
const tables = {
  user: {
    modelName: 'accounts',
    fields: { emailVerified: 'email_confirmed', createdAt: 'created_at', updatedAt: 'updated_at' },
  },
  session: {
    modelName: 'account_sessions',
    fields: {
      userId: 'account_id',
      expiresAt: 'expires_at',
      ipAddress: 'ip_address',
      userAgent: 'user_agent',
      createdAt: 'created_at',
      updatedAt: 'updated_at',
    },
  },
  account: {
    modelName: 'account_credentials',
    fields: {
      userId: 'user_id',
      providerId: 'provider_id',
      accountId: 'account_id',
      accessToken: 'access_token',
      refreshToken: 'refresh_token',
      idToken: 'id_token',
      accessTokenExpiresAt: 'access_token_expires_at',
      refreshTokenExpiresAt: 'refresh_token_expires_at',
      createdAt: 'created_at',
      updatedAt: 'updated_at',
    },
  },
  verification: {
    modelName: 'account_verifications',
    fields: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
  },
  twoFactor: {
    user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
    twoFactor: {
      modelName: 'account_two_factors',
      fields: {
        userId: 'account_id',
        backupCodes: 'backup_codes',
        failedVerificationCount: 'failed_verification_count',
        lockedUntil: 'locked_until',
      },
    },
  },
} as const
