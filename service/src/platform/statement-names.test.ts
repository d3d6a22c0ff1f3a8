import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { nameStatements } from './statement-names.ts'

const pool = nameStatements(new pg.Pool({ connectionString: process.env['ZONEWRIGHT_TEST_POSTGRES'], max: 1 }))
after(() => pool.end())

async function prepared(): Promise<string[]> {
  return (await pool.query('select statement from pg_prepared_statements order by prepare_time')).rows.map(
    ({ statement }) => statement,
  )
}

test('one text is prepared once a connection, however often and with whatever values it runs', async () => {
  for (let i = 0; i < 5; i++) assert.deepEqual((await pool.query('select $1::int as n', [i])).rows, [{ n: i }])
  const client = await pool.connect()
  assert.deepEqual((await client.query('select $1::int as n', [7])).rows, [{ n: 7 }])
  client.release()
  assert.deepEqual(await prepared(), ['select $1::int as n'])
})

test('a text without values is not named: it may hold several statements', async () => {
  await pool.query('select 1; select 2')
  await pool.query({ text: 'select 3', values: [] })
  assert.equal((await prepared()).length, 1)
})

test('a statement that fails leaves its connection usable, and runs when its table exists', async () => {
  await assert.rejects(pool.query('select * from not_there where $1::int = 1', [1]), /not_there/)
  await pool.query('create temp table not_there (n int)')
  assert.deepEqual((await pool.query('select * from not_there where $1::int = 1', [1])).rows, [])
  // PostgreSQL notices by itself that a plan is too old.
  await pool.query('alter table not_there add column m int')
  await assert.rejects(pool.query('select * from not_there where $1::int = 1', [1]), /cached plan/)
})

test('past 600 texts the rest go unnamed and work all the same', async () => {
  for (let i = 0; i < 700; i++)
    assert.deepEqual((await pool.query(`select $1::int as n${i}`, [i])).rows, [{ [`n${i}`]: i }])
  const names = (await prepared()).length
  assert.ok(names > 590 && names <= 600, `${names} statements are kept prepared`)
  assert.deepEqual((await pool.query('select $1::int as unnamed', [1])).rows, [{ unnamed: 1 }])
  assert.equal((await prepared()).length, names)
})
