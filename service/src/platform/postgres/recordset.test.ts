import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cloneDatabase } from '#testing/platform/test-database.ts'
import { sql } from './db.ts'

const { db } = await cloneDatabase()

const rowsAs = sql.recordset(
  'r',
  `n int, "camelCase" text, big bigint, fine float8, yes boolean, at timestamptz, day date, id uuid, host inet,
   names text[], ids uuid[], body json`,
)

const full = {
  n: 1,
  camelCase: 'it\'s "quoted", \\back\\slashed, {braced} and 𝒰nicode',
  big: 9_007_199_254_740_991,
  fine: 0.1,
  yes: false,
  at: new Date('2026-11-24T05:47:11.157Z'),
  day: '2026-11-24',
  id: '0adc773e-3273-4d1d-b569-c442f6c96577',
  host: '2001:db8::1',
  names: ['a "b", c', '{}', '\\', '', 'null'],
  ids: ['0adc773e-3273-4d1d-b569-c442f6c96577'],
  body: { text: 'a\u2028"b"', list: [1, null, { deep: [] }], none: null },
}
const empty = { n: 2, names: [], ids: [], body: [], camelCase: '' }
const absent = { n: 3, camelCase: undefined, big: null, at: null, body: null, names: null, unread: 'not a column' }

test('a single row gets the same values in PostgreSQL as it gets among other rows', async () => {
  const together = await read([full, empty, absent])
  const alone = [...(await read([full])), ...(await read([empty])), ...(await read([absent]))]
  assert.deepEqual(alone, together)
  const [first] = alone
  assert.deepEqual({ ...first, host: full.host }, { ...full, body: JSON.stringify(full.body) })
})

test('an empty list selects no rows', async () => {
  assert.deepEqual(await read([]), [])
})

test('a column without a name and a type is detected when the module is loaded', () => {
  assert.throws(() => sql.recordset('r', 'n int, "name text'), SyntaxError)
  assert.throws(() => sql.recordset('r', 'n'), SyntaxError)
})

/** `body` as its exact text. */
async function read(rows: readonly object[]): Promise<object[]> {
  const { rows: found } = await sql<object>`
    select n, "camelCase", big, fine, yes, at, day, id, host, names, ids, body::text from ${rowsAs(rows)} order by n`.execute(
    db,
  )
  return found
}
