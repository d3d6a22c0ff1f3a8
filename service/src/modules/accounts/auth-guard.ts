import { accountRoutes } from '@zonewright/contract'
import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api'
import type { Database, Tx } from '#platform/db.ts'
import { Refusal } from '#platform/errors.ts'
import { networkOf } from '#platform/network-of.ts'
import type { AccountMails } from './account-mails.ts'
import { type AccountChange, noteSecurity } from './account-notes.ts'
import { addressHeader } from './auth-rules.ts'
import { currentAuthWork, writeWithAuth } from './auth-work.ts'
import type { Codes } from './codes.ts'
import {
  accountByEmail,
  endOtherSessions,
  endSession,
  endVerifications,
  passwordHash,
  passwordHashAt,
} from './store.ts'
import { forgiveTries, type TryKind, takeBackTry, takeTry } from './tries.ts'

export interface AuthGuard {
  readonly database: Database
  readonly codes: Codes
}

/** Who is signed in at the end of a request. */
type SignedIn = NonNullable<AuthContext['context']['session']>

/** A request on its way through better-auth, as its hooks see it. */
type AuthContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0]

/**
 * Our rules around better-auth's routes: tries are counted before they are made, codes work once, and what weakens an
 * account asks for the password and a code and ends its other sessions (design: accounts-and-keys).
 */
export function guardHooks(guard: AuthGuard, mails: AccountMails) {
  return {
    before: createAuthMiddleware((ctx) =>
      named(async () => {
        const changed = await before(guard, ctx)
        currentAuthWork()?.passGuard(await accountToLock(guard, ctx))
        return changed
      }),
    ),
    after: createAuthMiddleware((ctx) => named(async () => after(mails, ctx))),
  }
}

async function before({ database, codes }: AuthGuard, ctx: AuthContext) {
  const { db } = database
  const body = (ctx.body ?? {}) as Readonly<Record<string, unknown>>
  const take = (kind: TryKind, subject: unknown): Promise<void> => takeTry(db, kind, String(subject).toLowerCase())
  if (String(body['email'] ?? '').length > longestEmail)
    throw badRequest('INVALID_EMAIL', 'An email address has 254 characters at most.')
  switch (ctx.path) {
    case '/sign-in/email':
      await take('sign-in-from', networkOf(addressOf(ctx)))
      await take('sign-in', body['email'])
      knownHashes.set(ctx.request ?? ctx, await passwordHashAt(db, String(body['email']).toLowerCase()))
      return
    case '/sign-up/email':
      refuseDetails(body)
      await take('sign-up-from', networkOf(addressOf(ctx)))
      // It is written to, whether it is known or not.
      await take('mail', body['email'])
      return
    case '/request-password-reset':
    case '/send-verification-email':
      await take('mail', body['email'])
      return
    case '/two-factor/verify-totp':
    case '/two-factor/verify-backup-code': {
      const accountId = await accountOfCode(ctx)
      if (accountId !== undefined) {
        await take('code-from', networkOf(addressOf(ctx)))
        await take('code', accountId)
        if (ctx.path.endsWith('totp') && !(await codes.claim(db, accountId, String(body['code'] ?? ''))))
          throw new Refusal('code_wrong', 'The code was used already. Wait for the next one and try again.')
      }
      // A trusted device would pass for a code.
      return { context: { body: { ...body, trustDevice: false } } }
    }
    case '/two-factor/enable':
      return takePassword()
    case '/change-password':
      await takePassword()
      refuseUnfitPassword(ctx, body['newPassword'])
      await proveCode({ database, codes }, ctx, { password: body['currentPassword'], code: body['code'] })
      return { context: { body: { ...body, revokeOtherSessions: true } } }
    case '/two-factor/disable':
    case '/two-factor/generate-backup-codes':
      await takePassword()
      await proveCode({ database, codes }, ctx, { password: body['password'], code: body['code'] })
      return
    default:
      return
  }

  /** Whoever has a session alone must not find out the password by it; strangers' tries at the sign-in are not counted here. */
  async function takePassword(): Promise<void> {
    const session = await getSessionFromCtx(ctx)
    if (session !== null) await take('password', session.user.id)
  }
}

