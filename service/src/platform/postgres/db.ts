import pg from 'pg'
import { Refusal } from '../errors.ts'
import { DuePolls, type Question } from './due-polls.ts'
import { DatabaseHealth } from './health.ts'
import { keepalive } from './keepalive.ts'
import { LeaderHost } from './leader-host.ts'
import { isFenced, isFull, isOutage, isTooSlow } from './outage.ts'
import { lendFirstOpened } from './pg-internals.ts'
import { type Db, type Statement, sql } from './sql.ts'
import { nameStatements } from './statement-names.ts'
import {
  CommitInDoubt,
  inLateTransaction,
  inTransaction,
  type LateTransaction,
  refuseSecondConnection,
  type Tx,
} from './transaction.ts'
import { Turns } from './turns.ts'
import type { Wake } from './wake.ts'

/**
 * The service's connection to PostgreSQL.
 *
 * A piece of work holds one connection at a time: inside a transaction, everything here throws (`refuseSecondConnection`).
 */
export interface Database {
  readonly db: Db
  readonly pool: pg.Pool
  /** Whether PostgreSQL answers and commits. It is monitored after `health.watch`. Before that, everything counts as healthy. */
  readonly health: DatabaseHealth
  /** Runs `work` in one transaction: all of it is kept, or none. A database that is unreachable or cannot commit is a Refusal `unavailable`. */
  transact<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * The same for work that waits for a lock. This process runs one piece of work per `key` at a time; the others wait without a connection.
   *
   * @throws Refusal `unavailable` also after a wait of 10 s, or if 2,000 others are waiting
   */
  transactInTurn<T>(key: string, work: (tx: Tx) => Promise<T>): Promise<T>
  /** The same for work whose transaction begins when the work asks for it (`inLateTransaction`). */
  transactLate<T>(work: (late: LateTransaction) => Promise<T>): Promise<T>
  /** Opens a connection outside the pool, for a caller that holds it for a long time. The caller closes it. */
  connectApart(): Promise<pg.Client>
  /**
   * Returns a function that checks whether a boolean expression is true, which means that there is work to do. All checks of a process share one
   * statement (`DuePolls`).
   */
  pollFor(question: Question): () => Promise<boolean>
  close(): Promise<void>
}

// Versions, serials and positions stay far below 2^53, so they can be numbers. Days are text, such as 2026-11-20.
const parsers = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, Number],
  [pg.types.builtins.DATE, String],
])
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    parsers.get(oid) ?? pg.types.getTypeParser(oid as 20, format as 'text'),
}

const sessionSettings = [
  // The maximum duration of a transaction, because an old snapshot would slow every queue.
  'idle_in_transaction_session_timeout=30000',
  'statement_timeout=30000',
  // If the machine of a session's client disappears, the session and its locks end within 11 s. The kernel's default is two hours. A leader's session
  // ends sooner (`Leadership`). Unix sockets ignore this setting.
  'tcp_keepalives_idle=5',
  'tcp_keepalives_interval=2',
  'tcp_keepalives_count=3',
  'tcp_user_timeout=11000',
  // Statements are named and few, so each is planned once per connection instead of at every use.
  'plan_cache_mode=force_generic_plan',
  'jit=off',
]
  .map((setting) => `-c ${setting}`)
  .join(' ')

/** Connections a process may hold, background jobs included (design: architecture, "Time: …"). */
export const maxConnections = 15

/** A statement without a response by then has lost its server, because `statement_timeout` would have ended it earlier. */
const answerWithinMs = 35_000

/** Twice the time that a statement waits for a connection. */
const turnWithinMs = 10_000

/** Requests that may wait for a connection at once, and for one turn. */
const maxWaiting = 2_000

/** Optional settings of a pool. */
export interface DatabaseOptions {
  readonly application: string
  readonly connections?: number
  readonly wake?: Wake
  /** How long a statement waits for a connection. After this time, PostgreSQL counts as unavailable. */
  readonly connectWithinMs?: number
  /** Requests that may wait for a connection at once. */
  readonly waiting?: number
  /** How long a statement waits for its response. */
  readonly answerWithinMs?: number
  /** Called when an idle connection fails. */
  readonly onIdleError?: (error: Error) => void
  /** Called once, with the first statement that is sent without a name because there are too many different ones (`nameStatements`). */
  readonly onUnnamed?: (text: string) => void
}

