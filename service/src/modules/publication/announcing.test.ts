import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/postgres/index.ts'
import { eventually } from '#testing/eventually.ts'
import { asAnotherProcess } from '#testing/platform/test-database.ts'
import { TestSecondary } from '#testing/primary/test-secondary.ts'
import { a, type PlantedZone, plantChange, plantDeletion, plantZone } from '#testing/primary/test-zones.ts'
import { eventsOf, hold } from '#testing/publication/test-events.ts'
import { openTestWorld, testCatalog } from '#testing/publication/test-publication.ts'
import { replicatedZones } from './store.ts'

const world = await openTestWorld()
const { database, wake } = world
const [ns1, ns2] = await world.nameservers()
const { address } = await world.start([ns1.entry, ns2.entry])

const isReplicated = async (zone: PlantedZone, db = database.db) => (await replicatedZones(db, [zone.id])).has(zone.id)
/** The nameservers that were seen to serve its current serial. */
async function inSync(zone: PlantedZone): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select n.name from zones z join zone_sightings s on s.zone_id = z.id and s.serial >= z.serial
    join nameservers n on n.name = s.nameserver where z.id = ${zone.id} order by n.position`.execute(database.db)
  return rows.map(({ name }) => name)
}

/** A live zone that both nameservers have. */
async function settledZone(name: string): Promise<PlantedZone> {
  const zone = await plantZone(database, name)
  wake.tell('catalog_changed')
  await eventually(`${name} is replicated`, () => isReplicated(zone))
  return zone
}

async function change(zone: PlantedZone, host: string): Promise<number> {
  const serial = await plantChange(database, zone, { added: [a(`${host}.${zone.name}`, '192.0.2.1')] })
  wake.tell('zones_changed', zone.id)
  return serial
}

test('a new zone is announced, and is replicated once both nameservers serve it', async () => {
  ns2.mood = 'deaf'
  const zone = await plantZone(database, 'new.test')
  await hold(database, zone, 'everywhere', 1_000)
  wake.tell('catalog_changed')
  await eventually('ns1 has it', async () => (await inSync(zone)).length === 1)
  assert.deepEqual(await eventsOf(database, zone), ['held'])
  ns2.mood = 'well'
  ns2.serve('new.test', 1_000)
  await eventually('its event is released', async () => (await eventsOf(database, zone))[0] === 'released')
  assert.deepEqual(await inSync(zone), ['ns1.zonewright.test', 'ns2.zonewright.test'])
})

test('a catalog serial that the leader was not notified of is announced by its next sweep', async () => {
  const { rows } = await sql<{ serial: number }>`update catalog set serial = serial + 10 returning serial`.execute(
    database.db,
  )
  const told = `${testCatalog}. ${rows[0]?.serial}`
  await eventually('both are told', () => [ns1, ns2].every(({ notifies }) => notifies.includes(told)), 20_000)
})

test('a new zone that a nameserver fetches automatically gets no NOTIFY', async () => {
  const secondary = await TestSecondary.connect(address)
  world.onEnd(() => secondary.close())
  for (const nameserver of [ns1, ns2]) nameserver.serve('fetched.test', 1_000)
  const zone = await plantZone(database, 'fetched.test')
  wake.tell('catalog_changed')
  await eventually('it is replicated', async () => {
    await secondary.axfr('fetched.test')
    return await isReplicated(zone)
  })
  for (const { notifies } of [ns1, ns2])
    assert.ok(!notifies.some((told) => told.startsWith('fetched.test.')), `${notifies}`)
})

test('a change causes one NOTIFY per nameserver, with the new serial, and its event is released', async () => {
  const zone = await settledZone('one.test')
  const isAtOnce = async (host: string): Promise<boolean> => {
    const before = ns1.notifies.length
    const serial = await plantChange(database, zone, { added: [a(`${host}.one.test`, '192.0.2.1')] })
    await hold(database, zone, 'serial', serial)
    const startedMs = performance.now()
    wake.tell('zones_changed', zone.id)
    await eventually('it is released', async () =>
      (await eventsOf(database, zone)).every((each) => each === 'released'),
    )
    const tookMs = performance.now() - startedMs
    const told = ns1.notifies.slice(before)
    assert.deepEqual([...new Set(told)], [`one.test. ${serial}`])
    return tookMs < 500 && told.length === 1
  }
  // The sweep checks what has waited for a second, and a late response is requested again. Once is enough.
  let changes = 0
  await eventually('it is released at once', () => isAtOnce(`h${changes++}`))
})

test('changes during the announcement of a zone are announced together, as the newest serial', async () => {
  const zone = await settledZone('coalesce.test')
  const { promise: isTime, resolve: serve } = Promise.withResolvers<void>()
  for (const nameserver of [ns1, ns2]) nameserver.apply = () => isTime
  const before = ns1.notifies.length
  const first = await change(zone, 'h0')
  await eventually('the first is told', () => ns1.notifies.length > before)
  let last = first
  for (let i = 1; i <= 5; i++) last = await change(zone, `h${i}`)
  serve()
  await eventually('the last is replicated', () => isReplicated(zone))
  const told = [...new Set(ns1.notifies.slice(before))]
  assert.deepEqual([told[0], told.at(-1)], [`coalesce.test. ${first}`, `coalesce.test. ${last}`])
  // The last wake-up may not have arrived yet when the first announcement ended.
  assert.ok(told.length <= 3, `${told}`)
})

test('a NOTIFY without an answer is repeated', async () => {
  const zone = await settledZone('again.test')
  ns2.mood = 'silent'
  const serial = await change(zone, 'www')
  await eventually('ns1 has it', async () => (await inSync(zone)).length === 1)
  ns2.mood = 'well'
  await eventually('ns2 has it, too', () => isReplicated(zone))
  assert.equal(ns2.serialOf('again.test'), serial)
})

test('a lost wake-up is recovered within seconds while an event waits', async () => {
  const zone = await settledZone('lost.test')
  const serial = await plantChange(database, zone, { added: [a('www.lost.test', '192.0.2.1')] })
  await hold(database, zone, 'serial', serial)
  await eventually('it is released', async () => (await eventsOf(database, zone))[0] === 'released')
})

test('a lost release is recovered: the sweep releases what is already served', async () => {
  const zone = await settledZone('unreleased.test')
  await hold(database, zone, 'serial', 1_000)
  const before = ns1.notifies.length
  await eventually('it is released', async () => (await eventsOf(database, zone))[0] === 'released')
  assert.equal(ns1.notifies.length, before)
})

test('everything continues after a restart of PostgreSQL', async () => {
  const zone = await settledZone('restart.test')
  // The test's own session is the only one that is not ended, because a pool returns ended ones until it has noticed their end.
  const elsewhere = asAnotherProcess(database.url)
  for (let i = 0; i < 3; i++) {
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(elsewhere.db)
  }
  const serial = await plantChange(elsewhere, zone, { added: [a('www.restart.test', '192.0.2.1')] })
  await hold(elsewhere, zone, 'serial', serial)
  await eventually('it is released', async () => (await eventsOf(elsewhere, zone))[0] === 'released')
  const other = await plantZone(elsewhere, 'afterwards.test')
  await eventually('new zones, too', () => isReplicated(other, elsewhere.db))
})

test('a deleted zone is forgotten, and counts again when it is added again', async () => {
  const zone = await settledZone('deleted.test')
  await plantDeletion(database, zone)
  wake.tell('catalog_changed')
  await eventually('its sightings are gone', async () => (await seen(zone)) === 0)
  for (const nameserver of [ns1, ns2]) nameserver.serve('deleted.test', undefined)
  const again = await plantZone(database, 'deleted.test', { serial: 1_001 })
  wake.tell('catalog_changed')
  await eventually('it is replicated', () => isReplicated(again))
})

async function seen(zone: PlantedZone): Promise<number> {
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from zone_sightings where zone_id = ${zone.id}`.execute(database.db)
  return rows[0]?.n ?? 0
}
