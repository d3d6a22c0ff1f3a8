import { accountEmail } from '@zonewright/contract'
import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api'
import { Refusal } from '#platform/errors.ts'
import type { Logger } from '#platform/log.ts'
import { networkOf } from '#platform/network-of.ts'
import type { Database, Tx } from '#platform/postgres/index.ts'
import type { SignInProviders } from '#ports/sign-in-provider.ts'
import type { AccountMails } from './account-mails.ts'
import { type AccountChange, noteSecurity } from './account-notes.ts'
import { type AuthContext, addressOf, badRequest, inItsForm, refuseUnfitPassword } from './auth-context.ts'
import { passwordLength } from './auth-rules.ts'
import { currentAuthWork, writeWithAuth } from './auth-work.ts'
import type { CodeGiver, Codes } from './codes.ts'
import { type DeviceCookie, deviceHash, rememberDevice } from './devices.ts'
import { dropDeviceOf, knownDevice, moveDevice } from './devices-store.ts'
import type { Guesser } from './guess-rules.ts'
import type { Guess, Guesses } from './guesses.ts'
import type { Challenges } from './passkeys.ts'
import { noPassword } from './provider-rules.ts'
import type { ProviderCookie } from './provider-state.ts'
import {
  accountToSignIn,
  endOtherSessions,
  endSession,
  endVerifications,
  passwordHash,
  readAccount,
  type SignInAccount,
} from './store.ts'
import type { MailContext } from './tell-account.ts'
import { asTotp } from './totp.ts'
import { mayTry, type TryKind, takeTry } from './tries.ts'

export interface AuthGuard {
  readonly database: Database
  readonly codes: Codes
  readonly guesses: Guesses
  readonly deviceCookie: DeviceCookie
  readonly challenges: Challenges
  readonly mails: AccountMails
  readonly log: Logger
  readonly mail: MailContext
  readonly providers: SignInProviders
  readonly providerCookie: ProviderCookie
}

/**
 * Our rules around better-auth's routes: guesses are counted before they are evaluated, codes work once, and actions that weaken an
 * account require the password and a code and end its other sessions (design: accounts-and-keys).
 */
export function guardHooks(guard: AuthGuard) {
  return {
    before: createAuthMiddleware((ctx) =>
      inItsForm(async () => {
        const changed = await before(guard, ctx)
        const accountId = await accountToLock(ctx)
        if (ctx.path === '/reset-password' && accountId !== undefined) {
          await refuseUnfitPassword(
            ctx.body?.newPassword,
            (await readAccount(guard.database.db, accountId))?.email ?? '',
          )
          await hashAhead(ctx)
        }
        currentAuthWork()?.passGuard(accountId)
        return changed
      }),
    ),
    after: createAuthMiddleware((ctx) => inItsForm(async () => after(guard, ctx))),
  }
}

/** Who is signed in at the end of a request. */
type SignedIn = NonNullable<AuthContext['context']['session']>

/** What `before` passes on to `after` for the same request. */
interface Begun {
  readonly guess: Guess
  readonly account?: SignInAccount | undefined
}

const begun = new WeakMap<object, Begun>()