/** Opens the pool; no connection is made until the first statement. */
export function openDatabase(address: string | LeaderHost, options: DatabaseOptions): Database {
  const { Client } = LeaderHost.of(address)
  const settings = {
    application_name: options.application,
    connectionTimeoutMillis: options.connectWithinMs ?? 5_000,
    // A timer costs 0.3 µs per statement. When it fires, the connection ends, and everything that was sent after the statement also fails.
    query_timeout: options.answerWithinMs ?? answerWithinMs,
    ...keepalive,
    options: sessionSettings,
    types: types as pg.CustomTypesConfig,
    pipeline: true,
  }
  const pool = nameStatements(
    new BoundedPool(options.waiting ?? maxWaiting, {
      ...settings,
      Client: Client as new () => pg.Client,
      max: options.connections ?? maxConnections - 2, // one is for wake-ups, one for probes; a primary has one more, for the lead
      idleTimeoutMillis: 60_000,
    }),
    options.onUnnamed,
  )
  pool.on('error', (error) => options.onIdleError?.(error))
  // While a connection is checked out, the pool does not listen to it. Callers that wait for a statement see its errors, and an unhandled error event
  // must not end the process.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const health = new DatabaseHealth()
  pool.on('connect', (client) => health.hear(client))
  const db = onAnyConnection(pool, health)
  const polls = new DuePolls(async (questions) => {
    const { rows } = await sql<{ found: (boolean | null)[] }>`select ${questions} as found`.execute(db)
    return rows[0]?.found ?? []
  })
  const turns = new Turns(turnWithinMs, maxWaiting)
  const transact: Database['transact'] = async (work) => {
    health.refuseWhileUnwritable()
    const { result, wakes } = await withOutagesNamed(() => {
      health.refuseWhileUnreachable()
      return inTransaction(pool, health, work)
    })
    for (const [channel, item, afterMs] of wakes)
      if (afterMs === 0) options.wake?.tell(channel, item)
      // If the process ends earlier, a sweep finds the work, as after every lost wake-up.
      else setTimeout(() => options.wake?.tell(channel, item), afterMs).unref()
    return result
  }
  const transactInTurn: Database['transactInTurn'] = async (key, work) => {
    refuseSecondConnection(pool)
    return turns.take(key, () => transact(work))
  }
  return {
    db,
    pool,
    health,
    transact,
    transactInTurn,
    transactLate: async (work) => {
      refuseSecondConnection(pool)
      return withOutagesNamed(() =>
        inLateTransaction(pool, (key, within) => (key ? transactInTurn(key, within) : transact(within)), work),
      )
    },
    connectApart: async () => {
      const client = new Client(settings)
      client.on('error', () => undefined)
      await client.connect()
      return client
    },
    pollFor: (question) => polls.add(question),
    close: () => pool.end(),
  }
}

/** Gives each piece of work one connection, and limits how many of them wait. */
class BoundedPool extends pg.Pool {
  readonly #maxWaiting: number

  constructor(waiting: number, config: pg.PoolConfig) {
    super(config)
    this.#maxWaiting = waiting
  }

  override connect(): Promise<pg.PoolClient>
  override connect(callback: Parameters<pg.Pool['connect']>[0]): void
  override connect(callback?: Parameters<pg.Pool['connect']>[0]): Promise<pg.PoolClient> | undefined {
    refuseSecondConnection(this)
    if (this.waitingCount >= this.#maxWaiting) throw busy()
    lendFirstOpened(this)
    if (callback === undefined) return super.connect()
    super.connect(callback)
    return undefined
  }
}

/** Runs each statement separately, on any free connection. pg's own `pool.query` would not use the known columns (`nameStatements`). */
function onAnyConnection(pool: pg.Pool, health: DatabaseHealth): Db {
  return {
    run: async (statement) => {
      health.refuseWhileUnreachable()
      const client = await pool.connect()
      try {
        return await statement.executeOn(client)
      } finally {
        client.release()
      }
    },
  }
}

/** Converts outages and timeouts of PostgreSQL into a refusal on which a caller can act: try again. */
export async function withOutagesNamed<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof CommitInDoubt) throw outage(inDoubt, error)
    if (isTooSlow(error) || isPoolTimeout(error)) throw busy(error)
    if (isOutage(error)) throw outage(tryAgain, error)
    if (isFenced(error)) throw failedOver(error)
    if (isFull(error)) throw full(nothingChanged, error)
    throw error
  }
}

/** The same for work that is more than one transaction: it is unknown what it had done before the outage. */
export async function withOutagesInDoubt<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const cause = error instanceof Refusal ? error.cause : error
    if (isTooSlow(cause) || isPoolTimeout(cause)) throw busy(error, inDoubt)
    if (isOutage(cause)) throw outage(inDoubt, error)
    if (isFenced(cause)) throw failedOver(error, inDoubt)
    if (isFull(cause)) throw full(inDoubt, error)
    throw error
  }
}

/** pg's error if no connection of the pool is free in time. */
function isPoolTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect'
}

function busy(cause?: unknown, sentence = tryAgain): Refusal {
  return new Refusal('unavailable', `The service is busy. ${sentence}`, { headers: { 'retry-after': '5' }, cause })
}

const tryAgain = 'Nothing was changed unless the response says so. Try again in a few seconds.'

const nothingChanged = 'Nothing was changed unless the response says so. Try again later.'

const inDoubt =
  'It is unknown whether the change was made. If the request had an Idempotency-Key, repeat it with the same key. Otherwise read the current state before you repeat it.'

function outage(sentence: string, cause: unknown): Refusal {
  return new Refusal('unavailable', `The database is restarting. ${sentence}`, {
    headers: { 'retry-after': '2' },
    cause,
  })
}

function failedOver(cause: unknown, sentence = 'Nothing was changed. Try again in a second.'): Refusal {
  const message = `The database has just failed over. ${sentence}`
  return new Refusal('unavailable', message, { headers: { 'retry-after': '1' }, cause })
}

function full(sentence: string, cause: unknown): Refusal {
  return new Refusal('unavailable', `The database currently has no room for changes. ${sentence}`, {
    headers: { 'retry-after': '10' },
    cause,
  })
}

export type { Tx } from './transaction.ts'
export { type Db, type Statement, sql }

/** The time of the database's clock, which decides all deadlines. */
export async function databaseNow(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select app_now() as now`.execute(db)
  return rows[0]?.now ?? new Date(0)
}
