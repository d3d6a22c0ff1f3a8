import { createHash } from 'node:crypto'
import pg, { type Pool, type PoolClient, type QueryResult } from 'pg'
import {
  executePrepared,
  isPrepared,
  type NamedStatement,
  type RowReader,
  readRowsWith,
  rowReaderOf,
} from './pg-internals.ts'

const maxNames = 600

const names = new Map<string, string>()

/**
 * Names every parameterized statement that passes through the pool, so that PostgreSQL parses and plans it once per connection (measured on a whole
 * PUT: 1,750/s named, 1,050/s unnamed), and describes its columns once (`KnownStatement`).
 *
 * After `maxNames` different texts, further statements are not named, so that code that builds endless variants does not fill the server's memory.
 * `onUnnamed` is called with the first of them.
 */
export function nameStatements(pool: Pool, onUnnamed: (text: string) => void = () => undefined): Pool {
  let isTold = false
  const tellOnce = (text: string): void => {
    if (!isTold) onUnnamed(text)
    isTold = true
  }
  pool.on('connect', (client) => nameStatementsOf(client, tellOnce))
  return pool
}

function nameStatementsOf(client: PoolClient, onUnnamed: (text: string) => void): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  const readers = new Map<string, RowReader>()
  client.query = ((first: unknown, values?: unknown, ...rest: unknown[]) => {
    if (typeof first !== 'string' || !Array.isArray(values)) return query(first, values, ...rest)
    const name = nameOf(first)
    if (name === undefined) {
      onUnnamed(first)
      return query(first, values, ...rest)
    }
    if (rest.length > 0) return query({ name, text: first, values }, ...rest)
    const known = isPrepared(client, name, first) ? readers.get(name) : undefined
    if (known !== undefined) return askKnown(query, { name, values }, known)
    const described = query({ name, text: first, values }) as Promise<QueryResult>
    return described.then((result) => {
      readers.set(name, rowReaderOf(result))
      return result
    })
  }) as typeof client.query
}

/** The name of a statement on every connection; undefined: it has none. */
export function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= maxNames) return known
  const name = createHash('sha256').update(text).digest('hex').slice(0, 32)
  names.set(text, name)
  return name
}

function askKnown(
  query: (...args: unknown[]) => unknown,
  statement: NamedStatement,
  reader: RowReader,
): Promise<QueryResult> {
  return new Promise<QueryResult>((resolve, reject) => {
    query(new KnownStatement(statement, reader, (error, result) => (error ? reject(error) : resolve(result))))
  }).catch((error: Error) => {
    // Like pg's own errors: the stack shows where the query was made, instead of where the response was read.
    Error.captureStackTrace(error)
    throw error
  })
}

/**
 * A prepared statement whose columns this connection has already described: they stay the same (otherwise PostgreSQL refuses it, "cached plan must
 * not change result type"), and are not requested again. pg requests them at every use (measured on a statement of 14 columns: 27 µs of processor
 * time).
 */
class KnownStatement extends pg.Query {
  readonly #statement: NamedStatement
  readonly #reader: RowReader

  constructor(
    statement: NamedStatement,
    reader: RowReader,
    callback: (error: Error | undefined, result: QueryResult) => void,
  ) {
    // A text, not an object of settings: pg copies such an object, property by property, at each query.
    super('', undefined, (error, result) => callback(error, result as unknown as QueryResult))
    this.#statement = statement
    this.#reader = reader
  }

  override submit = (connection: unknown): Error | null => {
    readRowsWith(this, this.#reader)
    return executePrepared(connection, [this.#statement])
  }
}
