import pg, { type PoolClient } from 'pg'
import { executePrepared, isPrepared, type NamedStatement } from './pg-internals.ts'
import type { Statement } from './sql.ts'
import { nameOf } from './statement-names.ts'

/**
 * Runs statements without results as one transaction, in one message with one response, without BEGIN and COMMIT. Resolves once it is committed. If a
 * statement fails, all are rolled back, and later ones are not run.
 *
 * Returns undefined and sends nothing if this connection has not prepared all of them yet.
 *
 * Measured on a change of one rrset: 489 µs, compared with 562 µs if BEGIN, the statements and COMMIT are sent together.
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

/** A query for pg. A pipelined connection accepts only instances of its own class. */
class OneMessage extends pg.Query {
  readonly #statements: readonly NamedStatement[]

  constructor(statements: readonly NamedStatement[], callback: (error?: Error) => void) {
    // A text, not an object of settings, as in `KnownStatement`.
    super('', undefined, (error) => callback(error))
    this.#statements = statements
  }

  override submit = (connection: unknown): Error | null => executePrepared(connection, this.#statements)

  /** The columns of the rows are not requested, and the rows are not read. */
  handleDataRow(): void {}
}
