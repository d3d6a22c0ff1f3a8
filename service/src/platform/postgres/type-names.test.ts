import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { parseType, typeToText } from '@zonewright/dns'
import pg from 'pg'
import { cloneDatabase } from '#testing/platform/test-database.ts'

const database = await cloneDatabase()
const migration = await readFile(new URL('../../../migrations/0020-type-names.sql', import.meta.url), 'utf8')

test('records and history of newly named types are found under the new name', async () => {
  const pairs = [...migration.matchAll(/\('(TYPE\d+)', '(\w+)'\)/g)].map(([, old = '', name = '']) => ({ old, name }))
  assert.equal(pairs.length, 18)
  for (const { old, name } of pairs) assert.equal(typeToText(parseType(old)), name)
  const zone = '00000000-0000-7000-8000-000000000001'
  const after = { ttl: 60, records: ['\\# 1 00'] }
  const moves = [
    { name: 'a.test', type: 'TYPE262', before: null, after },
    { name: 'a.test', type: 'A', before: { ttl: 60, records: ['192.0.2.1'] }, after: null },
    { name: 'b.test', type: 'TYPE65400', before: null, after },
  ]
  const untouched = '[{"name":"b.test", "type":"TYPE65400","before":null,"after":null}]'
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    // The rows need no zone.
    await client.query('set session_replication_role = replica')
    for (const [version, changes] of [JSON.stringify(moves), untouched].entries())
      await client.query(
        `insert into zone_changes (zone_id, version, serial, actor_kind, actor_name, changes_count, changes)
         values ($1, $2, 1, 'system', 'x', 1, $3)`,
        [zone, version, changes],
      )
    for (const { old } of [...pairs, { old: 'TYPE65400' }, { old: 'A' }])
      await client.query(
        `insert into zone_rrsets (zone_id, name, type, ttl, records) values ($1, 'a.test', $2, 60, array['x'])`,
        [zone, old],
      )

    await client.query(`begin; ${migration}; commit`)

    const { rows: rrsets } = await client.query<{ type: string }>('select type from zone_rrsets where zone_id = $1', [
      zone,
    ])
    const expected = ['A', 'TYPE65400', ...pairs.map(({ name }) => name)]
    assert.deepEqual(rrsets.map(({ type }) => type).sort(), expected.sort())
    const { rows: versions } = await client.query<{ changes: typeof moves; text: string }>(
      'select changes, changes::text as text from zone_changes where zone_id = $1 order by version',
      [zone],
    )
    const [first, ...others] = moves
    assert.deepEqual(versions[0]?.changes, [{ ...first, type: 'WALLET' }, ...others])
    assert.equal(versions[1]?.text, untouched)
  } finally {
    await client.end()
  }
})
