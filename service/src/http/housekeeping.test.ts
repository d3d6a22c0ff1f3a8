import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/postgres/index.ts'
import { startTestApi } from '#testing/test-api.ts'
import { ensurePartitions } from './housekeeping.ts'

const { database } = await startTestApi()

/** The partitions of events, the last one first. */
async function partitions(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = 'events'::regclass
      and inhrelid::regclass::text ~ '[0-9]$' order by 1 desc`.execute(database.db)
  return rows.map(({ name }) => name)
}

test('creates a missing partition, but not while a transaction holds its table, because others would also have to wait', async () => {
  const before = await partitions()
  await sql`drop table ${sql.ref(before[0] ?? '')}`.execute(database.db)
  const other = await database.connectApart()
  await other.query('begin; lock table events in access share mode')
  await assert.rejects(ensurePartitions(database), { code: '55P03' })
  await other.end()
  assert.deepEqual(await partitions(), before.slice(1))
  await ensurePartitions(database)
  assert.deepEqual(await partitions(), before)
})
