import type pg from 'pg'
import type { Logger } from '#platform/log.ts'
import { advisoryLocks, type Database, isWritableHere } from '#platform/postgres/index.ts'

/** How often another primary tries to lead, and how often the leader reports on its connection. */
const roundMs = 500
/**
 * PostgreSQL ends the leader's connection, and its lock, after this time without a statement: a process that is frozen (SIGSTOP, its
 * cgroup) or stuck keeps its connection, and its kernel answers keepalives. Another primary leads within this time and `roundMs`.
 */
const leaseMs = 2_500
/** A leader without an answer for this time stops leading, before PostgreSQL, which counts from the last statement, releases the lock. */
const answerWithinMs = leaseMs - roundMs

type Timed = pg.QueryConfig & Pick<pg.ClientConfig, 'query_timeout'>

// One statement, so that the lock is never held without a time limit. A connection with this setting is not reused. A standby has its own
// locks, which do not decide who leads.
const take: Timed = {
  text: `select ${isWritableHere} as writable, case when ${isWritableHere} then
    case when pg_try_advisory_lock(${advisoryLocks.publicationLeader})
      then set_config('idle_session_timeout', '${leaseMs}', false) end end is not null as won`,
  query_timeout: answerWithinMs,
}
const stay: Timed = { text: 'select 1', query_timeout: answerWithinMs }

/** Whether this process certainly leads. Checked before something is written, because a frozen process continues wherever it was. */
export type IsLeading = () => boolean

/**
 * Only one primary leads, however many there are: it holds an advisory lock on its own connection, reports on it twice a
 * second, and no longer leads once that connection is lost or was silent for `leaseMs`.
 */
export class Leadership {
  readonly #database: Database
  readonly #log: Logger
  /** Starts leading; returns a function that ends it. */
  readonly #lead: (isLeading: IsLeading) => Promise<() => Promise<void>>
  /** The time of the last report that PostgreSQL answered. */
  #saidAtMs = Number.NEGATIVE_INFINITY
  #running: Promise<void> | undefined
  readonly #stopping = new AbortController()

  constructor(database: Database, log: Logger, lead: (isLeading: IsLeading) => Promise<() => Promise<void>>) {
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
        const client = await this.#database.connectApart()
        isTold = false
        await this.#tryWith(client)
      } catch (error) {
        // Logged once per outage.
        if (!isTold) this.#log.warn({ err: error }, 'publication waits for the database')
        isTold = true
      }
      await this.#wait(roundMs, this.#stopping.signal)
    }
  }

  /** Is on standby on this connection until it leads, and leads until that ends. */
  async #tryWith(client: pg.Client): Promise<void> {
    const lost = new AbortController()
    const loses = (): void => lost.abort()
    client.on('error', loses).on('end', loses)
    try {
      while (!lost.signal.aborted && !this.#stopping.signal.aborted) {
        const { rows } = await this.#say<{ won: boolean; writable: boolean }>(client, take)
        if (rows[0]?.won === true) return await this.#leadWith(client, lost)
        // The database's host name may resolve to another server by now.
        if (rows[0]?.writable !== true) return
        await this.#wait(roundMs, lost.signal, this.#stopping.signal)
      }
    } finally {
      // Closing the connection releases the lock in any state. Nothing waits for it: the server may be gone.
      client.end().catch(() => undefined)
    }
  }

  async #leadWith(client: pg.Client, lost: AbortController): Promise<void> {
    // Whichever ends first, or fails, ends the other; the lock is released once both have ended.
    const parts = [this.#stay(client, lost.signal), this.#leadUntil(lost.signal)]
    const ends = await Promise.allSettled(parts.map((part) => part.finally(() => lost.abort())))
    for (const end of ends) if (end.status === 'rejected') throw end.reason
  }

  async #stay(client: pg.Client, lost: AbortSignal): Promise<void> {
    while (!lost.aborted) {
      await this.#wait(roundMs, lost)
      if (!lost.aborted) await this.#say(client, stay)
    }
  }

  async #leadUntil(lost: AbortSignal): Promise<void> {
    const isLeading = (): boolean => !lost.aborted && performance.now() - this.#saidAtMs < leaseMs
    const end = await this.#lead(isLeading)
    await this.#wait(undefined, this.#stopping.signal, lost)
    await end()
  }

  async #say<R extends pg.QueryResultRow>(client: pg.Client, statement: pg.QueryConfig): Promise<pg.QueryResult<R>> {
    const atMs = performance.now()
    const result = await client.query<R>(statement)
    this.#saidAtMs = atMs
    return result
  }

  /** Waits for this time, or until one of these settles. Without a time, waits only for these. */
  #wait(ms: number | undefined, ...signals: AbortSignal[]): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer)
        for (const signal of signals) signal.removeEventListener('abort', done)
        resolve()
      }
      const timer = ms === undefined ? undefined : setTimeout(done, ms)
      for (const signal of signals) signal.addEventListener('abort', done)
      if (signals.some((signal) => signal.aborted)) done()
    })
  }
}