/** RFC 5321 §4.5.3.1.3, without the brackets. */
const longestEmail = 254

/** What a person may call himself is the same at the sign-up and later; nothing shows a picture. */
function refuseDetails({ name, image }: Readonly<Record<string, unknown>>): void {
  if (accountRoutes.changeAccount.body?.shape.name.safeParse(name).success !== true)
    throw badRequest('INVALID_NAME', 'A name is a text of 100 characters at most.')
  if (image !== undefined) throw badRequest('NO_IMAGE', 'An account has no image.')
}

/** As better-auth does it, but before the code is used up. */
function refuseUnfitPassword({ context }: AuthContext, password: unknown): void {
  const { minPasswordLength: least, maxPasswordLength: most } = context.password.config
  const { length } = String(password ?? '')
  if (length < least) throw badRequest('PASSWORD_TOO_SHORT', 'Password too short')
  if (length > most) throw badRequest('PASSWORD_TOO_LONG', 'Password too long')
}

/**
 * A signed-in person whose account has a second factor must give a code; without one the password has to do.
 *
 * The code is used up, so that the password is looked at first: one that was mistyped costs no backup code.
 */
async function proveCode(
  { database, codes }: AuthGuard,
  ctx: AuthContext,
  given: { readonly password: unknown; readonly code: unknown },
): Promise<void> {
  const session = await getSessionFromCtx(ctx)
  if (session?.user['twoFactorEnabled'] !== true) return
  const { id } = session.user
  const hash = await passwordHash(database.db, id)
  const password = String(given.password ?? '')
  if (hash === undefined || !(await ctx.context.password.verify({ password, hash })))
    throw badRequest('INVALID_PASSWORD', 'Invalid password')
  const code = typeof given.code === 'string' ? given.code : undefined
  await codes.permit(database.db, id, code, (useCode) => database.transact(useCode))
}

async function after(mails: AccountMails, ctx: AuthContext): Promise<void> {
  const { newSession, session: before, returned } = ctx.context
  const signedIn = newSession ?? before
  if (returned instanceof APIError || !signedIn || pathsThatRead.has(ctx.path ?? '')) return
  if (ctx.path === '/sign-in/email' && newSession) {
    const isOutdated = await writeWithAuth((tx) => endIfOutdated(tx, ctx, newSession.session))
    if (isOutdated) {
      ctx.context.setNewSession(null)
      throw new APIError('UNAUTHORIZED', { code: 'INVALID_EMAIL_OR_PASSWORD', message: 'Invalid email or password' })
    }
  }
  await writeWithAuth((tx) => writeAfter(tx, mails, ctx, signedIn))
}

async function writeAfter(tx: Tx, mails: AccountMails, ctx: AuthContext, signedIn: SignedIn): Promise<void> {
  const { newSession, session: before } = ctx.context
  const account = { id: signedIn.user.id, email: signedIn.user.email }
  const note = (action: AccountChange): Promise<void> => noteSecurity(tx, account, action, addressOf(ctx))
  if (passwordPaths.has(ctx.path ?? '')) await forgiveTries(tx, 'password', account.id)
  switch (ctx.path) {
    case '/sign-in/email':
      // With a second factor this session is ended again, until the code is given. Until then the sign-in counts, too.
      if (signedIn.user['twoFactorEnabled'] === true) return
      await takeBackTry(tx, 'sign-in-from', networkOf(addressOf(ctx)))
      await forgiveTries(tx, 'sign-in', account.email)
      return note('session.created')
    case '/verify-email':
      return newSession ? note('session.created') : undefined
    case '/two-factor/verify-totp':
    case '/two-factor/verify-backup-code':
      await takeBackTry(tx, 'code-from', networkOf(addressOf(ctx)))
      await forgiveTries(tx, 'code', account.id)
      await forgiveTries(tx, 'sign-in', account.email)
      if (!before) {
        await takeBackTry(tx, 'sign-in-from', networkOf(addressOf(ctx)))
        return note('session.created')
      }
      // By somebody who was signed in already: the first code turned the second factor on.
      if (newSession) {
        await note('two_factor.enabled')
        await mails.twoFactorChanged(tx, account.email, true, addressOf(ctx))
      }
      return
    case '/change-password':
      await endVerifications(tx, account.id)
      await note('password.changed')
      return mails.passwordChanged(tx, account.email, addressOf(ctx))
    case '/two-factor/disable':
      await endOtherSessions(tx, account.id, signedIn.session.id)
      await note('two_factor.disabled')
      return mails.twoFactorChanged(tx, account.email, false, addressOf(ctx))
    case '/two-factor/generate-backup-codes':
      return note('backup_codes.renewed')
    case '/revoke-session':
    case '/revoke-other-sessions':
      return note('session.revoked')
  }
}

