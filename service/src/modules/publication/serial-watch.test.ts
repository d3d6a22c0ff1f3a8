import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseName } from '@zonewright/dns'
import { actorNamed } from '#platform/caller.ts'
import { createMetrics } from '#platform/figures/metrics.ts'
import { createLogger } from '#platform/log.ts'
import { sql } from '#platform/postgres/index.ts'
import { eventually } from '#testing/eventually.ts'
import { installTestClock } from '#testing/platform/test-clock.ts'
import { testKey } from '#testing/primary/test-secondary.ts'
import { a, type PlantedZone, plantChange, plantZone, plantZones } from '#testing/primary/test-zones.ts'
import { openTestWorld, testCatalog } from '#testing/publication/test-publication.ts'
import { forgetCaughtUp, noteBehind, pageOfWatched, readStalled, writeRegresses } from './behind-store.ts'
import { createFigures } from './figures.ts'
import { inspectNameservers } from './inspect.ts'
import { restoreSerials } from './move-serials.ts'
import { NameserverLine } from './nameserver-line.ts'
import { NameserverTalk } from './nameserver-talk.ts'
import { SerialWatch } from './serial-watch.ts'
import { settleNameservers } from './settle-nameservers.ts'
import { UdpRequester } from './udp-requester.ts'

const world = await openTestWorld()
const { database, wake } = world
const { db } = database
const clock = await installTestClock(db)
const [ns1, ns2] = await world.nameservers()
const log = createLogger('test', 'silent')
const names = [ns1.name, ns2.name]

const stalledZones = async (): Promise<string[]> =>
  (await readStalled(db, 10)).flatMap(({ nameserver, zones }) => zones.map(({ zone }) => `${nameserver} ${zone}`))
const seen = (zone: PlantedZone, nameserver: string, serial: number) =>
  sql`insert into zone_sightings (zone_id, nameserver, serial) values (${zone.id}, ${nameserver}, ${serial})
    on conflict (zone_id, nameserver) do update set serial = excluded.serial`.execute(db)
const seenSerials = async ({ id }: PlantedZone): Promise<Record<string, number>> =>
  (await pageOfWatched(db, undefined, 100)).find((zone) => zone.id === id)?.seen ?? {}

test('a nameserver that misses a serial for two minutes has stopped following; one that is always behind has not', async () => {
  await settleNameservers({ database, log }, [ns1.entry, ns2.entry])
  const zone = await plantZone(database, 'rules.test', { serial: 10 })
  const look = async () => {
    await forgetCaughtUp(db)
    await noteBehind(db, names)
    return stalledZones()
  }
  await seen(zone, ns1.name, 10)
  assert.deepEqual(await look(), [])
  await clock.pass('119 s')
  assert.deepEqual(await look(), [])
  await clock.pass('2 s')
  assert.deepEqual(await look(), [`${ns2.name} rules.test`])

  // It serves the awaited serial, while the zone already has a newer one.
  await plantChange(database, zone, { added: [a('one.rules.test', '192.0.2.1')] })
  await seen(zone, ns2.name, 10)
  assert.deepEqual(await look(), [])
  for (let change = 11; change < 16; change++) {
    await clock.pass('100 s')
    await seen(zone, ns1.name, change)
    await seen(zone, ns2.name, change)
    await plantChange(database, zone, { added: [a(`n${change}.rules.test`, '192.0.2.1')] })
    assert.deepEqual(await look(), [], 'always one serial behind')
  }
  await clock.pass('121 s')
  assert.deepEqual(await look(), [`${ns1.name} rules.test`, `${ns2.name} rules.test`])
  await sql`update zones set state = 'deleted', deleted_at = app_now() where id = ${zone.id}`.execute(db)
  assert.deepEqual(await look(), [], 'a deleted zone is followed by nobody')
  assert.equal(await forgetCaughtUp(db), 0)
})

test('a nameserver that the zone does not name yet, or that is not queried, is not recorded', async () => {
  const zone = await plantZone(database, 'named.test')
  await sql`insert into former_nameservers (zone_id, names) values (${zone.id}, ${[ns1.name]})`.execute(db)
  await noteBehind(db, names)
  await clock.pass('3 minutes')
  assert.deepEqual(await stalledZones(), [`${ns1.name} named.test`])
  await sql`delete from former_nameservers`.execute(db)
  await sql`delete from zones_behind`.execute(db)
  await noteBehind(db, [ns2.name])
  await clock.pass('3 minutes')
  assert.deepEqual(await stalledZones(), [`${ns2.name} named.test`])
  await sql`update zones set state = 'deleted', deleted_at = app_now()`.execute(db)
  await forgetCaughtUp(db)
})

