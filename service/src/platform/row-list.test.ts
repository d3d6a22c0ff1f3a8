import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from './db.ts'
import { type ColumnType, rowList } from './row-list.ts'
import { cloneDatabase } from './test-database.ts'

const database = await cloneDatabase()

async function kept<C extends string>(columns: Record<C, ColumnType>, rows: readonly { [K in C]?: unknown }[]) {
  return (await sql`select * from ${rowList('r', columns, rows)}`.execute(database.db)).rows
}

/** Any text that PostgreSQL keeps. */
const text = fc.string({ unit: 'binary' }).map((any) => any.replaceAll('\0', '').toWellFormed())

test('rows arrive as they were sent, in their order, whatever is in their texts and lists', async () => {
  const row = fc.record(
    {
      name: text,
      list: fc.array(text),
      document: fc.record({ text, list: fc.array(text) }, { noNullPrototype: true }),
      n: fc.integer(),
    },
    { requiredKeys: ['document'], noNullPrototype: true },
  )
  const columns = { name: 'text', list: 'text[]', document: 'json', n: 'bigint' } as const
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 5 }), async (rows) => {
      const missing = { name: null, list: null, n: null }
      assert.deepEqual(
        await kept(columns, rows),
        rows.map((one) => ({ ...missing, ...one })),
      )
    }),
    { numRuns: 100 },
  )
})

test('each type of column is read as such, and no rows are none', async () => {
  const id = '0b5cbb4e-1c6d-4f2e-8f0a-6f0d2a3b4c5d'
  const columns = { id: 'uuid', at: 'timestamptz', day: 'date', address: 'inet', is: 'boolean', ids: 'uuid[]' } as const
  const rows = [
    { id, at: new Date(1_763_776_000_123), day: '2026-11-22', address: '2001:db8::1', is: false, ids: [id, id] },
    { id, at: null, ids: [] },
  ]
  const [first, second] = await kept(columns, rows)
  assert.deepEqual(first, rows[0])
  assert.deepEqual(second, { id, at: null, day: null, address: null, is: null, ids: [] })
  assert.deepEqual(await kept(columns, []), [])
})

test('a json document is kept to the letter, its members in their order', async () => {
  const document = { b: 1, a: { '10': 'x', '9': 'y' }, quote: '"\\' }
  const { rows } = await sql<{ letters: string }>`
    select document::text as letters from ${rowList('r', { document: 'json' }, [{ document }])}`.execute(database.db)
  assert.deepEqual(rows, [{ letters: JSON.stringify(document) }])
})
