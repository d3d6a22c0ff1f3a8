import { AsyncLocalStorage } from 'node:async_hooks'
import { Refusal } from '#platform/errors.ts'
import { type Database, isUnavailable, type Statement, type Tx } from '#platform/postgres/index.ts'
import { lockAccount } from './store.ts'

type Late = Parameters<Parameters<Database['transactLate']>[0]>[0]

/**
 * One request to better-auth. What it reads, and what our hook before it writes, goes through the pool; from better-auth's first write on, everything
 * is in one transaction: its rows, and the audit entries and emails of our hooks.
 *
 * No connection is held while a password is verified, and a request that holds one never asks for another.
 */
export class AuthWork {
  readonly #database: Database
  readonly #late: Late
  #isPastGuard = false
  #accountId: string | undefined
  #hashed: { readonly password: string; readonly hash: string } | undefined
  #tx: Promise<Tx> | undefined
  /** The error that requires a rollback of everything: our own part of the request failed. */
  #failure: unknown
  /** The error of better-auth's first failed statement. The transaction is lost, even if better-auth handles the error. */
  #refused: unknown

  constructor(database: Database, late: Late) {
    this.#database = database
    this.#late = late
  }

  /** Called after our hook before the route. The transaction first locks the account, if it is known: see docs/reference/locks.md. */
  passGuard(accountId: string | undefined): void {
    this.#isPastGuard = true
    this.#accountId = accountId
  }

  /** Stores the hash of a new password, calculated before the transaction begins, because hashing takes about as long as a hundred statements. */
  keepHash(password: string, hash: string): void {
    this.#hashed = { password, hash }
  }

  /** The stored hash of this password. */
  hashOf(password: string): string | undefined {
    return this.#hashed?.password === password ? this.#hashed.hash : undefined
  }

  /** Runs a statement of better-auth. */
  async run<Row>(statement: Statement<Row>): Promise<{ rows: Row[] }> {
    const isRead = /^select\b/i.test(statement.text)
    const isWithin = this.#late.hasBegun || (this.#isPastGuard && !isRead)
    try {
      return await (isWithin ? await this.#transaction() : this.#database.db).run(statement)
    } catch (error) {
      this.#refused ??= error
      throw error
    }
  }

  /**
   * Writes that belong to better-auth's rows. If this fails, the whole request is rolled back, although better-auth ignores the errors of
   * its callbacks that send emails.
   */
  async write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    try {
      return await work(await this.#transaction())
    } catch (error) {
      this.#failure ??= error
      throw error
    }
  }

  /** Returns the response if the work is to be committed; throws if it is to be rolled back. */
  settle(response: Response): Response {
    if (this.#failure !== undefined) throw this.#failure
    const refused = this.#refused
    if (refused !== undefined && (response.status < 400 || isUnavailable(refused))) throw refused
    if (refused !== undefined || response.status >= 500) throw new Undone(response)
    return response
  }

  #transaction(): Promise<Tx> {
    this.#tx ??= this.#begin()
    return this.#tx
  }

  async #begin(): Promise<Tx> {
    const tx = await this.#late.begin(this.#accountId)
    if (this.#accountId !== undefined) await lockAccount(tx, this.#accountId)
    return tx
  }
}

const works = new AsyncLocalStorage<AuthWork>()

/** The request that the calling code belongs to; undefined: it only looks up the session of a cookie. */
export function currentAuthWork(): AuthWork | undefined {
  return works.getStore()
}

/** Writes in the transaction of the request that better-auth is handling. */
export async function writeWithAuth<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  const current = works.getStore()
  if (current === undefined) throw new Error('better-auth calls this outside a request')
  return current.write(work)
}

/**
 * Lets better-auth answer a request as one unit of work. A refusal (4xx) keeps what was written, such as counts of failures; any other
 * failure keeps nothing.
 *
 * @throws Refusal `unavailable` if the database did not answer, `conflict` if another request has just created the same row
 */
export async function asAuthWork(database: Database, answer: () => Promise<Response>): Promise<Response> {
  try {
    return await database.transactLate(async (late) => {
      const work = new AuthWork(database, late)
      return work.settle(await works.run(work, answer))
    })
  } catch (error) {
    if (error instanceof Undone) return error.response
    if ((error as { code?: string }).code === uniqueViolation)
      throw new Refusal(
        'conflict',
        'Another request made the same change at the same time. This one changed nothing; try again.',
      )
    throw error
  }
}

/** PostgreSQL's code for a duplicate. better-auth checks for an existing row before it has the account's lock. */
const uniqueViolation = '23505'

/** Passes a response out of a transaction that is rolled back. */
class Undone extends Error {
  readonly response: Response

  constructor(response: Response) {
    super('nothing of the request is kept')
    this.response = response
  }
}
