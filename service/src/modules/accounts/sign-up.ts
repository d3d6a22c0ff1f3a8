import { createHash, randomBytes } from 'node:crypto'
import { recordAudit } from '#modules/audit/index.ts'
import { actorNamed } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import type { Db, Tx } from '#platform/postgres/index.ts'
import type { AccountMails } from './account-mails.ts'
import { noteSecurity } from './account-notes.ts'
import { linkLifetimeS, sessionDays } from './auth-rules.ts'
import { rememberDevice } from './devices.ts'
import { eraseGuesses } from './guess-store.ts'
import { addSignUp, dropSignUps, insertConfirmed, insertSession, signUpEmail } from './sign-up-store.ts'
import { accountByEmail, dropPassword, endVerifications, setPassword } from './store.ts'

/**
 * Starts a sign-up: stores only the address, and sends a link to it. An address that already has an account gets an email that says so. The
 * response and its timing are the same in both cases.
 */
export async function signUp(
  tx: Tx,
  { mails, site }: { mails: AccountMails; site: string },
  email: string,
): Promise<void> {
  const token = randomBytes(32).toString('base64url')
  const account = await accountByEmail(tx, email)
  // Also for an address with an account, so that both take equally long. That token is never sent to anyone.
  await addSignUp(tx, email, hashOf(token), linkLifetimeS.signUp)
  if (account?.emailConfirmed) await mails.alreadyRegistered(tx, email)
  else await mails.finishSignUp(tx, email, `${site}/app/create-account?token=${token}`)
}

/** The address of a link. Changes nothing. Throws `conflict` if the link does not work. */
export async function addressOfLink(db: Db, token: string): Promise<string> {
  const email = await signUpEmail(db, hashOf(token))
  if (email === undefined)
    throw new Refusal('conflict', 'This link has expired or was already used. Sign up again to get a new one.')
  return email
}

/** The refusal for a valid link whose address has an account by now. */
export function alreadyHasAccount(email: string): Refusal {
  return new Refusal('conflict', `${email} already has an account. Sign in, or reset the password if you forgot it.`)
}

/** The result of using a link. */
export interface OpenedAccount {
  readonly account: { readonly id: string; readonly email: string; readonly name: string }
  readonly session: { readonly id: string; readonly token: string; readonly expiresAt: Date; readonly createdAt: Date }
  /** For the device cookie. */
  readonly devices: readonly string[]
}

/**
 * Creates the account of an address that its owner has proved, with the name and the password that the owner has chosen, and signs the owner in.
 *
 * Returns undefined, and writes nothing, if the address has an account by now, for example because another of its links was used.
 */
export async function openAccount(
  tx: Tx,
  wish: {
    readonly email: string
    readonly name: string
    /** Undefined: a provider proves the owner, who may set a password later. */
    readonly passwordHash?: string
    readonly from: { readonly address: string; readonly userAgent: string; readonly devices: readonly string[] }
  },
): Promise<OpenedAccount | undefined> {
  const { email, name, passwordHash, from } = wish
  const id = await insertConfirmed(tx, email, name)
  if (id === undefined) return undefined
  await dropSignUps(tx, email)
  await eraseGuesses(tx, email)
  await endVerifications(tx, id)
  // The account has never confirmed its address and is taken over. Its password belongs to someone else.
  if (passwordHash === undefined) await dropPassword(tx, id)
  else await setPassword(tx, id, passwordHash)
  await recordAudit(tx, {
    accountId: id,
    actor: { ...actorNamed('system', 'sign-up'), address: from.address === '' ? null : from.address },
    action: 'account.created',
    summary: `Account ${email} was created`,
  })
  const sessionToken = randomBytes(24).toString('base64url')
  const { address, userAgent } = from
  const session = await insertSession(tx, { accountId: id, token: sessionToken, days: sessionDays, address, userAgent })
  await noteSecurity(tx, { id, email }, 'session.created', address)
  const { ids } = await rememberDevice(tx, { accountId: id, sessionId: session.id, ids: from.devices })
  return { account: { id, email, name }, session: { ...session, token: sessionToken }, devices: ids }
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
