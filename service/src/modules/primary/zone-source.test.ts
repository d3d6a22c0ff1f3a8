import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseName, recordsOf, toSerial } from '@zonewright/dns'
import { type Db, sql } from '#platform/postgres/index.ts'
import { lines } from '#testing/primary/test-secondary.ts'
import { a, plantChange, plantZone } from '#testing/primary/test-zones.ts'
import { openTestWorld } from '#testing/publication/test-publication.ts'
import { ZoneSource } from './zone-source.ts'

const { database, start } = await openTestWorld()
await start() // so that there are nameservers
let reads = 0
const counted: Db = {
  run: (statement) => {
    reads++
    return database.db.run(statement)
  },
}
const source = new ZoneSource(counted)
const origin = parseName('whole.test.')

async function whole(): Promise<string[]> {
  return lines([...((await source.whole(origin)) ?? [])].flatMap(recordsOf))
}

test('concurrent requests for a whole zone share one read, and a later request reads it again', async () => {
  assert.deepEqual(await Promise.all([whole(), whole()]), [[], []])
  await plantZone(database, 'whole.test', { rrsets: [a('www.whole.test', '192.0.2.1')] })
  reads = 0
  const both = await Promise.all([whole(), whole()])
  assert.equal(reads, 1)
  assert.deepEqual(both[0], both[1])
  assert.ok(both[0]?.includes('www.whole.test. A 192.0.2.1'), `${both[0]}`)
  await whole()
  assert.equal(reads, 2)
})

/** How each zone would be sent to a requester that has its first serial; all request at the same moment. */
async function plansOf(names: readonly string[]): Promise<(string | undefined)[]> {
  const found = await Promise.all(names.map((name) => source.since(parseName(`${name}.`), toSerial(1_000))))
  return found.map((since) => since?.plan)
}

test('concurrent requests read 64 MiB of large journals; other large zones are sent whole, and small ones as steps', async () => {
  const large = Array.from({ length: 6 }, (_, i) => `large${i}.test`)
  for (const name of [...large, 'small.test']) {
    const zone = await plantZone(database, name)
    await plantChange(database, zone, { added: [a(`www.${name}`, '192.0.2.1')] })
    const bytes = name === 'small.test' ? 100 : 15_000_000
    await sql`update zone_journal set bytes = ${bytes} where zone_id = ${zone.id}`.execute(database.db)
  }
  reads = 0
  const plans = await plansOf(['small.test', ...large])
  assert.deepEqual(plans.toSorted(), [...Array(5).fill('steps'), 'whole', 'whole'])
  assert.equal(plans[0], 'steps')
  assert.equal(reads, 2)
  for (const name of large) assert.deepEqual(await plansOf([name]), ['steps'], 'alone')
  reads = 0
  await plansOf(['small.test', 'whole.test'])
  assert.equal(reads, 1, 'small ones together')
})
