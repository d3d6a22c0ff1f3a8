import { AsyncLocalStorage } from 'node:async_hooks'
import type { Pool, PoolClient } from 'pg'
import { inOneMessage } from './one-message.ts'
import { isOutage, stateOf } from './outage.ts'
import { sendTogether } from './pg-internals.ts'
import { type Db, type Statement, sql } from './sql.ts'
import type { WakeChannel } from './wake.ts'

/** The inside of one transaction. Functions whose writes must be true together take this; a plain `Db` does not compile. */
export interface Tx extends Db {
  /** Applies settings to this transaction, such as `byIndexAlone`. */
  apply(settings: Statement): Promise<void>
  /**
   * Sends a statement with the commit, before everything that is written there. It fails if the transaction must not be kept, and its
   * error is then the transaction's. A transaction that reads nothing saves a round trip in this way.
   */
  requireAtCommit(condition: Statement): void
  /**
   * Writes with the commit: several modules' statements as one `with a as (…), b as (…) select`.
   *
   * They see what the transaction has already written, but not what the others write (PostgreSQL manual 7.8.4): none may read or write a
   * row that another one of them writes. Each must be data-modifying and have a `returning` clause. Nothing in the transaction can
   * read what they write. If one fails, everything is undone, and the transaction throws its error.
   */
  writeAtCommit(statements: readonly Statement[]): void
  /**
   * Writes a row with the commit, in one statement with all other rows that `statementOf` writes in this transaction, in order: for rows
   * that nothing in the transaction reads, such as audit entries. As above, the statement must be data-modifying with a `returning` clause,
   * and a failure undoes everything.
   */
  writeRowAtCommit<Row>(statementOf: RowsStatement<Row>, row: Row): void
  /** Runs several modules' data-modifying statements now, in one round trip, under the rules of `writeAtCommit`. */
  runTogether(statements: readonly Statement[]): Promise<void>
  /**
   * Wakes a channel once this transaction has committed, and never if it does not (see `Wake`).
   *
   * @param afterMs milliseconds between the commit and the wake-up, for work that is due only then
   */
  wakeAfterCommit(channel: WakeChannel, item?: string, afterMs?: number): void
}

/** The connection was lost after the COMMIT was sent and before its response, so it is unknown whether the transaction was committed. */
export class CommitInDoubt extends Error {
  constructor(cause: unknown) {
    super('the connection was lost while the transaction was committed', { cause })
  }
}

/** What a transaction has promised to do at its end. */
interface Ending {
  /** Once it has run a statement. */
  isBegun: boolean
  /** Statements that run before the writes, and must succeed for these to be kept. */
  readonly conditions: Statement[]
  /** Statements that run with the commit, in this order. */
  readonly writes: Statement[]
  /** Rows that are also sent with the commit, by the statement that writes all rows of their kind. */
  readonly rows: Map<RowsStatement<never>, unknown[]>
  /** Whom to wake once it has committed. */
  readonly wakes: WakeUp[]
  /** The error of the latest statement that did not only fail because one before it had. */
  fault?: unknown
}

/** What to send to a channel, and how many milliseconds after the commit. */
export type WakeUp = readonly [channel: WakeChannel, item: string, afterMs: number]

/** Makes one statement of many rows. */
type RowsStatement<Row> = (rows: readonly Row[]) => Statement

const endings = new WeakMap<Tx, Ending>()

/** The pool from which the current work holds a connection. */
interface Hold {
  pool: Pool | undefined
}

const holds = new AsyncLocalStorage<Hold>()

/**
 * Throws if the calling code runs inside an open transaction. If work could hold one connection and wait for a second one, the process would
 * deadlock once every connection belongs to such work.
 */
export function refuseSecondConnection(pool: Pool): void {
  if (holds.getStore()?.pool === pool)
    throw new Error(
      'This runs inside a transaction and asked the pool for another connection. Use the transaction (Tx).',
    )
}

/** Receives the connections that wait for the end of a transaction. */
interface Commits {
  committing(client: PoolClient): void
  committed(client: PoolClient): void
}

/**
 * Runs the work in one transaction: all of it is kept, or none. Returns its result, and the wake-ups to send now.
 *
 * The connection is pipelined: BEGIN is sent with the first statement and the last writes with COMMIT, so a change needs two round trips instead of
 * four (measured on a PUT: a third of the whole). Work that runs no statement and only collects some for the commit is sent as one message without
 * BEGIN and COMMIT (`inOneMessage`).
 */
export async function inTransaction<T>(
  pool: Pool,
  commits: Commits,
  work: (tx: Tx) => Promise<T>,
): Promise<{ result: T; wakes: Ending['wakes'] }> {
  const client = await pool.connect()
  const tx = transactionOn(client)
  const ending: Ending = { isBegun: false, conditions: [], writes: [], rows: new Map(), wakes: [] }
  endings.set(tx, ending)
  const hold: Hold = { pool }
  let broken = false
  try {
    const result = await holds.run(hold, work, tx)
    commits.committing(client)
    await commit(client, tx, ending)
    return { result, wakes: ending.wakes }
  } catch (error) {
    // Work that was started alongside the failed work must send nothing more.
    endings.delete(tx)
    // A single message leaves nothing to undo, but its connection may have ended with it: pg notifies the pool a moment later.
    if (!ending.isBegun) broken = error instanceof CommitInDoubt
    else
      await client.query('rollback').catch(() => {
        broken = true
      })
    throw error
  } finally {
    commits.committed(client)
    endings.delete(tx)
    hold.pool = undefined
    client.release(broken)
  }
}

