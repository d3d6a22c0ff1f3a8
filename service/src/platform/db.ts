import { Kysely, PostgresDialect, type RawBuilder, sql, type Transaction } from 'kysely'
import pg from 'pg'
import { Refusal } from './errors.ts'
import { isOutage } from './outage.ts'
import { nameStatements } from './statement-names.ts'
import type { DB } from './tables.ts'
import type { Wake, WakeChannel } from './wake.ts'

declare const transactional: unique symbol

/** A place to read from: the pool, or the inside of a transaction. */
export type Db = Kysely<DB>

/** The inside of one transaction. Functions whose writes must be true together take this; a plain `Db` does not compile. */
export type Tx = Transaction<DB> & { readonly [transactional]: true }

/** A statement as a value: a module makes it for its own tables, the use case decides when and with which others it runs. */
export type Statement = RawBuilder<unknown>

/** The service's connection to PostgreSQL. */
export interface Database {
  readonly db: Db
  readonly pool: pg.Pool
  /** Runs `work` in one transaction: all of it is kept, or none. An unreachable database is a Refusal `unavailable`. */
  transact<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  close(): Promise<void>
}

const wakeUps = new WeakMap<object, [WakeChannel, string][]>()

/** Tells a channel once this transaction has committed, and never if it does not (see `Wake`). */
export function wakeAfterCommit(tx: Tx, channel: WakeChannel, item = ''): void {
  const waiting = wakeUps.get(tx)
  if (waiting) waiting.push([channel, item])
  else wakeUps.set(tx, [[channel, item]])
}

// Versions, serials and positions stay far below 2^53, so that they may be plain numbers; days are plain text, 2026-11-20.
const parsers = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, Number],
  [pg.types.builtins.DATE, String],
])
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    parsers.get(oid) ?? pg.types.getTypeParser(oid as 20, format as 'text'),
}

/** Connections a process may hold, background jobs included (design: architecture, "Time: …"). */
export const maxConnections = 15

/** Opens the pool; no connection is made until the first statement. `onIdleError` hears of connections that die unused. */
export function openDatabase(
  url: string,
  options: { application: string; connections?: number; wake?: Wake; onIdleError?: (error: Error) => void },
): Database {
  const pool = nameStatements(
    new pg.Pool({
      connectionString: url,
      application_name: options.application,
      max: options.connections ?? maxConnections - 2, // two are kept for listening and for jobs' own look-outs
      idleTimeoutMillis: 60_000,
      connectionTimeoutMillis: 5_000,
      // No transaction outlives this: an old snapshot would slow every queue.
      options: '-c idle_in_transaction_session_timeout=30000 -c statement_timeout=30000',
      types: types as pg.CustomTypesConfig,
    }),
  )
  pool.on('error', (error) => options.onIdleError?.(error))
  // One that dies while it is in use fails its statement, too; unheard, the event would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined))
  // While a connection is lent out the pool does not listen to it: its death reaches whoever waits for a statement,
  // and must not end the process as an unheard event.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  return {
    db,
    pool,
    transact: async (work) => {
      let told: [WakeChannel, string][] | undefined
      const result = await withOutagesNamed(() =>
        db.transaction().execute(async (tx) => {
          const done = await work(tx as Tx)
          told = wakeUps.get(tx)
          return done
        }),
      )
      for (const [channel, item] of told ?? []) options.wake?.tell(channel, item)
      return result
    },
    close: () => db.destroy(),
  }
}

/**
 * Runs several modules' statements in one round trip, as one `with a as (…), b as (…) select`.
 *
 * All of them see the database as it was before any of them ran (PostgreSQL manual 7.8.4), so none may read or write
 * a row that another one writes. They must be data-modifying statements with a `returning` clause.
 */
export async function runTogether(tx: Tx, statements: readonly Statement[]): Promise<void> {
  if (statements.length === 0) return
  const parts = statements.map((statement, i) => sql`${sql.raw(`part${i}`)} as (${statement})`)
  await sql`with ${sql.join(parts)} select 1`.execute(tx)
}

/** Turns "PostgreSQL is not there" into the refusal that a caller can act on: try again. */
export async function withOutagesNamed<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isOutage(error)) throw error
    throw new Refusal(
      'unavailable',
      'The database is restarting. Nothing was changed unless you are told so; try again in a few seconds.',
      {
        headers: { 'retry-after': '2' },
        cause: error,
      },
    )
  }
}

export { sql }