test('a sighting is corrected unless it has changed in the meantime', async () => {
  const zone = await plantZone(database, 'regress.test', { serial: 20 })
  await seen(zone, ns1.name, 20)
  await seen(zone, ns2.name, 20)
  const regress = (nameserver: string, was: number, is: number | null) => ({ zoneId: zone.id, nameserver, was, is })
  await writeRegresses(db, [regress(ns1.name, 19, 18), regress(ns2.name, 19, null)])
  assert.deepEqual(await seenSerials(zone), { [ns1.name]: 20, [ns2.name]: 20 })
  await writeRegresses(db, [regress(ns1.name, 20, 18), regress(ns2.name, 20, null)])
  assert.deepEqual(await seenSerials(zone), { [ns1.name]: 18 })
  await sql`update zones set state = 'deleted', deleted_at = app_now()`.execute(db)
})

/** What a primary reports about a nameserver. */
const shown = async (primary: Awaited<ReturnType<typeof world.start>>, nameserver: string): Promise<number> => {
  const text = await primary.metrics.getSingleMetricAsString('zonewright_zones_not_followed')
  return Number(new RegExp(`nameserver="${nameserver}"} (\\d+)`).exec(text)?.[1] ?? Number.NaN)
}

test('a nameserver that refuses one zone raises the alarm, which ends when it follows the zone', async () => {
  ns2.refused.add('refused.test')
  const fine = await plantZone(database, 'fine.test')
  const refused = await plantZone(database, 'refused.test')
  const primary = await world.start([ns1.entry, ns2.entry], { watchAfterMs: 0 })
  wake.tell('catalog_changed')
  await eventually(
    'the others serve them',
    () => ns1.serialOf('refused.test') === 1_000 && ns2.serialOf(fine.name) === 1_000,
  )
  await eventually('it is noted', async () => {
    const { rows } =
      await sql`select 1 from zones_behind where zone_id = ${refused.id} and nameserver = ${ns2.name}`.execute(db)
    return rows.length > 0
  })
  await eventually('it is shown', async () => !Number.isNaN(await shown(primary, ns2.name)))
  assert.equal(await shown(primary, ns2.name), 0, 'some seconds are no alarm')
  await clock.pass('3 minutes')
  await eventually('the alarm is on', async () => (await shown(primary, ns2.name)) === 1)
  assert.equal(await shown(primary, ns1.name), 0)

  const look = { db, key: testKey, catalogName: testCatalog, log, from: '127.0.0.1' }
  const [of1, of2] = await inspectNameservers(look, [ns1.entry, ns2.entry])
  assert.deepEqual(of1?.stalled, { zoneCount: 0, zones: [] })
  assert.deepEqual([of2?.stalled.zoneCount, of2?.stalled.zones.map(({ zone }) => zone)], [1, ['refused.test']])
  ns2.serve('refused.test', 1_000)
  const [, again] = await inspectNameservers(look, [ns1.entry, ns2.entry])
  assert.deepEqual(again?.stalled, { zoneCount: 0, zones: [] }, 'the doctor asks the nameserver itself')

  ns2.refused.clear()
  await eventually('the alarm is off', async () => (await shown(primary, ns2.name)) === 0)
  const { rows } = await sql`select 1 from zones_behind`.execute(db)
  assert.equal(rows.length, 0)
  await primary.stop()
  assert.ok(Number.isNaN(await shown(primary, ns2.name)), 'who no longer leads shows nothing')
})

test('a nameserver that lost a zone without a change is notified of it again', async () => {
  const [zone] = (await sql<PlantedZone>`select id, name from zones where name = 'fine.test'`.execute(db)).rows
  assert.ok(zone)
  for (const lost of [undefined, 999, 1]) {
    ns1.serve(zone.name, lost)
    ns1.notifies.length = 0
    const primary = await world.start([ns1.entry, ns2.entry], { watchAfterMs: 0 })
    await eventually('it serves the zone again', () => ns1.serialOf(zone.name) === 1_000)
    assert.ok(ns1.notifies.includes('fine.test. 1000'))
    await eventually('that was seen', async () => (await seenSerials(zone))[ns1.name] === 1_000)
    await primary.stop()
  }
})