async function before(guard: AuthGuard, ctx: AuthContext) {
  const { database, codes } = guard
  const { db } = database
  const body = (ctx.body ?? {}) as Readonly<Record<string, unknown>>
  const take = (kind: TryKind, subject: string): Promise<void> => takeTry(db, kind, subject)
  switch (ctx.path) {
    case '/sign-in/email': {
      const email = emailIn(body)
      // better-auth refuses it without checking the password, so it is not a guess.
      if (typeof body['password'] !== 'string' || body['password'].length > passwordLength.most) return
      begun.set(ctx.request ?? ctx, await beginSignIn(guard, ctx, email))
      return { context: { body: { ...body, email } } }
    }
    case '/sign-up/email': {
      const email = emailIn(body)
      await take('sign-up-from', networkOf(addressOf(ctx)))
      // The address gets an email, whether it has an account or not.
      return take('sign-up-mail', email)
    }
    case '/request-password-reset': {
      const email = emailIn(body)
      await take('reset-mail', email)
      return { context: { body: { ...body, email } } }
    }
    case '/two-factor/verify-totp':
    case '/two-factor/verify-backup-code': {
      const accountId = await accountOfCode(ctx)
      const isTotp = ctx.path.endsWith('totp')
      const given = typeof body['code'] === 'string' ? body['code'].trim() : ''
      // better-auth accepts a code only without the spaces that authenticators display.
      const code = isTotp ? (asTotp(given) ?? given) : given
      if (accountId !== undefined) {
        await codes.renew(db, accountId)
        const guess = await codes.begin(db, giverOf(guard, ctx, accountId), code, isTotp ? 'code' : 'backup-code')
        begun.set(ctx.request ?? ctx, { guess })
        if (isTotp && !(await codes.claim(db, accountId, code)))
          throw new Refusal('code_wrong', 'This code was already used. Wait for the next code and try again.')
      }
      // A trusted device would replace a code.
      return { context: { body: { ...body, code, trustDevice: false } } }
    }
    case '/two-factor/enable':
      await provePassword(guard, ctx, body['password'])
      return
    case '/change-password':
      await refuseUnfitPassword(body['newPassword'], (await getSessionFromCtx(ctx))?.user.email ?? '')
      await provePassword(guard, ctx, body['currentPassword'])
      await proveCode(guard, ctx, body['code'])
      return { context: { body: { ...body, revokeOtherSessions: true } } }
    case '/two-factor/disable':
    case '/two-factor/generate-backup-codes':
      await provePassword(guard, ctx, body['password'])
      await proveCode(guard, ctx, body['code'])
      return
    case '/revoke-session': {
      const session = await getSessionFromCtx(ctx)
      if (session && typeof body['token'] === 'string') await dropDeviceOf(db, session.user.id, body['token'])
      return
    }
    default:
      return
  }
}

/** Hashes the new password of a reset whose link is valid: better-auth would hash it after it has used up the link, within the transaction. */
async function hashAhead(ctx: AuthContext): Promise<void> {
  const password: unknown = ctx.body?.newPassword
  if (typeof password !== 'string') return
  currentAuthWork()?.keepHash(password, await ctx.context.password.hash(password))
}

/** An email address as we store it. Anything else is refused before it counts. */
function emailIn(body: Readonly<Record<string, unknown>>): string {
  const { data, error } = accountEmail.safeParse(body['email'])
  if (data === undefined) throw badRequest('INVALID_EMAIL', error.issues[0]?.message ?? 'This is not an email address.')
  return data
}

async function beginSignIn(guard: AuthGuard, ctx: AuthContext, email: string): Promise<Begun> {
  const account = await accountToSignIn(guard.database.db, email, devicesOf(guard, ctx).map(deviceHash))
  const guess = await guard.guesses.begin('sign-in', signInGuesser(ctx, email, account))
  return { guess, account }
}

function signInGuesser(ctx: AuthContext, email: string, account: SignInAccount | undefined): Guesser {
  const device = account?.device?.toString('base64url')
  return { subject: account?.id ?? email, address: addressOf(ctx), device }
}

/**
 * A signed-in person must give the password, and wait after wrong ones, because someone who has only stolen a session must not be able to guess it.
 *
 * This happens before better-auth checks the password, so that a mistyped one does not use up a code.
 */
async function provePassword(
  { database, guesses, ...guard }: AuthGuard,
  ctx: AuthContext,
  given: unknown,
): Promise<void> {
  const session = await getSessionFromCtx(ctx)
  // better-auth refuses these without checking the password.
  if (session === null || typeof given !== 'string') return
  const { id } = session.user
  const hash = await passwordHash(database.db, id)
  if (hash === undefined) throw noPassword()
  const device = await knownDevice(database.db, id, devicesOf(guard, ctx).map(deviceHash))
  const guesser = { subject: id, address: addressOf(ctx), device: device?.toString('base64url') }
  const isRight = await guesses.checkPassword(guesser, () => ctx.context.password.verify({ password: given, hash }))
  if (!isRight) throw badRequest('INVALID_PASSWORD', 'Invalid password')
}

