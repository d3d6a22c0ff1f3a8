import pg, { type PoolClient } from 'pg'
import { executePrepared, isPrepared, type NamedStatement } from './pg-internals.ts'
import type { Statement } from './sql.ts'
import { nameOf } from './statement-names.ts'

/**
 * Runs statements whose rows nobody reads as one transaction that is one message with one answer, without BEGIN and COMMIT. Resolves once
 * it is committed; a statement that fails undoes all, and those after it are not run.
 *
 * Undefined, and nothing is sent, where this connection has not prepared all of them yet.
 *
 * Measured on a change of one rrset, beside BEGIN, the statements and COMMIT sent together: 489 µs instead of 562.
 */
export function inOneMessage(client: PoolClient, statements: readonly Statement[]): Promise<void> | undefined {
  const prepared: NamedStatement[] = []
  for (const { text, values } of statements) {
    const name = nameOf(text)
    if (name === undefined || !isPrepared(client, name, text)) return undefined
    prepared.push({ name, values })
  }
  return new Promise((resolve, reject) => {
    client.query(new OneMessage(prepared, (error) => (error ? reject(error) : resolve())))
  })
}

/** A query to pg: a pipelined connection takes only what is made of its own class. */
class OneMessage extends pg.Query {
  readonly #statements: readonly NamedStatement[]

  constructor(statements: readonly NamedStatement[], callback: (error?: Error) => void) {
    // A text, not an object of settings, as in `KnownStatement`.
    super('', undefined, (error) => callback(error))
    this.#statements = statements
  }

  override submit = (connection: unknown): Error | null => executePrepared(connection, this.#statements)

  /** The rows' columns are not asked for, and they are not read. */
  handleDataRow(): void {}
}