test('a false serial from a nameserver moves no serial of the database, and is replaced by the true one', async () => {
  // As in an installation: serials follow the clock.
  const { rows: clocks } = await sql<{ seconds: number }>`select seconds from serial_clock`.execute(db)
  const own = clocks[0]?.seconds ?? 0
  const zone = await plantZone(database, 'false.test', { serial: own })
  for (const ns of [ns1, ns2]) ns.serve(zone.name, own)
  const serials = async () => {
    const { rows } = await sql<{ zones: number[]; catalog: number; now: number }>`
      select (select array_agg(serial::float8 order by id) from zones where state = 'live') as zones,
        (select serial from catalog)::float8 as catalog, extract(epoch from app_now())::float8 as now`.execute(db)
    assert.ok(rows[0])
    return rows[0]
  }
  const primary = await world.start([ns1.entry, ns2.entry], { watchAfterMs: 0 })
  wake.tell('catalog_changed')
  await eventually('it is seen', async () => (await seenSerials(zone))[ns1.name] === own)
  // The catalog moves once, for the new zone.
  await eventually('it is in the catalog', async () => (await serials()).catalog >= own)
  const before = await serials()
  await primary.stop()
  // The farthest that still counts as ahead (RFC 1982), and one in between.
  for (const told of [own + 2 ** 31 - 1, own + 2 ** 30]) {
    ns1.serve(zone.name, told)
    const watching = await world.start([ns1.entry, ns2.entry], { watchAfterMs: 0 })
    await eventually('it is seen', async () => (await seenSerials(zone))[ns1.name] === told)
    const { zones, catalog } = await serials()
    assert.deepEqual([zones, catalog], [before.zones, before.catalog])
    ns1.serve(zone.name, own)
    await watching.stop()
    const later = await world.start([ns1.entry, ns2.entry], { watchAfterMs: 0 })
    await eventually('the true one is seen', async () => (await seenSerials(zone))[ns1.name] === own)
    await later.stop()
  }
  // Nor does the operator's command move one: it uses the serials and the clock of the database.
  ns1.serve(zone.name, own + 2 ** 31 - 1)
  await seen(zone, ns1.name, own + 2 ** 31 - 1)
  await database.transact((tx) => restoreSerials(tx, actorNamed('operator', 'ada')))
  const { zones, catalog, now } = await serials()
  for (const serial of [...zones, catalog]) assert.ok(serial < now + 2_000_000, `${serial}`)
  await sql`update zones set state = 'deleted', deleted_at = app_now() where name = 'false.test'`.execute(db)
  await sql`update zones set serial = 1000 where name = 'fine.test'`.execute(db)
})

test('a nameserver that does not answer at all is away, and has not lost its zones', async () => {
  const [zone] = (await sql<PlantedZone>`select id, name from zones where name = 'fine.test'`.execute(db)).rows
  assert.ok(zone)
  ns1.mood = 'silent'
  const primary = await world.start([ns1.entry, ns2.entry], { watchAfterMs: 0 })
  await eventually('the other one was looked at', async () => (await shown(primary, ns2.name)) === 0)
  assert.equal((await seenSerials(zone))[ns1.name], 1_000)
  await primary.stop()
  ns1.mood = 'well'
})

test('a pass over many zones queries each nameserver for fifty a second', async (t) => {
  await plantZones(database, 'many', 130)
  for (const ns of [ns1, ns2]) for (let i = 0; i < 130; i++) ns.serve(`many${i}.test`, 1_000)
  const requester = new UdpRequester(log)
  const events = { seen: () => {}, notified: () => {}, presence: () => {} }
  const awaited = [ns1, ns2].map(
    ({ name, endpoint }) =>
      new NameserverLine(name, new NameserverTalk(requester, endpoint, testKey), parseName(`${testCatalog}.`), events),
  )
  const sighted = new Set<string>()
  const watch = new SerialWatch({
    isToBeCompared: false,
    database,
    log,
    figures: createFigures(createMetrics()),
    isLeading: () => true,
    firstAfterMs: 0,
    announcer: {
      awaited,
      sightings: { note: ({ zoneId, nameserver }) => sighted.add(`${zoneId} ${nameserver}`) },
      lookAfter: async () => undefined,
    },
  })
  const before = [ns1.asked, ns2.asked]
  const asked = () => [ns1, ns2].map((ns, i) => ns.asked - (before[i] ?? 0))
  const startedMs = performance.now()
  t.after(async () => {
    await watch.stop()
    for (const line of awaited) line.stop()
    requester.close()
  })
  watch.start()
  await eventually('all were asked for', () => Math.min(...asked()) >= 132)
  const tookMs = performance.now() - startedMs
  await eventually('those that were not seen before were noted', () => sighted.size >= 260)
  await watch.stop()
  assert.ok(tookMs > 1_000, `three pages in ${tookMs} ms`)
  assert.deepEqual(asked(), [132, 132], 'each zone once')
  assert.equal(sighted.size, 260, 'those that were not seen before')
})