/** A transaction that has not begun until its first use. */
export interface LateTransaction {
  readonly hasBegun: boolean
  /**
   * Begins the transaction on the first call; in the turn of a key if one is given (`Database.transactInTurn`). From then until the
   * transaction ends, the work must not use the pool.
   */
  begin(key?: string): Promise<Tx>
}

/**
 * Runs work that finds out while it runs whether it needs a transaction: it reads from the pool until it calls `begin`. The transaction is
 * committed when the work resolves, and rolled back if it rejects.
 *
 * @param transact how to run a transaction on the pool, in the turn of a key
 */
export async function inLateTransaction<T>(
  pool: Pool,
  transact: (key: string | undefined, work: (tx: Tx) => Promise<void>) => Promise<void>,
  work: (late: LateTransaction) => Promise<T>,
): Promise<T> {
  const hold: Hold = { pool: undefined }
  const ended = Promise.withResolvers<void>()
  let begun: Promise<Tx> | undefined
  let committed: Promise<void> | undefined
  const begin = (key?: string): Promise<Tx> => {
    begun ??= new Promise((resolve, reject) => {
      committed = transact(key, (tx) => {
        hold.pool = pool
        resolve(tx)
        return ended.promise
      }).finally(() => {
        hold.pool = undefined
      })
      committed.catch(reject)
    })
    return begun
  }
  const late = {
    begin,
    get hasBegun() {
      return begun !== undefined
    },
  }
  try {
    const result = await holds.run(hold, work, late)
    ended.resolve()
    await committed
    return result
  } catch (error) {
    ended.promise.catch(() => undefined)
    ended.reject(error)
    await committed?.catch(() => undefined)
    throw error
  }
}

function endingOf(tx: Tx): Ending {
  const ending = endings.get(tx)
  if (ending === undefined) throw new Error('this transaction is over')
  return ending
}

function together(statements: readonly Statement[]): Statement {
  const parts = statements.map((statement, i) => sql`${sql.raw(`part${i}`)} as (${statement})`)
  return sql`with ${sql.join(parts)} select 1`
}

/** BEGIN, once; it goes in one message with what is sent after it in this turn. */
function begin(client: PoolClient, ending: Ending): void {
  sendTogether(client)
  if (ending.isBegun) return
  ending.isBegun = true
  client.query('begin').catch(() => undefined) // the first statement fails with it
}

async function commit(client: PoolClient, tx: Tx, ending: Ending): Promise<void> {
  const last = statementsOf(ending)
  if (!ending.isBegun) {
    if (last.length === 0) return
    // A statement at this point would begin a transaction that never ends.
    endings.delete(tx)
    const done = inOneMessage(client, last)
    if (done !== undefined) return await done.catch((error: unknown) => throwAtCommit(error))
  }
  begin(client, ending)
  const sent = last.map(({ text, values }) => client.query(text, [...values]))
  const [committed, ...written] = await Promise.allSettled([client.query('commit'), ...sent])
  // A write that failed has turned the COMMIT into a rollback: its own error says why.
  const failed = written.find((outcome) => outcome.status === 'rejected') ?? committed
  if (failed?.status === 'rejected') throwAtCommit(failed.reason)
  if (committed?.status === 'fulfilled' && committed.value.command !== 'COMMIT')
    throw new Error('the transaction had failed')
}

/** The statements that are still to be sent, in order. */
function statementsOf({ conditions, writes, rows }: Ending): Statement[] {
  const rowWrites = [...rows].map(([statementOf, its]) => statementOf(its as never[]))
  return [...conditions, ...writes, ...(rowWrites.length > 0 ? [together(rowWrites)] : [])]
}

/** If several statements were sent together, the first that fails also fails those after it. Whichever is awaited first, this one is the cause. */
function causeOf(error: unknown, ending: Ending): unknown {
  const isConsequence = stateOf(error) === '25P02'
  if (!isConsequence) ending.fault = error
  return ending.fault ?? error
}

function throwAtCommit(error: unknown): never {
  throw isOutage(error) ? new CommitInDoubt(error) : error
}

const transactions = new WeakMap<PoolClient, Tx>()

/** Created once per connection. It has no state of a transaction. */
function transactionOn(client: PoolClient): Tx {
  const known = transactions.get(client)
  if (known !== undefined) return known
  const tx: Tx = {
    run: async (statement) => {
      const ending = endingOf(tx)
      begin(client, ending)
      try {
        return await statement.executeOn(client)
      } catch (error) {
        throw causeOf(error, ending)
      }
    },
    apply: async (settings) => {
      await sql`select ${settings}`.execute(tx)
    },
    requireAtCommit: (condition) => {
      endingOf(tx).conditions.push(condition)
    },
    writeAtCommit: (statements) => {
      if (statements.length > 0) endingOf(tx).writes.push(together(statements))
    },
    writeRowAtCommit: (statementOf, row) => {
      const { rows } = endingOf(tx)
      const known = rows.get(statementOf)
      if (known === undefined) rows.set(statementOf, [row])
      else known.push(row)
    },
    runTogether: async (statements) => {
      if (statements.length > 0) await together(statements).execute(tx)
    },
    wakeAfterCommit: (channel, item = '', afterMs = 0) => {
      endingOf(tx).wakes.push([channel, item, afterMs])
    },
  }
  transactions.set(client, tx)
  return tx
}
