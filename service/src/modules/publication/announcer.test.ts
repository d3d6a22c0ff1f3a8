// The leader of a large installation announces all zones and continues to report its lead in time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { parseName } from '@zonewright/dns'
import { delegateTo } from '#modules/records/index.ts'
import { absolute } from '#modules/zones/index.ts'
import { createMetrics } from '#platform/figures/metrics.ts'
import { createLogger } from '#platform/log.ts'
import { sql } from '#platform/postgres/index.ts'
import { eventually } from '#testing/eventually.ts'
import { testKey } from '#testing/primary/test-secondary.ts'
import { plantZone, plantZones } from '#testing/primary/test-zones.ts'
import { openTestWorld, testCatalog } from '#testing/publication/test-publication.ts'
import { Announcer } from './announcer.ts'
import { createFigures } from './figures.ts'

/** Creates an announcer of this many zones to a nameserver that responds, but applies no change. */
async function announcerOf(zoneCount: number) {
  const { database, nameservers, start, onEnd } = await openTestWorld()
  const [ns1, ns2] = await nameservers()
  const { stop } = await start([ns1.entry, ns2.entry])
  await stop()
  ns1.mood = 'deaf'
  await plantZones(database, 'many', zoneCount)
  const announcer = new Announcer({
    database,
    log: createLogger('test', 'silent'),
    figures: createFigures(createMetrics()),
    configured: [{ name: ns1.name, endpoint: ns1.endpoint }],
    retired: [],
    key: testKey,
    host: '127.0.0.1',
    catalog: parseName(`${testCatalog}.`),
    delegate: delegateTo([]),
    isLeading: () => true,
  })
  onEnd(() => announcer.stop())
  const [line] = announcer.lines
  assert.ok(line)
  return { database, announcer, line }
}

test('while all zones are announced, other work of the process gets a turn after each thousand of them', async () => {
  const { announcer, line } = await announcerOf(3_000)
  let isDone = false
  const compared = announcer.compare().then(() => {
    isDone = true
  })
  const seen = new Set<number>()
  while (!isDone) {
    seen.add(Math.floor(line.zoneCount / 500))
    await nextTurn()
  }
  await compared
  // None, those of one turn, those of two turns: the number never jumps from none to all.
  assert.ok(seen.size >= 3, [...seen].join())
})

test('a zone that is deleted while all zones are announced is no longer announced', async () => {
  const { database, announcer, line } = await announcerOf(3_000)
  const { rows } = await sql<{ name: string }>`select name from zones where state = 'live'`.execute(database.db)
  const names = rows.map(({ name }) => name)
  const announced = (): string[] => names.filter((name) => line.isAnnouncing(absolute(name)))
  const compared = announcer.compare()
  while (line.zoneCount === 0) await nextTurn()
  announcer.forget(names)
  const before = announced()
  assert.ok(before.length < names.length)
  await compared
  const isNew = (name: string) => !before.includes(name)
  assert.deepEqual(announced().filter(isNew), [])
})

test('a nameserver that becomes doubtful while it is compared is compared again, and so is one that could not be', async () => {
  const { database, announcer, line } = await announcerOf(1_100)
  const compared = announcer.compare()
  while (line.zoneCount === 0) await nextTurn()
  announcer.doubtAll()
  await compared
  const late = await plantZone(database, 'late.example.com')
  await sql`alter table zone_sightings rename to sightings_away`.execute(database.db)
  // A nameserver that seems away is not compared, and on a busy machine this process can miss responses.
  await eventually('the nameserver is there', () => !line.isAway)
  await assert.rejects(announcer.compare())
  await sql`alter table sightings_away rename to zone_sightings`.execute(database.db)
  await eventually('the late zone is announced', async () => {
    await announcer.compare()
    return line.isAnnouncing(absolute(late.name))
  })
})

test('a zone that is deleted while its change is read is not announced', async () => {
  const { database, announcer, line } = await announcerOf(0)
  const gone = await plantZone(database, 'gone.example.com')
  const next = await plantZone(database, 'next.example.com')
  announcer.changed([gone.id])
  announcer.forget([gone.name])
  // Read after the first one.
  announcer.changed([next.id])
  await eventually('the next zone is announced', () => line.isAnnouncing(absolute(next.name)))
  assert.equal(line.isAnnouncing(absolute(gone.name)), false)
})