/** The hash that stood there when a sign-in came. */
const knownHashes = new WeakMap<object, string | undefined>()

/**
 * Ends the session of a sign-in during which the password was changed. The account is locked here as it is for the change, so that of the
 * two one is the first: a session that comes before the change is ended by it.
 */
async function endIfOutdated(tx: Tx, ctx: AuthContext, session: { id: string; userId: string }): Promise<boolean> {
  if ((await passwordHash(tx, session.userId)) === knownHashes.get(ctx.request ?? ctx)) return false
  await endSession(tx, session.id)
  return true
}

/** After these there is nothing to write. */
const pathsThatRead = new Set(['/get-session', '/list-sessions'])

/** What asks a signed-in person for the password. */
const passwordPaths = new Set([
  '/change-password',
  '/two-factor/enable',
  '/two-factor/disable',
  '/two-factor/generate-backup-codes',
])

/** The account that a request may change, as far as it is known before the request does so. */
async function accountToLock({ database }: AuthGuard, ctx: AuthContext): Promise<string | undefined> {
  switch (ctx.path) {
    case '/sign-in/email':
      return (await accountByEmail(database.db, String(ctx.body?.email ?? '')))?.id
    case '/two-factor/verify-totp':
    case '/two-factor/verify-backup-code':
      return accountOfCode(ctx)
    case '/reset-password': {
      const token = String(ctx.body?.token ?? ctx.query?.['token'] ?? '')
      return (await ctx.context.internalAdapter.findVerificationValue(`reset-password:${token}`))?.value
    }
    case '/two-factor/enable':
    case '/two-factor/disable':
    case '/two-factor/generate-backup-codes':
    case '/change-password':
    case '/revoke-session':
    case '/revoke-other-sessions':
      return (await getSessionFromCtx(ctx))?.user.id
    default:
      return undefined
  }
}

/** The account whose code is asked for: of the session, or of the sign-in that is half-way through. */
async function accountOfCode(ctx: AuthContext): Promise<string | undefined> {
  const session = await getSessionFromCtx(ctx)
  if (session) return session.user.id
  const cookie = ctx.context.createAuthCookie('two_factor')
  const challenge = await ctx.getSignedCookie(cookie.name, ctx.context.secret)
  const found = challenge ? await ctx.context.internalAdapter.findVerificationValue(challenge) : null
  return found?.value
}

function addressOf(ctx: AuthContext): string {
  return ctx.headers?.get(addressHeader) ?? ''
}

/** As better-auth refuses what it cannot take. */
function badRequest(code: string, message: string): APIError {
  return new APIError('BAD_REQUEST', { code, message })
}

/** Refusals in better-auth's own form of an error. */
async function named<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const status = error.code === 'rate_limited' ? 'TOO_MANY_REQUESTS' : 'FORBIDDEN'
    throw new APIError(status, { code: error.code, message: error.message }, error.headers)
  }
}
