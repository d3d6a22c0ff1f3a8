import { randomBytes } from 'node:crypto'
import { createAuthEndpoint, getSessionFromCtx } from 'better-auth/api'
import { deleteSessionCookie, setSessionCookie } from 'better-auth/cookies'
import { z } from 'zod'
import { Refusal } from '#platform/errors.ts'
import type { Logger } from '#platform/log.ts'
import { networkOf } from '#platform/network-of.ts'
import type { Database, Tx } from '#platform/postgres/index.ts'
import type { ProvedPerson, SignInProvider, SignInProviders } from '#ports/sign-in-provider.ts'
import type { AccountMails } from './account-mails.ts'
import { personAt } from './account-notes.ts'
import { type AuthContext, addressOf, asApiError, inItsForm } from './auth-context.ts'
import { writeWithAuth } from './auth-work.ts'
import type { DeviceCookie } from './devices.ts'
import { openSession } from './open-session.ts'
import { useChallenge } from './passkey-store.ts'
import { planSignIn, returnPath, type SignInPlan } from './provider-rules.ts'
import type { ProviderCookie, ProviderState } from './provider-state.ts'
import { accountOfSubject, accountToLink, noteProviderUse } from './provider-store.ts'
import { isAway, linkProvider, noLonger, provedBy, providerById, providerReturnUrl } from './providers.ts'
import { openAccount } from './sign-up.ts'
import { type AccountDetails, hasSession, lockAndReadAccount } from './store.ts'
import type { MailContext } from './tell-account.ts'
import { takeTry } from './tries.ts'

interface ProviderParts {
  readonly database: Database
  readonly log: Logger
  readonly mails: AccountMails
  readonly mail: MailContext
  readonly providers: SignInProviders
  readonly providerCookie: ProviderCookie
  readonly deviceCookie: DeviceCookie
}

const text = (longest: number) => z.string().max(longest).optional()

const beginBody = z.strictObject({ provider: z.string().max(30), back: text(4_000) })
/** The parameters of the page to which the provider returns: the provider's id and its answer. The page drops all others. */
const answerBody = z.strictObject({
  provider: z.string().max(30),
  code: text(4_000),
  state: text(200),
  iss: text(1_000),
  error: text(200),
})

/** How a sign-in ended. */
type Opened =
  | { readonly kind: 'opened'; readonly session: Awaited<ReturnType<typeof openSession>> }
  | { readonly kind: 'code'; readonly account: AccountDetails }

/**
 * Signing in with a provider, as a plugin of better-auth ([0035](../../../../docs/decisions/0035-sign-in-with-providers.md)).
 *
 * The provider sends the browser to a page of the dashboard, which sends the answer by POST: a GET changes nothing here either. `/provider/answer`
 * also links a provider to the account of a session that has begun to (`beginProviderLink`).
 */
