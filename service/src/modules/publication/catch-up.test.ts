// A nameserver that was away has a thousand zones to catch up with: by differences.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '#testing/eventually.ts'
import { plantChanges, plantZones } from '#testing/primary/test-zones.ts'
import { openTestWorld } from '#testing/publication/test-publication.ts'
import { replicatedZones } from './store.ts'

/** This tests the method. A test with real processes shows that 10,000 zones take at most a minute (system-tests/conformance/catch-up.test.ts). */
const zoneCount = 1_000
const deadlineMs = 180_000

const world = await openTestWorld()
const { database, wake } = world
const [ns1, ns2] = await world.nameservers()
const { address } = await world.start([ns1.entry, ns2.entry])

test('a thousand stale zones catch up with one difference each, however often they changed', async () => {
  const ids = await plantZones(database, 'stale', zoneCount)
  const areReplicated = async () => (await replicatedZones(database.db, ids)).size === zoneCount
  wake.tell('catalog_changed')
  await eventually('both have all', areReplicated, deadlineMs)

  ns2.follow(address)
  ns2.mood = 'silent'
  for (let change = 0; change < 3; change++) await plantChanges(database, ids)
  for (const id of ids) wake.tell('zones_changed', id)
  await eventually('ns1 has all', () => ns1.serialOf(`stale${zoneCount - 1}.test`) === 1_003, deadlineMs)
  ns2.mood = 'well'
  const startedMs = performance.now()
  await eventually('ns2 has caught up', areReplicated, deadlineMs)
  const { full, steps } = ns2.transfers
  assert.deepEqual([full, steps], [0, zoneCount], `${Math.round(performance.now() - startedMs)} ms`)
})
