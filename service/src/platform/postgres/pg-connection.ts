import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import type { PoolClient } from 'pg'
import { serialize } from 'pg-protocol'

const { prepareValue } = createRequire(import.meta.url)('pg/lib/utils.js') as {
  prepareValue: (value: unknown) => unknown
}

/** The part of pg's connection that statements are sent on by themselves. */
export interface Connection {
  readonly stream: Socket
  /** The texts of the statements that PostgreSQL has prepared on it, by their names. */
  readonly parsedStatements: Readonly<Record<string, string | undefined>>
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
 * Runs prepared statements, one after the other, by the extended query protocol (PostgreSQL manual 54.2.3): all that they write is one
 * transaction, unless another one is under way, since what comes before a Sync is kept or undone together. Returns why nothing was sent: a
 * value that cannot be.
 */
export function executePrepared({ stream }: Connection, statements: readonly NamedStatement[]): Error | null {
  const messages: Buffer[] = []
  try {
    for (const { name, values } of statements)
      messages.push(
        serialize.bind({ statement: name, values: [...values], valueMapper: prepareValue }),
        serialize.execute(),
      )
  } catch (error) {
    return error as Error
  }
  stream.write(Buffer.concat([...messages, serialize.sync()]))
  return null
}