/** A signed-in person whose account has two-factor authentication must give a code, which is used up. */
async function proveCode({ database, codes, ...guard }: AuthGuard, ctx: AuthContext, given: unknown): Promise<void> {
  const session = await getSessionFromCtx(ctx)
  if (session?.user['twoFactorEnabled'] !== true) return
  const code = typeof given === 'string' ? given : undefined
  await codes.permit(database.db, giverOf(guard, ctx, session.user.id), code, (useCode) => database.transact(useCode))
}

async function after(guard: AuthGuard, ctx: AuthContext): Promise<void> {
  const { newSession, session: former, returned } = ctx.context
  const { guess, account } = begun.get(ctx.request ?? ctx) ?? {}
  if (returned instanceof APIError) {
    if (guess && isWrongGuess(returned)) await noteWrong(guard, ctx, guess)
    return
  }
  const signedIn = newSession ?? former
  if (!signedIn || pathsThatRead.has(ctx.path ?? '')) return
  if (ctx.path === '/sign-in/email' && newSession) {
    const isOutdated = await writeWithAuth((tx) => endIfOutdated(tx, newSession.session, account))
    if (isOutdated) {
      ctx.context.setNewSession(null)
      throw new APIError('UNAUTHORIZED', { code: 'INVALID_EMAIL_OR_PASSWORD', message: 'Invalid email or password' })
    }
  }
  const devices = await writeWithAuth((tx) => writeAfter(tx, guard, ctx, signedIn))
  const { deviceCookie } = guard
  if (devices) ctx.setCookie(deviceCookie.name, deviceCookie.write(devices), deviceCookie.attributes)
}

/**
 * Records a wrong password or code. better-auth writes nothing for a wrong password, so no transaction has begun then: an address with an
 * account takes no longer than one without.
 */
function noteWrong({ database }: AuthGuard, ctx: AuthContext, guess: Guess): Promise<void> {
  const note = (tx: Tx): Promise<void> => guess.wasWrong(tx)
  return ctx.path === '/sign-in/email' ? database.transact(note) : writeWithAuth(note)
}

/** Returns the ids for the device cookie if a sign-in was completed. */
async function writeAfter(
  tx: Tx,
  guard: AuthGuard,
  ctx: AuthContext,
  signedIn: SignedIn,
): Promise<readonly string[] | undefined> {
  const { mails, guesses } = guard
  const { newSession, session: former } = ctx.context
  const { guess } = begun.get(ctx.request ?? ctx) ?? {}
  const account = { id: signedIn.user.id, email: signedIn.user.email }
  const from = addressOf(ctx)
  const note = (action: AccountChange): Promise<void> => noteSecurity(tx, account, action, from)
  // A new session replaced the browser's session: its known device moves to the new one.
  if (former && newSession) await moveDevice(tx, former.session.id, newSession.session.id)
  switch (ctx.path) {
    case '/sign-in/email':
      // With two-factor authentication, this session ends again until the code is given. Until then, the sign-in counts for its network.
      if (signedIn.user['twoFactorEnabled'] === true) {
        await guess?.wasRight(tx, { stillUnproven: true })
        return undefined
      }
      await guess?.wasRight(tx)
      return completeSignIn(tx, guard, ctx, signedIn)
    case '/two-factor/verify-totp':
    case '/two-factor/verify-backup-code':
      await guess?.wasRight(tx)
      if (!former) {
        if (guess) await guesses.wasProven(tx, 'sign-in', guess.guesser)
        return completeSignIn(tx, guard, ctx, signedIn)
      }
      // The person was already signed in: the first code turned two-factor authentication on.
      if (newSession) {
        await note('two_factor.enabled')
        await mails.twoFactorChanged(tx, account, true, from)
      }
      return undefined
    case '/change-password':
      await endOtherSessions(tx, account.id, signedIn.session.id)
      await endVerifications(tx, account.id)
      await note('password.changed')
      await mails.passwordChanged(tx, account, from)
      return undefined
    case '/two-factor/disable':
      await endOtherSessions(tx, account.id, signedIn.session.id)
      await note('two_factor.disabled')
      await mails.twoFactorChanged(tx, account, false, from)
      return undefined
    case '/two-factor/generate-backup-codes':
      await note('backup_codes.renewed')
      return undefined
    case '/revoke-other-sessions':
      await endOtherSessions(tx, account.id, signedIn.session.id)
      await note('session.revoked')
      return undefined
    case '/revoke-session':
      await note('session.revoked')
      return undefined
    default:
      return undefined
  }
}

