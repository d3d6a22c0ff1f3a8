import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { cloneDatabase } from '#testing/platform/test-database.ts'
import { sql } from './db.ts'

const { db } = await cloneDatabase()

test('values become parameters, numbered across the parts of a statement', async () => {
  const between = (from: number, to: number) => sql`n between ${from} and ${to}`
  const statement = sql<{ n: number }>`
    select n from generate_series(1, ${9}) n where (${between(2, 3)} or ${between(7, 8)}) and n <> ${3}`
  assert.match(statement.text, /\$1\) n where \(n between \$2 and \$3 or n between \$4 and \$5\) and n <> \$6$/)
  assert.deepEqual(statement.values, [9, 2, 3, 7, 8, 3])
  assert.deepEqual((await statement.execute(db)).rows, [{ n: 2 }, { n: 7 }, { n: 8 }])
})

test('statements composed in the same way share one text; others have different texts', () => {
  const part = (isNamed: boolean, value: string) => (isNamed ? sql`name = ${value}` : sql`id = ${value}`)
  const whole = (isNamed: boolean, value: unknown) => sql`select ${part(isNamed, 'x')}, ${value}`
  assert.equal(whole(true, 1).shape, whole(true, 'other').shape)
  assert.notEqual(whole(true, 1).shape, whole(false, 1).shape)
  // A statement in place of a value, and vice versa.
  assert.equal(whole(true, sql`now()`).text, 'select name = $1, now()')
  assert.equal(whole(true, 1).text, 'select name = $1, $2')
  assert.equal(whole(false, 1).text, 'select id = $1, $2')
})

test('parts and values are joined by commas, or by another separator', async () => {
  assert.equal(sql`${sql.join([])}`.text, '')
  assert.equal(sql.join([1, sql`a = ${2}`, 3]).text, '$1, a = $2, $3')
  const conditions = [sql`true`, sql`${1}::int = 1`, sql`${'a'}::text = 'a'`]
  const joined = sql<{ all: boolean }>`select ${sql.join(conditions, sql` and `)} as all`
  assert.deepEqual(joined.values, [1, 'a'])
  assert.deepEqual((await joined.execute(db)).rows, [{ all: true }])
  assert.equal(sql.join([1, 2], sql` or `).text, '$1 or $2')
})

test('literals and names in the text are quoted as PostgreSQL reads them', async () => {
  const statement = sql`
    select ${sql.lit("it's \\ $1")} as ${sql.ref('a "b".c')}, ${sql.lit(-5)} as n, ${sql.raw("'raw'")} as raw from ${sql.table('accounts')}
    right join (select ${1}::int as one) o on false`
  assert.deepEqual((await statement.execute(db)).rows, [{ 'a "b".c': "it's \\ $1", n: -5, raw: 'raw' }])
})

test('an undefined value is null', async () => {
  const { rows } = await sql`select ${undefined}::text as a, ${null}::int as b`.execute(db)
  assert.deepEqual(rows, [{ a: null, b: null }])
})

test('code that builds endless texts leaves none of them in memory', () => {
  const makeTexts = (): void => {
    for (let i = 0; i < 100_000; i++) sql`select ${sql.lit(`a text that is a new one each time: ${i}`)}`.text
  }
  makeTexts()
  const before = usedMiB()
  makeTexts()
  const grownMiB = usedMiB() - before
  assert.ok(grownMiB < 2, `${grownMiB} MiB`)
})

/** Memory that is still in use. */
function usedMiB(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed / 2 ** 20
}
