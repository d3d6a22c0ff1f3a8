import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogger } from '#platform/log.ts'
import { sql } from '#platform/postgres/index.ts'
import { testKey } from '#testing/primary/test-secondary.ts'
import { plantZone } from '#testing/primary/test-zones.ts'
import { openTestWorld, testCatalog } from '#testing/publication/test-publication.ts'
import { forgetCaughtUp, noteBehind } from './behind-store.ts'
import { inspectNameservers } from './inspect.ts'
import { isServing } from './rules.ts'
import { settleNameservers } from './settle-nameservers.ts'
import { isServed, readBehind, readServed, replicatedZones } from './store.ts'

const world = await openTestWorld()
const { database } = world
const { db } = database
const [ns1, ns2] = await world.nameservers()
const log = createLogger('test', 'silent')
await settleNameservers({ database, log }, [ns1.entry, ns2.entry])
const nameservers = [ns1.name, ns2.name]
const zone = await plantZone(database, 'zone.test', { serial: 100 })
const zoneIds = [zone.id]

/** `ns1` serves the zone's serial, and `ns2` was seen to serve this one. */
async function see(serial: number | null): Promise<void> {
  await sql`delete from zone_sightings`.execute(db)
  const sightings = serial === null ? [[ns1.name, 100]] : [[ns1.name, 100], [ns2.name, serial]] // biome-ignore format: pairs
  for (const [name, seen] of sightings)
    await sql`insert into zone_sightings (zone_id, nameserver, serial) values (${zone.id}, ${name}, ${seen})`.execute(
      db,
    )
}

/** A sighting of the second nameserver, and which of the zone's changes both serve then. The zone's serial is 100. */
const cases = [
  { seen: null, newest: false, earlier: false, released: -1 },
  { seen: 97, newest: false, earlier: false, released: 97 },
  { seen: 98, newest: false, earlier: true, released: 98 },
  { seen: 99, newest: false, earlier: true, released: 99 },
  { seen: 100, newest: true, earlier: true, released: 100 },
  // Ahead of the database, which has lost changes: it is not known what the nameserver serves.
  { seen: 101, newest: false, earlier: false, released: -1 },
  { seen: 1_000_100, newest: false, earlier: false, released: -1 },
  { seen: 2 ** 32 + 100, newest: false, earlier: false, released: -1 },
]

for (const { seen, newest, earlier, released } of cases)
  test(`a nameserver that was seen with ${seen ?? 'no serial'} serves the serials up to ${released}, wherever this is read`, async () => {
    await see(seen)
    assert.equal(isServing(seen, 100, 100), newest)
    assert.equal(isServing(seen, 98, 100), earlier)
    assert.equal(await isServed(db, zone.id, 100), newest, 'Prefer: wait')
    assert.equal(await isServed(db, zone.id, 98), earlier, 'Prefer: wait, of an earlier change')
    assert.equal((await replicatedZones(db, zoneIds)).has(zone.id), newest, 'lists of zones')
    const [served] = await readServed(db, zoneIds)
    assert.deepEqual([served?.serial, served?.everywhere], [released, released >= 0], 'events')
    const behind = await readBehind(db, { zoneIds, nameservers })
    assert.equal(behind.length, newest ? 0 : 1, 'what is announced again')
    await sql`delete from zones_behind`.execute(db)
    await noteBehind(db, nameservers)
    assert.equal(await forgetCaughtUp(db), newest ? 0 : 1, 'zones that a nameserver does not follow')
  })

test('a nameserver that is ahead serves nothing until the zone has passed it', async () => {
  await see(105)
  await sql`delete from zones_behind`.execute(db)
  await noteBehind(db, nameservers)
  await sql`update zones set serial = 1000105`.execute(db)
  assert.equal(await isServed(db, zone.id, 100), true)
  assert.equal(await isServed(db, zone.id, 1_000_105), false)
  assert.equal(await forgetCaughtUp(db), 0)
  await sql`update zones set serial = 100`.execute(db)
})

test('the operator’s check finds a nameserver that is ahead', async () => {
  await sql`update zones set live_at = app_now() - interval '31 seconds'`.execute(db)
  const look = { db, key: testKey, catalogName: testCatalog, log, from: '127.0.0.1' }
  const behind = async () => (await inspectNameservers(look, [ns1.entry]))[0]?.behind
  ns1.serve('zone.test', 101)
  assert.deepEqual(await behind(), [{ zone: 'zone.test', expected: 100, served: 101 }])
  ns1.serve('zone.test', 100)
  assert.deepEqual(await behind(), [])
})
