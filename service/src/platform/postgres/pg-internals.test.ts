import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { Socket } from 'node:net'
import { after, test } from 'node:test'
import pg from 'pg'
import { createEmptyDatabase } from '#testing/platform/test-database.ts'
import {
  announcedProcess,
  breakConnection,
  executePrepared,
  isPrepared,
  lendFirstOpened,
  onErrorCode,
  readRowsWith,
  reportedParameters,
  rowReaderOf,
  sendTogether,
} from './pg-internals.ts'

const require = createRequire(import.meta.url)
const { version } = require('pg/package.json') as { version: string }
const utils = require('pg/lib/utils.js') as Parts['utils']

/** The parts of pg that pg-internals.ts uses, as far as their shape can be checked without running them. */
interface Parts {
  readonly connection: { readonly stream?: unknown; readonly parsedStatements?: unknown } | undefined
  readonly pool: Partial<Record<'_clients' | '_idle', unknown>>
  readonly utils: { readonly prepareValue?: unknown }
  readonly query: { readonly _result?: unknown }
  readonly result: Partial<Record<'fields' | '_parsers' | '_prebuiltEmptyResultObject', unknown>>
}

/** Says which private part is gone or behaves differently, and what to do about it. */
function changed(part: string): string {
  return `pg ${version} has changed ${part}, a private part that service/src/platform/postgres/pg-internals.ts uses. Adapt pg-internals.ts to this version, or pin the previous version of pg in every package.json.`
}

function changedParts({ connection, pool, utils, query, result }: Parts): string[] {
  const stream = connection?.stream as Partial<Record<string, unknown>> | undefined
  const isThere: Readonly<Record<string, boolean>> = {
    'client.connection': typeof connection === 'object',
    'connection.stream': ['cork', 'uncork', 'write'].every((name) => typeof stream?.[name] === 'function'),
    'connection.parsedStatements': typeof connection?.parsedStatements === 'object',
    'pool._clients': Array.isArray(pool._clients),
    'pool._idle': Array.isArray(pool._idle),
    prepareValue: typeof utils.prepareValue === 'function',
    'query._result': typeof query._result === 'object',
    'result.fields': Array.isArray(result.fields),
    'result._parsers': Array.isArray(result._parsers),
    'result._prebuiltEmptyResultObject': typeof result._prebuiltEmptyResultObject === 'object',
  }
  return Object.entries(isThere).flatMap(([part, is]) => (is ? [] : [changed(part)]))
}

const connectionString = await createEmptyDatabase()
const client = new pg.Client({ connectionString })
await client.connect()
after(() => client.end())
const { connection } = client as unknown as { connection: { stream: Socket; parsedStatements: object } }
const parts: Parts = {
  connection,
  pool: new pg.Pool() as unknown as Parts['pool'],
  utils,
  query: new pg.Query('') as Parts['query'],
  result: (await client.query('select 1 as one')) as Parts['result'],
}

test('pg still has every private part that pg-internals.ts uses', () => {
  assert.deepEqual(changedParts(parts), [])
  assert.ok(connection.stream instanceof Socket, changed('connection.stream'))
})

test('a missing or renamed part is reported with what to do', () => {
  const { stream, parsedStatements } = connection
  const others: Record<string, Parts> = {
    'client.connection': { ...parts, connection: undefined },
    'connection.stream': { ...parts, connection: { parsedStatements } },
    'connection.parsedStatements': { ...parts, connection: { stream } },
    'pool._clients': { ...parts, pool: { _idle: [] } },
    'pool._idle': { ...parts, pool: { _clients: [] } },
    prepareValue: { ...parts, utils: {} },
    'query._result': { ...parts, query: {} },
    'result.fields': { ...parts, result: { ...parts.result, fields: undefined } },
    'result._parsers': { ...parts, result: { ...parts.result, _parsers: undefined } },
    'result._prebuiltEmptyResultObject': {
      ...parts,
      result: { ...parts.result, _prebuiltEmptyResultObject: undefined },
    },
  }
  for (const [part, without] of Object.entries(others)) {
    const sentence = changedParts(without).find((found) => found.includes(part))
    assert.match(sentence ?? '', /Adapt pg-internals\.ts to this version, or pin the previous version/, part)
  }
})

test('pg stores the text of a statement under its name once PostgreSQL has prepared it', async () => {
  const text = 'select $1::int as n'
  assert.equal(isPrepared(client, 'noted', text), false)
  await client.query({ name: 'noted', text, values: [1] })
  assert.equal(isPrepared(client, 'noted', text), true, changed('connection.parsedStatements'))
  assert.equal(isPrepared(client, 'noted', 'select 2'), false)
})

test('a pool lends the first of its idle connections that it opened', async () => {
  const pool = new pg.Pool({ connectionString, max: 3 })
  const [first, second, third] = [await pool.connect(), await pool.connect(), await pool.connect()]
  const lent = async () => {
    lendFirstOpened(pool)
    return await pool.connect()
  }
  for (const idle of [first, third, second]) idle.release()
  assert.equal(await lent(), first, changed('pool._idle'))
  assert.equal(await lent(), second, changed('pool._idle'))
  for (const idle of [first, second]) idle.release()
  assert.equal(await lent(), first, changed('pool._clients'))
  assert.equal(await lent(), second)
  assert.equal(await lent(), third)
  lendFirstOpened(pool)
  for (const idle of [first, second, third]) idle.release()
  await pool.end()
})

