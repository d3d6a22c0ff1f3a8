import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import pg, { type PoolClient } from 'pg'
import { nameOf } from './statement-names.ts'

const { prepareValue } = createRequire(import.meta.url)('pg/lib/utils.js') as {
  prepareValue: (value: unknown) => unknown
}

/** A statement, and the values of its parameters. */
export interface SentStatement {
  readonly text: string
  readonly values: readonly unknown[]
}

/**
 * Runs statements whose rows nobody reads as one transaction that is one message with one answer: what comes before a Sync message
 * is all kept or undone, without BEGIN and COMMIT (PostgreSQL manual 54.2.3, "Pipelining"). Resolves once it is committed; a statement
 * that fails undoes all, and those after it are not run.
 *
 * Undefined, and nothing is sent, where this connection has not prepared all of them yet.
 *
 * Measured on a change of one rrset, beside BEGIN, the statements and COMMIT sent together: 489 µs instead of 562.
 */
export function inOneMessage(client: PoolClient, statements: readonly SentStatement[]): Promise<void> | undefined {
  const { parsedStatements } = connectionOf(client)
  const prepared: Prepared[] = []
  for (const { text, values } of statements) {
    const name = nameOf(text)
    if (name === undefined || parsedStatements[name] !== text) return undefined
    prepared.push({ name, values })
  }
  return new Promise((resolve, reject) => {
    client.query(new OneMessage(prepared, (error) => (error ? reject(error) : resolve())))
  })
}

interface Prepared {
  readonly name: string
  readonly values: readonly unknown[]
}

/** The part of pg's connection that writes the messages of the extended query protocol. */
interface Connection {
  readonly stream: Socket
  /** Texts by names. */
  readonly parsedStatements: Readonly<Record<string, string | undefined>>
  bind(message: { statement: string; values: readonly unknown[]; valueMapper: typeof prepareValue }): void
  execute(message: { portal: string; rows: number }): void
  sync(): void
}

function connectionOf(client: PoolClient): Connection {
  return (client as unknown as { connection: Connection }).connection
}

/** A query to pg: a pipelined connection takes only what is made of its own class. */
class OneMessage extends pg.Query {
  readonly #statements: readonly Prepared[]

  constructor(statements: readonly Prepared[], callback: (error?: Error) => void) {
    super({ text: '' }, undefined, (error) => callback(error))
    this.#statements = statements
  }

  override submit = (connection: unknown): void => this.#send(connection as Connection)

  /** The rows' columns are not asked for, and they are not read. */
  handleDataRow(): void {}

  #send(connection: Connection): void {
    connection.stream.cork()
    for (const { name, values } of this.#statements) {
      connection.bind({ statement: name, values, valueMapper: prepareValue })
      connection.execute({ portal: '', rows: 0 })
    }
    connection.sync()
    connection.stream.uncork()
  }
}
