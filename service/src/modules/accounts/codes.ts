import type { Db, Tx } from '#platform/db.ts'
import { Refusal } from '#platform/errors.ts'
import { claimStep, lockTwoFactor, readTwoFactor, setBackupCodes } from './codes-store.ts'
import { setTwoFactor } from './store.ts'
import { asTotp, stepOf } from './totp.ts'
import { forgiveTries, takeBackTry, takeTry } from './tries.ts'

/** Uses a code up, in the transaction of what it permits. Throws where it is wrong, or was used. */
export type UseCode = (tx: Tx) => Promise<void>

/** Codes of the second factor: of the authenticator, or of the list of backup codes. Each works once, wherever it is asked for. */
export class Codes {
  readonly #secret: string

  /** @param secret with which better-auth encrypts what it keeps */
  constructor(secret: string) {
    this.#secret = secret
  }

  /**
   * Does what a code permits: `work` uses the code up in its transaction, so that it is as good as before if that fails.
   *
   * Refuses an account that has made too many tries, has no second factor, or gave no code. A try is counted before the work, though
   * nothing else be kept; one whose code was right does not count, whatever became of the work.
   */
  async permit<T>(
    db: Db,
    accountId: string,
    code: string | undefined,
    work: (useCode: UseCode) => Promise<T>,
  ): Promise<T> {
    await this.#begin(db, accountId, code)
    let wasRight = false
    try {
      return await work(async (tx) => {
        await this.#use(tx, accountId, code ?? '')
        wasRight = true
      })
    } catch (error) {
      if (wasRight) await takeBackTry(db, 'code', accountId).catch(() => undefined)
      throw error
    }
  }

  async #begin(db: Db, accountId: string, code: string | undefined): Promise<void> {
    if ((await readTwoFactor(db, accountId)) === undefined)
      throw new Refusal(
        'two_factor_required',
        'This needs two-factor authentication: turn it on in the dashboard first.',
      )
    if (code === undefined || code.trim() === '')
      throw new Refusal('code_required', 'This needs a code of your authenticator, or a backup code.')
    await takeTry(db, 'code', accountId)
  }

  async #use(tx: Tx, accountId: string, code: string): Promise<void> {
    const factor = await lockTwoFactor(tx, accountId)
    const totp = asTotp(code)
    const isRight =
      factor !== undefined &&
      (totp === undefined
        ? await this.#useBackupCode(tx, accountId, factor.backupCodes, code.trim())
        : await this.#useTotp(tx, accountId, factor.secret, totp))
    if (!isRight)
      throw new Refusal('code_wrong', 'The code is wrong, or was used already. Wait for the next one and try again.')
    await forgiveTries(tx, 'code', accountId)
  }

  /** Gives an account a second factor without asking: for one that an operator opens. It has no backup codes. */
  async provide(tx: Tx, accountId: string, secret: string): Promise<void> {
    const [sealed, none] = await Promise.all([secret, '[]'].map((data) => this.#seal(data)))
    await setTwoFactor(tx, accountId, sealed ?? '', none ?? '')
  }

  /** Claims the period of an authenticator's code that somebody else goes on to check. False: it was used already. */
  async claim(db: Db, accountId: string, code: string): Promise<boolean> {
    const factor = await readTwoFactor(db, accountId, 'unverified too')
    const totp = asTotp(code)
    if (factor === undefined || totp === undefined) return true // the check will say what is wrong with it
    const step = stepOf(await this.#open(factor.secret), totp, Date.now())
    return step === undefined || (await claimStep(db, accountId, step))
  }

  async #useTotp(tx: Tx, accountId: string, sealed: string, totp: string): Promise<boolean> {
    const step = stepOf(await this.#open(sealed), totp, Date.now())
    return step !== undefined && (await claimStep(tx, accountId, step))
  }

  async #useBackupCode(tx: Tx, accountId: string, sealed: string, code: string): Promise<boolean> {
    const codes = JSON.parse(await this.#open(sealed)) as string[]
    if (!codes.includes(code)) return false
    const left = codes.filter((other) => other !== code)
    await setBackupCodes(tx, accountId, await this.#seal(JSON.stringify(left)))
    return true
  }

  async #seal(data: string): Promise<string> {
    const { symmetricEncrypt } = await import('better-auth/crypto')
    return symmetricEncrypt({ key: this.#secret, data })
  }

  async #open(sealed: string): Promise<string> {
    const { symmetricDecrypt } = await import('better-auth/crypto')
    return symmetricDecrypt({ key: this.#secret, data: sealed })
  }
}
