import type { Actor, Caller } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import type { Database, Db, Tx } from '#platform/postgres/index.ts'
import type { AuthSecrets } from './auth-secrets.ts'
import { claimStep, lockTwoFactor, readTwoFactor, renewTwoFactor, setBackupCodes } from './codes-store.ts'
import { deviceHash } from './devices.ts'
import { knownDevice } from './devices-store.ts'
import type { Guess, Guesses } from './guesses.ts'
import { setTwoFactor } from './store.ts'
import { asTotp, stepOf } from './totp.ts'

/** Uses a code up, in the transaction of the action that it permits. Throws if it is wrong or was used. */
export type UseCode = (tx: Tx) => Promise<void>

/** The person who enters a code, and the source. `devices` are the ids in the browser's device cookie (`DeviceCookie`). */
export interface CodeGiver {
  readonly accountId: string
  readonly address: string
  readonly devices: readonly string[]
}

/** The caller of a route that accepts only sessions. Throws a TypeError if it is a key. */
export function sessionOf(caller: Caller): Caller<'session'> {
  if (caller.kind !== 'session') throw new TypeError('an API key was accepted for a route that only sessions may call')
  return caller
}

/** The person who makes a request with a session. */
export function codeGiver(caller: Caller, actor: Actor): CodeGiver {
  const { accountId, devices = [] } = sessionOf(caller)
  return { accountId, address: actor.address ?? '', devices }
}

/** Two-factor codes: from the authenticator, or from the list of backup codes. Each works once, across all routes. */
export class Codes {
  readonly #secrets: AuthSecrets
  readonly #database: Database
  readonly #guesses: Guesses

  constructor(secrets: AuthSecrets, database: Database, guesses: Guesses) {
    this.#secrets = secrets
    this.#database = database
    this.#guesses = guesses
  }

  /**
   * Performs an action that requires a code: `work` uses the code up in its transaction, so that the code stays valid if the action fails.
   *
   * Refuses an account without two-factor authentication, a missing or malformed code, and a code that must wait after wrong ones. A code counts as
   * wrong until it is verified, even if everything else is rolled back. A right code does not count, even if the work fails.
   */
  async permit<T>(
    db: Db,
    giver: CodeGiver,
    code: string | undefined,
    work: (useCode: UseCode) => Promise<T>,
  ): Promise<T> {
    if ((await readTwoFactor(db, giver.accountId)) === undefined)
      throw new Refusal(
        'two_factor_required',
        'This requires two-factor authentication. Turn it on in the dashboard first.',
      )
    if (code === undefined || code.trim() === '')
      throw new Refusal('code_required', 'Enter a code from your authenticator app, or a backup code.')
    const guess = await this.begin(db, giver, code)
    let wasRight = false
    try {
      return await work(async (tx) => {
        await this.#use(tx, giver.accountId, code, guess)
        wasRight = true
      })
    } catch (error) {
      if (wasRight) await guess.wasRight(db).catch(() => undefined)
      else if (error instanceof Refusal && error.code === 'code_wrong')
        await this.#database.transact((tx) => guess.wasWrong(tx))
      throw error
    }
  }

  /**
   * Counts a code, of either kind or only of one, before it is evaluated.
   *
   * Throws `validation_failed` if it is malformed, which does not count.
   */
  async begin(
    db: Db,
    { accountId, address, devices }: CodeGiver,
    code: string,
    only?: 'code' | 'backup-code',
  ): Promise<Guess> {
    const kind = asTotp(code) !== undefined ? 'code' : isBackupCode(code) ? 'backup-code' : undefined
    if (kind === undefined || (only ?? kind) !== kind) throw malformedCode()
    const device = await knownDevice(db, accountId, devices.map(deviceHash))
    return this.#guesses.begin(kind, { subject: accountId, address, device: device?.toString('base64url') })
  }

  async #use(tx: Tx, accountId: string, code: string, guess: Guess): Promise<void> {
    const factor = await lockTwoFactor(tx, accountId)
    const totp = asTotp(code)
    const isRight =
      factor !== undefined &&
      (totp === undefined
        ? await this.#useBackupCode(tx, accountId, factor.backupCodes, code.trim())
        : await this.#useTotp(tx, accountId, factor.secret, totp))
    if (!isRight)
      throw new Refusal('code_wrong', 'The code is wrong or was already used. Wait for the next code and try again.')
    await guess.wasRight(tx)
  }

  /** Sets up two-factor authentication for an account that an operator creates, without a code and without backup codes. */
  async provide(tx: Tx, accountId: string, secret: string): Promise<void> {
    const [sealed, none] = await Promise.all([secret, '[]'].map((data) => this.#secrets.seal(data)))
    await setTwoFactor(tx, accountId, sealed ?? '', none ?? '')
  }

  /** Claims the period of an authenticator's code that other code will check. False: it was already used. */
  async claim(db: Db, accountId: string, code: string): Promise<boolean> {
    const factor = await readTwoFactor(db, accountId, 'unverified too')
    const totp = asTotp(code)
    if (factor === undefined || totp === undefined) return true // the check reports what is wrong with it
    const step = stepOf(await this.#secrets.open(factor.secret), totp, Date.now())
    return step === undefined || (await claimStep(db, accountId, step))
  }

  async #useTotp(tx: Tx, accountId: string, sealed: string, totp: string): Promise<boolean> {
    const step = stepOf(await this.#secrets.open(sealed), totp, Date.now())
    return step !== undefined && (await claimStep(tx, accountId, step))
  }

  async #useBackupCode(tx: Tx, accountId: string, sealed: string, code: string): Promise<boolean> {
    const codes = JSON.parse(await this.#secrets.open(sealed)) as string[]
    if (!codes.includes(code)) return false
    const left = codes.filter((other) => other !== code)
    await setBackupCodes(tx, accountId, await this.#secrets.seal(JSON.stringify(left)))
    return true
  }

  /** Encrypts the data of an account with the current key, because better-auth can decrypt nothing else. */
  async renew(db: Db, accountId: string): Promise<void> {
    if (this.#secrets.fallback === undefined) return
    const before = await readTwoFactor(db, accountId, 'unverified too')
    if (before === undefined) return
    const [secret, backupCodes] = await Promise.all([
      this.#secrets.renewed(before.secret),
      this.#secrets.renewed(before.backupCodes),
    ])
    if (secret !== before.secret || backupCodes !== before.backupCodes)
      await renewTwoFactor(db, accountId, before, { secret, backupCodes })
  }
}

/** A backup code, as better-auth generates them: `aB3dE-fG7hI`. */
function isBackupCode(text: string): boolean {
  return /^[a-z0-9]{5}-[a-z0-9]{5}$/i.test(text.trim())
}

function malformedCode(): Refusal {
  const message =
    'This is not a valid code. Enter the 6 digits from your authenticator app, or a backup code such as aB3dE-fG7hI.'
  return new Refusal('validation_failed', message, { details: [{ path: '/code', code: 'malformed', message }] })
}
