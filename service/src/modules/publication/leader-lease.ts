import type pg from 'pg'
import type { Logger } from '#platform/log.ts'
import { advisoryLocks, type Database, isWritableHere } from '#platform/postgres/index.ts'

/** How often another primary tries, and how often the leader says on its connection that it is still there. */
const roundMs = 500
/**
 * PostgreSQL ends the leader's connection, and its lock, after this long without a word: a process that is frozen (SIGSTOP, its
 * cgroup) or stuck keeps its connection, and its kernel answers keepalives. Another one leads within this and `roundMs`.
 */
const leaseMs = 2_500
/** A leader that has no answer by then ends its lead: before PostgreSQL, which counts from the last word, gives the lock away. */
const answerWithinMs = leaseMs - roundMs

type Timed = pg.QueryConfig & Pick<pg.ClientConfig, 'query_timeout'>

// One statement: no moment in which the lock is held for ever. The connection is never given back with this setting. A standby has locks
// of its own: nobody leads by them.
const take: Timed = {
  text: `select ${isWritableHere} as writable, case when ${isWritableHere} then
    case when pg_try_advisory_lock(${advisoryLocks.publicationLeader})
      then set_config('idle_session_timeout', '${leaseMs}', false) end end is not null as won`,
  query_timeout: answerWithinMs,
}
const stay: Timed = { text: 'select 1', query_timeout: answerWithinMs }

/** Whether the lead is certain now. Asked before something is written: a process that was frozen goes on wherever it stood. */
export type IsLeading = () => boolean

/**
 * One primary leads, however many there are: it holds an advisory lock on a connection of its own, says twice a second that it
 * is there, and leads no longer once that connection is lost or was silent for `leaseMs`.
 */
export class Leadership {
  readonly #database: Database
  readonly #log: Logger
  /** Begins to lead; returns what ends it. */
  readonly #lead: (isLeading: IsLeading) => Promise<() => Promise<void>>
  /** When that was said which PostgreSQL answered last. */
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
        // Once an outage: it ends when it ends.
        if (!isTold) this.#log.warn({ err: error }, 'publication waits for the database')
        isTold = true
      }
      await this.#wait(roundMs, this.#stopping.signal)
    }
  }

  /** Stands by on this connection until it leads, and leads until that ends. */
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
    // Whichever ends first, or fails, ends the other; the lock goes once both have ended.
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

  /** Waits so long, or until one of these; without a time, for one of these alone. */
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
