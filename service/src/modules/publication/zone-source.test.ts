import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseName, recordsOf } from '@zonewright/dns'
import { openTestWorld } from './test-publication.ts'
import { lines } from './test-secondary.ts'
import { a, plantZone } from './test-zones.ts'
import { ZoneSource } from './zone-source.ts'

const { database, start } = await openTestWorld()
await start() // so that there are nameservers
let reads = 0
const counted = new Proxy(database.db, {
  get: (db, member) => {
    if (member !== 'getExecutor') return Reflect.get(db, member, db)
    reads++
    return () => db.getExecutor()
  },
})
const source = new ZoneSource(counted)
const origin = parseName('whole.test.')

async function whole(): Promise<string[]> {
  return lines([...((await source.whole(origin)) ?? [])].flatMap(recordsOf))
}

test('a whole zone that several ask for at once is read once, and anew for who asks later', async () => {
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