export function providerEndpoints(parts: ProviderParts) {
  const { providers, providerCookie, deviceCookie, mail, log, database } = parts
  return {
    id: 'zonewright-providers',
    endpoints: {
      providerBegin: createAuthEndpoint('/provider/begin', { method: 'POST', body: beginBody }, async (ctx) => {
        const provider = await inItsForm(async () => providerById(providers, ctx.body.provider))
        const begun = await provider.begin(providerReturnUrl(mail.site, provider))
        if (begun.kind === 'away') throw asApiError(isAway(provider, begun, log))
        const state = { ...begun.kept, issuer: provider.issuer, back: returnPath(ctx.body.back) }
        ctx.setCookie(providerCookie.name, await providerCookie.write(state), providerCookie.attributes)
        return ctx.json({ url: begun.url })
      }),
      providerAnswer: createAuthEndpoint('/provider/answer', { method: 'POST', body: answerBody }, async (ctx) => {
        const { body } = ctx
        const { state, provider, opened } = await inItsForm(async () => {
          const kept = await providerCookie.read(ctx.headers?.get('cookie'))
          if (kept === undefined || body.state !== kept.state) throw notBegunHere()
          const from = providers.all.find(({ issuer }) => issuer === kept.issuer)
          if (from === undefined) throw noLonger()
          if (body.provider !== from.id) throw notBegunHere()
          if (kept.linkTo) await requireSession(ctx, kept.linkTo)
          await takeTry(database.db, 'provider-answer', networkOf(addressOf(ctx)))
          const finished = await from.finish(kept, providerReturnUrl(mail.site, from), body)
          const person = provedBy(from, finished, log)
          const work = { ctx, parts, state: kept, provider: from, person }
          return {
            state: kept,
            provider: from,
            opened: kept.linkTo ? await link(work, kept.linkTo) : await signIn(work),
          }
        })
        if (opened instanceof Refusal) throw asApiError(opened)
        ctx.setCookie(providerCookie.name, '', { ...providerCookie.attributes, maxAge: 0 })
        const answer = { provider: provider.name, back: state.back }
        if (opened === 'linked') return ctx.json({ ...answer, result: 'linked' })
        if (opened.kind === 'code') {
          await askForCode(ctx, opened.account.id)
          return ctx.json({ ...answer, result: 'code_needed' })
        }
        await setSessionCookie(ctx, opened.session)
        ctx.setCookie(deviceCookie.name, deviceCookie.write(opened.session.devices), deviceCookie.attributes)
        return ctx.json({ ...answer, result: 'signed_in' })
      }),
    },
  }
}

/** A provider's answer that proves who the person is. */
interface Proved {
  readonly ctx: AuthContext
  readonly parts: ProviderParts
  readonly state: ProviderState
  readonly provider: SignInProvider
  readonly person: ProvedPerson
}

function notBegunHere(): Refusal {
  return new Refusal(
    'conflict',
    'This sign-in was not begun in this browser, or took longer than 10 minutes. Go back to the sign-in page, and try again.',
  )
}

/** Linking can be completed only in the session that gave the password and the code. */
async function requireSession(ctx: AuthContext, { accountId, sessionId }: NonNullable<ProviderState['linkTo']>) {
  const found = await getSessionFromCtx(ctx)
  if (found?.user.id !== accountId || found.session.id !== sessionId) throw otherSession()
}

function otherSession(): Refusal {
  return new Refusal('conflict', 'You are no longer signed in as when you began. Sign in, and link the provider again.')
}

function link(
  { ctx, parts, state, provider, person }: Proved,
  { accountId, sessionId }: NonNullable<ProviderState['linkTo']>,
): Promise<Refusal | 'linked'> {
  // Return a refusal instead of throwing it. A thrown one would roll back the record that the state was used.
  return writeWithAuth(async (tx) => {
    const account = await lockAndReadAccount(tx, accountId)
    // The session may have ended while the provider was queried, for example because of a new password.
    if (account === undefined || !(await hasSession(tx, accountId, sessionId))) return otherSession()
    if (!(await useChallenge(tx, state.state))) return alreadyUsed()
    const actor = personAt(account, addressOf(ctx))
    return (await linkProvider(tx, { actor, accountId }, { provider, person }, parts.mail)) ?? 'linked'
  })
}

async function signIn(work: Proved): Promise<Refusal | Opened> {
  const { ctx, parts, provider, person } = work
  const { db } = parts.database
  const planned = await planOf(db, provider, person)
  if (planned.kind === 'refuse') return planned.refusal
  if (planned.kind === 'create') await takeTry(db, 'sign-up-from', networkOf(addressOf(ctx)))
  return await writeWithAuth((tx) => carryOut(tx, work, planned))
}

async function planOf(
  db: Database['db'] | Tx,
  { issuer, name }: SignInProvider,
  person: ProvedPerson,
): Promise<SignInPlan> {
  const linkedTo = await accountOfSubject(db, { issuer, subject: person.subject })
  const account =
    linkedTo === undefined && person.email !== undefined ? await accountToLink(db, person.email) : undefined
  return planSignIn(name, { person, linkedTo, account })
}