/** better-auth's error codes for a wrong password or a wrong code at sign-in. */
function isWrongGuess(error: APIError): boolean {
  return ['INVALID_EMAIL_OR_PASSWORD', 'INVALID_CODE', 'INVALID_BACKUP_CODE'].includes(String(error.body?.code))
}

/**
 * Completes a sign-in whose password and, if required, code were right: records it, makes its browser a known device, and sends
 * the owner an email if the browser was not known before. Returns the ids for the device cookie.
 */
async function completeSignIn(
  tx: Tx,
  guard: AuthGuard,
  ctx: AuthContext,
  { user, session }: SignedIn,
): Promise<readonly string[]> {
  const account = { id: user.id, email: user.email }
  const from = addressOf(ctx)
  const browser = { accountId: account.id, sessionId: session.id, ids: devicesOf(guard, ctx) }
  const { ids, wasKnown } = await rememberDevice(tx, browser)
  await noteSecurity(tx, account, 'session.created', from)
  if (!wasKnown && (await mayTry(tx, 'device-mail', account.id)))
    await guard.mails.signedIn(tx, account, { from, device: ctx.headers?.get('user-agent') ?? '' })
  return ids
}

/**
 * Ends the session of a sign-in during which the password was changed. Both lock the account, so one of them comes first: if it is the
 * sign-in, the change of the password ends its session.
 */
async function endIfOutdated(
  tx: Tx,
  session: { id: string; userId: string },
  account: SignInAccount | undefined,
): Promise<boolean> {
  if ((await passwordHash(tx, session.userId)) === (account?.passwordHash ?? undefined)) return false
  await endSession(tx, session.id)
  return true
}

/** Routes after which there is nothing to write. */
const pathsThatRead = new Set(['/get-session', '/list-sessions'])

/** The account that a request may change, if it is known before the request runs. */
async function accountToLock(ctx: AuthContext): Promise<string | undefined> {
  switch (ctx.path) {
    case '/sign-in/email':
      return begun.get(ctx.request ?? ctx)?.account?.id
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

/** The account whose code is required: of the session, or of the sign-in that waits for its code. */
async function accountOfCode(ctx: AuthContext): Promise<string | undefined> {
  const session = await getSessionFromCtx(ctx)
  if (session) return session.user.id
  const cookie = ctx.context.createAuthCookie('two_factor')
  const challenge = await ctx.getSignedCookie(cookie.name, ctx.context.secret)
  const found = challenge ? await ctx.context.internalAdapter.findVerificationValue(challenge) : null
  return found?.value
}

function giverOf(guard: Pick<AuthGuard, 'deviceCookie'>, ctx: AuthContext, accountId: string): CodeGiver {
  return { accountId, address: addressOf(ctx), devices: devicesOf(guard, ctx) }
}

/** The known devices in a request's cookie. */
function devicesOf({ deviceCookie }: Pick<AuthGuard, 'deviceCookie'>, ctx: AuthContext): string[] {
  return deviceCookie.read(ctx.headers?.get('cookie'))
}
