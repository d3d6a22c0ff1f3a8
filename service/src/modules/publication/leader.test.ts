import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCatalogSerial } from '#modules/primary/catalog-store.ts'
import { createLogger } from '#platform/log.ts'
import { advisoryLocks, sql } from '#platform/postgres/index.ts'
import { eventually } from '#testing/eventually.ts'
import { cloneDatabase } from '#testing/platform/test-database.ts'
import { testKey } from '#testing/primary/test-secondary.ts'
import { a, plantChange, plantZone } from '#testing/primary/test-zones.ts'
import { openTestWorld, testCatalog } from '#testing/publication/test-publication.ts'
import { inspectPrimary } from './inspect.ts'

const world = await openTestWorld()
const { database, wake } = world
const [ns1, ns2] = await world.nameservers()
const primary = await world.start([ns1.entry, ns2.entry])

test('a primary that no longer leads reports no lag, no announcements and no zones to move', async () => {
  const shown = async (): Promise<string[]> => {
    const names = ['zonewright_nameserver_lag_seconds', 'zonewright_zones_announcing', 'zonewright_zones_to_move']
    const texts = await Promise.all(names.map((name) => primary.metrics.getSingleMetricAsString(name)))
    return texts.flatMap((text) => text.split('\n').filter((line) => line !== '' && !line.startsWith('#')))
  }
  const zone = await plantZone(database, 'lag.test')
  wake.tell('catalog_changed')
  await eventually('it is served', () => ns2.serialOf(zone.name) !== undefined)
  ns2.mood = 'silent'
  await plantChange(database, zone, { added: [a('www.lag.test', '192.0.2.1')] })
  wake.tell('zones_changed', zone.id)
  await eventually('the lag shows', async () =>
    (await shown()).some((line) => line.includes(`lag_seconds{nameserver="${ns2.name}"}`) && !line.endsWith(' 0')),
  )
  await primary.stop()
  assert.deepEqual(await shown(), ['zonewright_zones_to_move 0'])
})

test('the doctor detects a primary that leads here, not one that leads in another database of the same PostgreSQL', async () => {
  const beside = await cloneDatabase()
  const { address } = await world.start()
  const look = { key: testKey, catalogName: testCatalog, log: createLogger('test', 'silent') }
  const isLed = async (db: typeof database.db) => (await inspectPrimary({ ...look, db }, address)).isLed
  await eventually('it leads', () => isLed(database.db))
  assert.equal(await isLed(beside.db), false)
})

test('however often a process leads, it makes no more checks each second', async (t) => {
  const pollFor = t.mock.method(database, 'pollFor')
  await world.start()
  const asked = pollFor.mock.callCount()
  assert.ok(asked > 0)
  const leader = async () => {
    const { rows } = await sql<{ pid: number }>`
      select pid from pg_locks join pg_database d on d.oid = database
      where datname = current_database() and objid = ${advisoryLocks.publicationLeader} and granted`.execute(
      database.db,
    )
    return rows[0]?.pid
  }
  for (let round = 0; round < 3; round++) {
    const former = await eventually('one leads', leader)
    await sql`select pg_terminate_backend(${former})`.execute(database.db)
    await eventually('one leads again', async () => ![undefined, former].includes(await leader()))
    const serial = await readCatalogSerial(database.db)
    await plantZone(database, `led-${round}.test`)
    wake.tell('catalog_changed')
    await eventually('it has begun to lead', async () => (await readCatalogSerial(database.db)) !== serial)
  }
  assert.equal(pollFor.mock.callCount(), asked)
})
