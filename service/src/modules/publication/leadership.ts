import type pg from 'pg'
import { advisoryLocks } from '#platform/advisory-locks.ts'
import type { Database } from '#platform/db.ts'
import type { Logger } from '#platform/log.ts'

/** How often another primary tries, and how often the leader makes sure that its connection still stands. */
const tryAgainMs = 1_000
const checkMs = 5_000
/** Without an answer by then the connection is ended: sooner than PostgreSQL gives the lock of a lost leader away. */
const check: pg.QueryConfig & Pick<pg.ClientConfig, 'query_timeout'> = { text: 'select 1', query_timeout: checkMs }

/**
 * One primary leads, however many there are: it holds an advisory lock on a connection of its own, and leads no longer
 * once that connection is lost.
 */
export class Leadership {
  readonly #database: Database
  readonly #log: Logger
  /** Begins to lead; returns what ends it. */
  readonly #lead: () => Promise<() => Promise<void>>
  #running: Promise<void> | undefined
  readonly #stopping = new AbortController()

  constructor(database: Database, log: Logger, lead: () => Promise<() => Promise<void>>) {
    this.#database = database
    this.#log = log
    this.#lead = lead
  }

  start(): void {
    this.#running ??= this.#run()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    let isTold = false
    while (!this.#stopping.signal.aborted) {
      try {
        const client = await this.#database.pool.connect()
        isTold = false
        await this.#tryWith(client)
      } catch (error) {
        // Once an outage: it ends when it ends.
        if (!isTold) this.#log.warn({ err: error }, 'publication waits for the database')
        isTold = true
      }
      await this.#wait(tryAgainMs)
    }
  }

  async #tryWith(client: pg.PoolClient): Promise<void> {
    const lost = new AbortController()
    const loses = (): void => lost.abort()
    client.on('error', loses).on('end', loses)
    let isLeader = false
    try {
      const { rows } = await client.query<{ won: boolean }>(
        `select pg_try_advisory_lock(${advisoryLocks.publicationLeader}) as won`,
      )
      isLeader = rows[0]?.won === true
      if (isLeader) await this.#leadUntil(client, lost.signal)
    } finally {
      // Ending the connection gives the lock back, whatever state it is in. It is still listened to: a connection that
      // breaks with nobody to hear of it would end the process.
      const isToEnd = isLeader || lost.signal.aborted
      if (!isToEnd) client.off('error', loses).off('end', loses)
      client.release(isToEnd)
    }
  }

  async #leadUntil(client: pg.PoolClient, lost: AbortSignal): Promise<void> {
    const end = await this.#lead()
    try {
      while (!lost.aborted && !this.#stopping.signal.aborted) {
        await this.#wait(checkMs, lost)
        if (!lost.aborted) await client.query(check)
      }
    } finally {
      await end()
    }
  }

  #wait(ms: number, lost?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer)
        for (const signal of signals) signal.removeEventListener('abort', done)
        resolve()
      }
      const signals = lost ? [this.#stopping.signal, lost] : [this.#stopping.signal]
      const timer = setTimeout(done, ms)
      for (const signal of signals) signal.addEventListener('abort', done)
      if (signals.some((signal) => signal.aborted)) done()
    })
  }
}