test('prepared statements run in order in one transaction, with their values as pg sends them', async () => {
  await client.query(
    'create temp table sent (at timestamptz, list int[], doc json, bytes bytea, empty text, wide bigint)',
  )
  const text = 'insert into sent values ($1, $2, $3, $4, $5, $6)'
  const at = new Date('2026-11-27T03:04:05.678Z')
  const values = [at, [1, 2], { a: [true] }, Buffer.from([0, 255]), null, '9007199254740993']
  await client.query({ name: 'insert', text, values })
  await run([
    { name: 'insert', values },
    { name: 'insert', values },
  ])
  const { rows } = await client.query('select * from sent')
  assert.equal(rows.length, 3)
  for (const row of rows) assert.deepEqual(Object.values(row), values, changed('prepareValue'))
  // The second statement fails: the first one is undone with it.
  await assert.rejects(
    run([
      { name: 'insert', values },
      { name: 'insert', values: ['no time', null, null, null, null, null] },
    ]),
    /invalid input syntax for type timestamp/,
  )
  assert.equal((await client.query('select from sent')).rowCount, 3)
})

test('a query with another query’s row reader reads rows that come without a description', async () => {
  const text = 'select $1::int as n, now() as at, null::text as none'
  const reader = rowReaderOf(await client.query({ name: 'described', text, values: [1] }))
  const { rows } = await new Promise<pg.QueryResult>((resolve, reject) => {
    const query = new pg.Query('', undefined, (error: Error | undefined, result: unknown) =>
      error ? reject(error) : resolve(result as pg.QueryResult),
    )
    const submit = (to: unknown) => {
      readRowsWith(query, reader)
      return executePrepared(to, [{ name: 'described', values: [2] }])
    }
    client.query(Object.assign(query, { submit }))
  })
  assert.equal(rows[0]?.n, 2, changed('query._result'))
  assert.ok(rows[0]?.at instanceof Date, changed('query._result'))
  assert.equal(rows[0]?.none, null, changed('query._result'))
})

test('a value that cannot be sent is returned as an error, and nothing is sent', async () => {
  const circle: { self?: unknown } = {}
  circle.self = circle
  await assert.rejects(run([{ name: 'insert', values: [circle, null, null, null, null, null] }]), /circular/i)
  assert.deepEqual((await client.query('select 1 as one')).rows, [{ one: 1 }], changed('the submit of a query'))
})

test('reads what a server reports, its process and its errors by code, and breaks a connection at once', async () => {
  const other = new pg.Client({ connectionString: await createEmptyDatabase() })
  other.on('error', () => undefined)
  const reported = reportedParameters(other)
  await other.connect()
  assert.equal(reported().get('in_hot_standby'), 'off', changed("the connection's event parameterStatus"))
  assert.equal(reported().get('default_transaction_read_only'), 'off')
  const { rows } = await other.query('select pg_backend_pid() as pid')
  assert.equal(rows[0]?.pid, announcedProcess(other), changed('client.processID'))
  let readOnly = 0
  onErrorCode(other, '25006', () => readOnly++)
  await assert.rejects(other.query('select 1 / 0'), { code: '22012' })
  await other.query('begin read only')
  await assert.rejects(other.query('create table mine (a int)'), { code: '25006' })
  assert.equal(readOnly, 1, changed("the connection's event errorMessage"))
  const hanging = other.query('select pg_sleep(60)')
  breakConnection(other)
  await assert.rejects(hanging, /terminated/, changed('connection.stream'))
})

test('data written in one turn of the event loop is held back until its end', async () => {
  sendTogether(client)
  const answer = client.query('select 1 as one')
  assert.ok(connection.stream.writableCorked > 0 && connection.stream.writableLength > 0, changed('connection.stream'))
  assert.deepEqual((await answer).rows, [{ one: 1 }])
  assert.equal(connection.stream.writableCorked, 0, changed('connection.stream'))
})

test('every package.json pins the same exact version of pg', async () => {
  const pinned: string[] = []
  for (const folder of ['', 'service/', 'system-tests/', 'bench/']) {
    const file = new URL(`../../../../${folder}package.json`, import.meta.url)
    const { dependencies = {}, devDependencies = {} } = JSON.parse(await readFile(file, 'utf8'))
    const { pg: wanted } = { ...devDependencies, ...dependencies }
    if (wanted !== undefined) pinned.push(wanted)
  }
  assert.ok(pinned.length >= 4)
  for (const wanted of pinned)
    assert.equal(wanted, version, `Pin pg to exactly ${version} in every package.json: it is "${wanted}" in one.`)
})

function run(statements: Parameters<typeof executePrepared>[1]): Promise<void> {
  return new Promise((resolve, reject) => {
    const query = new pg.Query('', undefined, (error: Error | undefined) => (error ? reject(error) : resolve()))
    client.query(Object.assign(query, { submit: (to: unknown) => executePrepared(to, statements) }))
  })
}
