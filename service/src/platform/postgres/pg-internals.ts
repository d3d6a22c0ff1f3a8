// All use of the parts of pg that its documentation does not promise. pg-internals.test.ts fails when a new version changes one of them.

import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import type { ClientBase, FieldDef, Pool, Query, QueryResult } from 'pg'
import { executionMessage } from './execution-message.ts'

const { prepareValue } = createRequire(import.meta.url)('pg/lib/utils.js') as {
  prepareValue: (value: unknown) => string | Buffer | null | undefined
}

/** The part of pg's connection that is used here. */
interface Connection {
  readonly stream: Socket
  on(event: 'parameterStatus', listener: (status: { parameterName: string; parameterValue: string }) => void): void
  on(event: 'errorMessage', listener: (error: { code?: string }) => void): void
  on(event: 'readyForQuery', listener: () => void): void
  /** The texts of the statements that PostgreSQL has prepared on this connection, by name. */
  readonly parsedStatements: Readonly<Record<string, string | undefined>>
}

/** The name of a prepared statement, and the values of its parameters. */
export interface NamedStatement {
  readonly name: string
  readonly values: readonly unknown[]
}

function connectionOf(client: ClientBase): Connection {
  return (client as unknown as { connection: Connection }).connection
}

/** Whether PostgreSQL has prepared this text under this name on the client's connection. */
export function isPrepared(client: ClientBase, name: string, text: string): boolean {
  return connectionOf(client).parsedStatements[name] === text
}

/** Returns a function that returns the parameters that the server has reported to this client, such as `in_hot_standby`. Called before it connects. */
export function reportedParameters(client: ClientBase): () => ReadonlyMap<string, string> {
  const known = new Map<string, string>()
  connectionOf(client).on('parameterStatus', ({ parameterName, parameterValue }) =>
    known.set(parameterName, parameterValue),
  )
  return () => known
}

/** Calls `listener` for each error with this SQLSTATE that the server sends to this client. */
export function onErrorCode(client: ClientBase, code: string, listener: () => void): void {
  connectionOf(client).on('errorMessage', (error) => {
    if (error.code === code) listener()
  })
}

/** The process id that the server announced at the start of the connection (BackendKeyData). */
export function announcedProcess(client: ClientBase): number | null {
  return (client as unknown as { processID: number | null }).processID
}

/** Calls `onReady` each time PostgreSQL has responded to everything that was sent, and `onError` with the SQLSTATE of each of its errors. */
export function hearServer(
  client: ClientBase,
  { onReady, onError }: { readonly onReady: () => void; readonly onError: (state: string | undefined) => void },
): void {
  const connection = connectionOf(client)
  connection.on('readyForQuery', onReady)
  connection.on('errorMessage', ({ code }) => onError(code))
}

/** Ends a connection immediately, like a network failure. Everything that waits on it fails, and a pool drops it. */
export function breakConnection(client: ClientBase): void {
  connectionOf(client).stream.destroy()
}

/**
 * Makes the pool lend the first of its idle connections that it opened, instead of the one that was returned last: under a light load, one
 * server process does all the work, and keeps what it needs in the processor's caches (measured: an eighth of the processor time of a PUT).
 */
export function lendFirstOpened(pool: Pool): void {
  const { _clients: clients, _idle: idle } = pool as unknown as PoolParts
  for (const client of clients) {
    const at = idle.findIndex((item) => item.client === client)
    if (at === -1) continue
    idle.push(...idle.splice(at, 1))
    return
  }
}

/** The parts of a pool that are used here. */
interface PoolParts {
  /** In the order in which they were opened. */
  readonly _clients: readonly ClientBase[]
  /** The last one is checked out next. */
  readonly _idle: { readonly client: ClientBase }[]
}

/**
 * Sends everything that is written to the client's connection in this turn of the event loop as one message: each message alone wakes the
 * server up (measured: a fifth of the processor time under load).
 */
export function sendTogether(client: ClientBase): void {
  const { stream } = connectionOf(client)
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/**
 * Runs prepared statements in order, as the `submit` of a `pg.Query`, in the extended query protocol (PostgreSQL manual 54.2.3): Bind and
 * Execute for each, then one Sync. Outside a transaction everything before a Sync is one transaction.
 *
 * @param connection what pg passes to `submit`
 * @returns the error if a value cannot be sent; then nothing is sent
 */
export function executePrepared(connection: unknown, statements: readonly NamedStatement[]): Error | null {
  try {
    const bound = statements.map(({ name, values }) => ({
      name,
      values: values.map((value) => prepareValue(value) ?? null),
    }))
    ;(connection as Connection).stream.write(executionMessage(bound))
    return null
  } catch (error) {
    return error as Error
  }
}

/** How pg reads the rows of a statement. pg builds it for each result from the server's RowDescription. */
export interface RowReader {
  readonly fields: FieldDef[]
  readonly _parsers: unknown
  /** Every row starts as a copy of it. */
  readonly _prebuiltEmptyResultObject: unknown
}

/** The reader of a result's rows. The rows of the same prepared statement can be read with it again. */
export function rowReaderOf(result: QueryResult): RowReader {
  const { fields, _parsers, _prebuiltEmptyResultObject } = result as unknown as RowReader
  return { fields, _parsers, _prebuiltEmptyResultObject }
}

/** Makes a query read its rows with this reader, for a statement that runs without a RowDescription. */
export function readRowsWith(query: Query, reader: RowReader): void {
  const parts = query as unknown as { readonly _result: RowReader; _accumulateRows: boolean }
  Object.assign(parts._result, reader)
  parts._accumulateRows = true
}
