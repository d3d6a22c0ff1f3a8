import { recordAudit } from '#modules/audit/index.ts'
import { providerChanged } from '#modules/mail/index.ts'
import type { Actor } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import type { Logger } from '#platform/log.ts'
import { databaseNow, type Tx } from '#platform/postgres/index.ts'
import type {
  FinishedSignIn,
  ProvedPerson,
  ProviderAway,
  SignInProvider,
  SignInProviders,
} from '#ports/sign-in-provider.ts'
import { maxLinkedProviders } from './provider-rules.ts'
import { accountOfSubject, dropLinkedProvider, insertLinkedProvider, linkedProvidersOf } from './provider-store.ts'
import { endVerifications, lockAccount } from './store.ts'
import { type MailContext, tellAccount } from './tell-account.ts'

/**
 * The page of the dashboard to which a provider sends the browser back. Each provider has its own, so that none can hand on the answer of another
 * (RFC 9700 §4.4.2.2).
 */
export function providerReturnUrl(site: string, { id }: Pick<SignInProvider, 'id'>): string {
  return `${site}/app/provider/${id}`
}

/** The provider with this id. Throws `conflict` if there is none: the page may be older than the settings. */
export function providerById({ all }: Pick<SignInProviders, 'all'>, id: string): SignInProvider {
  const found = all.find((each) => each.id === id)
  if (found === undefined) throw noLonger()
  return found
}

/** The refusal for a provider that the operator has removed. */
export function noLonger(): Refusal {
  return new Refusal(
    'conflict',
    'This service no longer offers this way to sign in. Sign in with your password. If you have none, choose "Forgot password?" to set one.',
  )
}

/** Converts a response that does not prove an identity to a refusal, and logs the reason. */
export function provedBy(
  { name, id }: Pick<SignInProvider, 'name' | 'id'>,
  finished: FinishedSignIn,
  log: Logger,
): ProvedPerson {
  switch (finished.kind) {
    case 'proved':
      return finished.person
    case 'away':
      throw isAway({ name, id }, finished, log)
    case 'declined':
      throw new Refusal('conflict', `You did not continue at ${name}. Try again, or sign in another way.`)
    case 'refused':
      log.warn({ provider: id, why: finished.why }, 'an answer of a sign-in provider was refused')
      throw new Refusal(
        'conflict',
        `The answer of ${name} was not accepted. It may be too old, or was used already. Try again, or sign in another way.`,
      )
  }
}

/** The refusal for a provider that does not answer. */
export function isAway({ name, id }: Pick<SignInProvider, 'name' | 'id'>, { why }: ProviderAway, log: Logger): Refusal {
  log.warn({ provider: id, why }, 'a sign-in provider does not answer as it should')
  return new Refusal(
    'provider_unavailable',
    `${name} does not respond as expected. Try again in a few minutes, or sign in another way.`,
    { headers: { 'retry-after': '60' } },
  )
}

/** The account whose providers change, and the actor. */
interface Changer {
  readonly actor: Actor
  readonly accountId: string
}

/**
 * Links a person at a provider to an account, writes an audit entry, and notifies the owner. Lock the account first.
 *
 * Returns a refusal and writes nothing if the person is already linked to an account, or the account has too many providers.
 */
export async function linkProvider(
  tx: Tx,
  { actor, accountId }: Changer,
  { provider: { issuer, name }, person }: { provider: SignInProvider; person: ProvedPerson },
  mail: MailContext,
): Promise<Refusal | undefined> {
  const { subject, email } = person
  if ((await linkedProvidersOf(tx, accountId)).length >= maxLinkedProviders)
    return new Refusal('conflict', `An account can have ${maxLinkedProviders} linked providers. Unlink one first.`)
  if (!(await insertLinkedProvider(tx, accountId, { issuer, subject, name, email })))
    return (await accountOfSubject(tx, { issuer, subject })) === accountId
      ? new Refusal('conflict', `This ${name} account is linked already.`)
      : new Refusal('conflict', `This ${name} account is linked to another account here. Unlink it there first.`)
  const who = email === undefined ? name : `${name} (${email})`
  await recordAudit(tx, { accountId, actor, action: 'provider.linked', summary: `${who} was linked` })
  await tell(tx, { actor, accountId }, mail, { name, email, isLinked: true })
  return undefined
}

/**
 * Unlinks a provider, and ends sign-ins that wait for their code. The caller has given the password, so the provider is not the last way to sign in.
 *
 * Throws `not_found` if the account has no such provider.
 */
export async function unlinkProvider(
  tx: Tx,
  { actor, accountId }: Changer,
  id: string,
  mail: MailContext,
): Promise<void> {
  await lockAccount(tx, accountId)
  const name = await dropLinkedProvider(tx, accountId, id)
  if (name === undefined) throw new Refusal('not_found', 'This account has no such provider.')
  await endVerifications(tx, accountId)
  await recordAudit(tx, { accountId, actor, action: 'provider.unlinked', summary: `${name} was unlinked` })
  await tell(tx, { actor, accountId }, mail, { name, isLinked: false })
}

async function tell(
  tx: Tx,
  { actor, accountId }: Changer,
  { secrets, site }: MailContext,
  about: { name: string; email?: string | undefined; isLinked: boolean },
): Promise<void> {
  const message = providerChanged({ ...about, site, at: await databaseNow(tx), from: actor.address ?? 'unknown' })
  await tellAccount(tx, { secrets }, accountId, message)
}
