import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from './db.ts'
import { FixedStatement } from './fixed-statement.ts'
import { cloneDatabase } from './test-database.ts'

const database = await cloneDatabase()

test('a fixed statement is put together once, and takes other values at each run', async () => {
  let built = 0
  const sum = new FixedStatement<{ a: number; b: number }, { sum: number }>((value) => {
    built += 1
    // A value that is named twice, and one that is no slot.
    return sql`select ${value('a')}::int + ${value('a')}::int + ${value('b')}::int + ${100}::int as sum`
  })
  assert.deepEqual(await sum.run(database.db, { a: 1, b: 10 }), [{ sum: 112 }])
  assert.deepEqual(await sum.run(database.db, { a: 2, b: 20 }), [{ sum: 124 }])
  assert.equal(built, 1)
})

test('a fixed statement sees what its transaction has done', async () => {
  const named = new FixedStatement<{ email: string }, { email: string }>(
    (value) => sql`select email from accounts where email = ${value('email')}`,
  )
  await database.transact(async (tx) => {
    await sql`insert into accounts (email) values ('a')`.execute(tx)
    assert.deepEqual(await named.run(tx, { email: 'a' }), [{ email: 'a' }])
    assert.deepEqual(await named.run(database.db, { email: 'a' }), [])
  })
})
