import { randomBytes } from 'node:crypto'
import { recordAudit } from '#modules/audit/index.ts'
import { passkeyChanged } from '#modules/mail/index.ts'
import type { Actor } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import { databaseNow, type Tx } from '#platform/postgres/index.ts'
import type { AuthSecrets } from './auth-secrets.ts'
import { dropPasskey, insertPasskey, type Passkey, passkeysOf, setPasskeyName, useChallenge } from './passkey-store.ts'
import { lockAccount, passwordHash } from './store.ts'
import { type MailContext, tellAccount } from './tell-account.ts'
import { type ExpectedAnswer, type PasskeyAnswer, PasskeyFault, readNewPasskey } from './webauthn.ts'

/** Maximum number of passkeys of an account. */
export const maxPasskeys = 20
/** How long a person may take to answer the browser's question. */
export const challengeLifetimeMs = 5 * 60_000

const randomLength = 16
const payloadBytes = randomLength + 8

/**
 * Challenges for passkeys: random bytes, an expiry, and our signature. A challenge is stored only when it is answered, so requesting many of them
 * writes nothing.
 *
 * `purpose` is signed as well: a challenge for one account's new passkey is of no use for another, or for a sign-in.
 */
export class Challenges {
  readonly rpId: string
  readonly #origin: string
  readonly #secrets: AuthSecrets

  constructor(secrets: AuthSecrets, publicUrl: string) {
    const { hostname, origin } = new URL(publicUrl)
    this.rpId = hostname
    this.#origin = origin
    this.#secrets = secrets
  }

  make(purpose: string, nowMs = Date.now()): string {
    const payload = Buffer.alloc(payloadBytes)
    randomBytes(randomLength).copy(payload)
    payload.writeBigUInt64BE(BigInt(nowMs + challengeLifetimeMs), randomLength)
    return Buffer.concat([payload, this.#secrets.sign(textOf(purpose, payload))]).toString('base64url')
  }

  /** What an answer to a challenge for this purpose must match. */
  expected(purpose: string): ExpectedAnswer {
    return {
      origin: this.#origin,
      rpId: this.rpId,
      isOurChallenge: (challenge) => this.#isOurs(challenge, purpose),
    }
  }

  #isOurs(challenge: string, purpose: string): boolean {
    const bytes = Buffer.from(challenge, 'base64url')
    // Several texts decode to the same bytes. Each would count as a different challenge.
    if (bytes.length !== payloadBytes + 32 || bytes.toString('base64url') !== challenge) return false
    const payload = bytes.subarray(0, payloadBytes)
    if (!this.#secrets.hasSigned(textOf(purpose, payload), bytes.subarray(payloadBytes))) return false
    return Number(payload.readBigUInt64BE(randomLength)) > Date.now()
  }
}

function textOf(purpose: string, payload: Buffer): string {
  return `passkey ${purpose} ${payload.toString('base64url')}`
}

/** The purpose of a challenge for a new passkey: it works only in the session that gave the password and the code. */
export function newPasskeyPurpose(accountId: string, sessionId: string): string {
  return `new ${accountId} ${sessionId}`
}

/** The account whose passkeys change, and the actor. */
interface Changer {
  readonly actor: Actor
  readonly accountId: string
}

/**
 * Adds the passkey of a browser's answer, writes an audit entry and notifies the owner.
 *
 * Throws `validation_failed` if the answer is not valid, and `conflict` if the passkey exists, or would be one too many.
 */
export async function addPasskey(
  tx: Tx,
  { actor, accountId }: Changer,
  wish: {
    readonly answer: PasskeyAnswer
    readonly transports: readonly string[]
    readonly name: string
    readonly expected: ExpectedAnswer
  },
  mail: MailContext,
): Promise<Passkey> {
  const read = readable(() => readNewPasskey(wish.answer, wish.expected))
  await lockAccount(tx, accountId)
  if (!(await useChallenge(tx, read.challenge))) throw unfit('its challenge was already used')
  if ((await passkeysOf(tx, accountId)).length >= maxPasskeys)
    throw new Refusal('conflict', `An account can have ${maxPasskeys} passkeys. Remove one first.`)
  const passkey = await insertPasskey(tx, accountId, { ...read, name: wish.name, transports: wish.transports })
  if (passkey === undefined)
    throw new Refusal('conflict', 'This passkey is already in use. Choose another device or password manager.')
  await note(tx, { actor, accountId }, 'passkey.added', `Passkey ${JSON.stringify(passkey.name)} was added`)
  await tell(tx, { actor, accountId }, mail, { name: passkey.name, isAdded: true })
  return passkey
}

/** Throws `not_found` if the account has no such passkey. */
export async function renamePasskey(tx: Tx, { actor, accountId }: Changer, id: string, name: string): Promise<Passkey> {
  await lockAccount(tx, accountId)
  const passkey = await setPasskeyName(tx, accountId, id, name)
  if (passkey === undefined) throw noSuchPasskey()
  await note(tx, { actor, accountId }, 'passkey.renamed', `A passkey was renamed to ${JSON.stringify(name)}`)
  return passkey
}

/** Throws `not_found` if the account has no such passkey, and `conflict` if it is the last way to sign in. */
export async function removePasskey(
  tx: Tx,
  { actor, accountId }: Changer,
  id: string,
  mail: MailContext,
): Promise<void> {
  await lockAccount(tx, accountId)
  const name = await dropPasskey(tx, accountId, id)
  if (name === undefined) throw noSuchPasskey()
  if ((await passwordHash(tx, accountId)) === undefined && (await passkeysOf(tx, accountId)).length === 0)
    throw new Refusal('conflict', 'This passkey is your only way to sign in. Set a password or add another one first.')
  await note(tx, { actor, accountId }, 'passkey.removed', `Passkey ${JSON.stringify(name)} was removed`)
  await tell(tx, { actor, accountId }, mail, { name, isAdded: false })
}

/** Converts a fault of an answer to a refusal. */
export function readable<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof PasskeyFault) throw unfit(error.message)
    throw error
  }
}

function unfit(why: string): Refusal {
  return new Refusal('validation_failed', `The passkey was not accepted: ${why}. Try again.`)
}

function noSuchPasskey(): Refusal {
  return new Refusal('not_found', 'This account has no such passkey.')
}

function note(tx: Tx, { actor, accountId }: Changer, action: string, summary: string): Promise<void> {
  return recordAudit(tx, { accountId, actor, action, summary })
}

async function tell(
  tx: Tx,
  { actor, accountId }: Changer,
  { secrets, site }: MailContext,
  about: { name: string; isAdded: boolean },
): Promise<void> {
  const message = passkeyChanged({ ...about, site, at: await databaseNow(tx), from: actor.address ?? 'unknown' })
  await tellAccount(tx, { secrets }, accountId, message)
}