/** Plans again within the transaction, with the account locked, and applies the plan only if it is the same as before. */
async function carryOut(
  tx: Tx,
  work: Proved,
  planned: Exclude<SignInPlan, { kind: 'refuse' }>,
): Promise<Refusal | Opened> {
  const { ctx, parts, state, provider, person } = work
  const account = planned.kind === 'create' ? undefined : await lockAndReadAccount(tx, planned.accountId)
  const plan = await planOf(tx, provider, person)
  if (plan.kind === 'refuse') return plan.refusal
  const isSame =
    plan.kind === 'create'
      ? planned.kind === 'create'
      : planned.kind === plan.kind && planned.accountId === plan.accountId
  if (!isSame) return changedMeanwhile(provider)
  if (!(await useChallenge(tx, state.state))) return alreadyUsed()
  if (plan.kind === 'create') return create(tx, work, plan.email)
  if (account === undefined) return changedMeanwhile(provider)
  if (plan.kind === 'link') {
    const actor = personAt(account, addressOf(ctx))
    const refusal = await linkProvider(tx, { actor, accountId: account.id }, { provider, person }, parts.mail)
    if (refusal) return refusal
  }
  await noteProviderUse(tx, account.id, { issuer: provider.issuer, subject: person.subject })
  // A provider counts as one factor, because it does not say how the person signed in.
  if (account.twoFactorEnabled) return { kind: 'code', account }
  return { kind: 'opened', session: await openSession(tx, parts.mails, account, browserOf(work)) }
}

async function create(tx: Tx, work: Proved, email: string): Promise<Refusal | Opened> {
  const { ctx, parts, provider, person } = work
  const opened = await openAccount(tx, { email, name: person.name, from: browserOf(work) })
  // Another request has just created it.
  if (opened === undefined) return changedMeanwhile(provider)
  const account = await lockAndReadAccount(tx, opened.account.id)
  // Throw this refusal, and the one below: without its provider, nothing of the account may remain.
  if (account === undefined) throw changedMeanwhile(provider)
  const actor = personAt(account, addressOf(ctx))
  const refusal = await linkProvider(tx, { actor, accountId: account.id }, { provider, person }, parts.mail)
  if (refusal) throw refusal
  await noteProviderUse(tx, account.id, { issuer: provider.issuer, subject: person.subject })
  const { session, devices } = opened
  const { createdAt } = session
  return {
    kind: 'opened',
    session: {
      session: { ...session, userId: account.id, updatedAt: createdAt },
      user: { ...account, emailVerified: true, updatedAt: createdAt },
      devices,
    },
  }
}

function browserOf({ ctx, parts }: Pick<Proved, 'ctx' | 'parts'>) {
  return {
    address: addressOf(ctx),
    userAgent: ctx.headers?.get('user-agent') ?? '',
    devices: parts.deviceCookie.read(ctx.headers?.get('cookie')),
  }
}

/** How long a sign-in waits for its code: as long as better-auth waits after a password. */
const codeWaitS = 10 * 60

/** Makes the sign-in wait for its code, in the form that better-auth's routes for codes expect. */
async function askForCode(ctx: AuthContext, accountId: string): Promise<void> {
  // Otherwise, these routes would check the code against the account of the current session.
  deleteSessionCookie(ctx, true)
  const { internalAdapter, secret } = ctx.context
  const cookie = ctx.context.createAuthCookie('two_factor', { maxAge: codeWaitS })
  const identifier = `2fa-${randomBytes(15).toString('base64url')}`
  const expiresAt = new Date(Date.now() + codeWaitS * 1_000)
  await internalAdapter.createVerificationValue({ value: accountId, identifier, expiresAt })
  await internalAdapter.createVerificationValue({ value: '0', identifier: `2fa-attempts-${identifier}`, expiresAt })
  await ctx.setSignedCookie(cookie.name, identifier, secret, cookie.attributes)
}

function alreadyUsed(): Refusal {
  return new Refusal('conflict', 'This sign-in was already used. Go back to the sign-in page, and try again.')
}

function changedMeanwhile({ name }: SignInProvider): Refusal {
  return new Refusal('conflict', `Another request changed the account at the same time. Sign in with ${name} again.`)
}
