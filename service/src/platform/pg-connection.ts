import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import type { PoolClient } from 'pg'

const { prepareValue } = createRequire(import.meta.url)('pg/lib/utils.js') as {
  prepareValue: (value: unknown) => unknown
}

/** The part of pg's connection that writes messages of the extended query protocol (PostgreSQL manual 54.2.3). */
export interface Connection {
  readonly stream: Socket
  /** The texts of the statements that PostgreSQL has prepared on it, by their names. */
  readonly parsedStatements: Readonly<Record<string, string | undefined>>
  /** Values as text, bytes or null. */
  bind(message: { statement: string; values: readonly unknown[] }): void
  execute(message: { portal: string; rows: number }): void
  sync(): void
}

/** A statement by its name, and the values of its parameters. */
export interface NamedStatement {
  readonly name: string
  readonly values: readonly unknown[]
}

export function connectionOf(client: PoolClient): Connection {
  return (client as unknown as { connection: Connection }).connection
}

/**
 * Runs prepared statements, one after the other: all that they write is one transaction, unless another one is under way, since what comes
 * before a Sync is kept or undone together. Returns why nothing was sent: a value that cannot be.
 */
export function executePrepared(connection: Connection, statements: readonly NamedStatement[]): Error | null {
  const bound: { statement: string; values: unknown[] }[] = []
  try {
    for (const { name, values } of statements) bound.push({ statement: name, values: values.map(prepareValue) })
  } catch (error) {
    return error as Error
  }
  connection.stream.cork()
  for (const one of bound) {
    connection.bind(one)
    connection.execute({ portal: '', rows: 0 })
  }
  connection.sync()
  connection.stream.uncork()
  return null
}
