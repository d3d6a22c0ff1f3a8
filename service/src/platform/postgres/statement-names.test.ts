import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { createEmptyDatabase } from '#testing/platform/test-database.ts'
import { nameStatements } from './statement-names.ts'

const unnamed: string[] = []
const pool = nameStatements(new pg.Pool({ connectionString: await createEmptyDatabase(), max: 1 }), (text) =>
  unnamed.push(text),
)
after(() => pool.end())

async function prepared(): Promise<string[]> {
  return (await pool.query('select statement from pg_prepared_statements order by prepare_time')).rows.map(
    ({ statement }) => statement,
  )
}

test('a text is prepared once per connection, however often and with whatever values it runs', async () => {
  for (let i = 0; i < 5; i++) assert.deepEqual((await pool.query('select $1::int as n', [i])).rows, [{ n: i }])
  const client = await pool.connect()
  assert.deepEqual((await client.query('select $1::int as n', [7])).rows, [{ n: 7 }])
  client.release()
  assert.deepEqual(await prepared(), ['select $1::int as n'])
})

test('the columns of a statement are described once per connection, and its results stay the same', async () => {
  const client = await pool.connect()
  await client.query('create temp table things (n int, at timestamptz)')
  const answers = async (text: string, values: unknown[]) => {
    const { rows, rowCount, command, fields } = await client.query(text, values)
    return { rows, rowCount, command, names: fields.map(({ name }) => name) }
  }
  for (const n of [1, 2, 3]) {
    const at = new Date(Date.UTC(2026, 10, n))
    const insert = { rows: [], rowCount: 1, command: 'INSERT', names: [] }
    assert.deepEqual(await answers('insert into things select $1, $2', [n, at]), insert)
    const select = { rows: [{ n, at }], rowCount: 1, command: 'SELECT', names: ['n', 'at'] }
    assert.deepEqual(await answers('select n, at from things where n = $1', [n]), select)
    const bare = { rows: Array.from({ length: n }, () => ({})), rowCount: n, command: 'SELECT', names: [] }
    assert.deepEqual(await answers('select from things where n <= $1', [n]), bare)
    await assert.rejects(client.query('select 1 / ($1::int - 3) as one', [3]), /division by zero/)
    assert.deepEqual((await client.query('select 1 / ($1::int - 3) as one', [4])).rows, [{ one: 1 }])
  }
  await client.query('alter table things add column m int')
  await client.query('select * from things where n = $1', [1])
  await client.query('alter table things add column o int')
  await assert.rejects(client.query('select * from things where n = $1', [1]), /cached plan must not change/)
  client.release()
})

test('a value that cannot be sent fails alone, and its connection continues', async () => {
  const client = await pool.connect()
  const circle: { self?: unknown } = {}
  circle.self = circle
  const text = 'select $1::json is null as none'
  for (const _ of [1, 2]) assert.deepEqual((await client.query(text, [null])).rows, [{ none: true }])
  await assert.rejects(client.query(text, [circle]), /circular/i)
  assert.deepEqual((await client.query(text, [{}])).rows, [{ none: false }])
  client.release()
})

test('a text without values is not named: it may hold several statements', async () => {
  await pool.query('select 1; select 2')
  await pool.query({ text: 'select 3', values: [] })
  assert.ok(!(await prepared()).some((text) => /^select [123](;|$)/.test(text)))
})

test('a statement that fails leaves its connection usable, and runs when its table exists', async () => {
  await assert.rejects(pool.query('select * from not_there where $1::int = 1', [1]), /not_there/)
  await pool.query('create temp table not_there (n int)')
  assert.deepEqual((await pool.query('select * from not_there where $1::int = 1', [1])).rows, [])
  // PostgreSQL detects that a plan is outdated.
  await pool.query('alter table not_there add column m int')
  await assert.rejects(pool.query('select * from not_there where $1::int = 1', [1]), /cached plan/)
})

test('after 600 texts, further ones are unnamed but still work; only the first of them is reported', async () => {
  for (let i = 0; i < 700; i++)
    assert.deepEqual((await pool.query(`select $1::int as n${i}`, [i])).rows, [{ [`n${i}`]: i }])
  const names = (await prepared()).length
  assert.ok(names > 590 && names <= 600, `${names} statements are kept prepared`)
  assert.deepEqual((await pool.query('select $1::int as unnamed', [1])).rows, [{ unnamed: 1 }])
  assert.equal((await prepared()).length, names)
  assert.equal(unnamed.length, 1)
  assert.match(unnamed[0] ?? '', /^select \$1::int as n(59\d|600)$/)
})
