import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actorNamed } from '#platform/caller.ts'
import { sql } from '#platform/postgres/index.ts'
import { eventually } from '#testing/eventually.ts'
import { plantZone, plantZones } from '#testing/primary/test-zones.ts'
import { openTestWorld } from '#testing/publication/test-publication.ts'
import { restoreSerials } from './move-serials.ts'
import { isServed } from './store.ts'

const world = await openTestWorld()
const { database } = world
const { db } = database
const [ns1, ns2] = await world.nameservers()
const both = [ns1, ns2]

/** Runs the installation on a different timeline from that of its serials, as after a failover or a restore from the archive. */
async function failOver(): Promise<void> {
  await sql`update serial_fence set timeline = '00000000'`.execute(db)
}

async function clock(): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`select seconds from serial_clock`.execute(db)
  return rows[0]?.seconds ?? 0
}

const serialOf = async (name: string): Promise<number> =>
  (await sql<{ serial: number }>`select serial from zones where name = ${name}`.execute(db)).rows[0]?.serial ?? 0
const isCompared = async (): Promise<boolean> =>
  (await sql`select from serial_fence where is_compared and timeline <> '00000000'`.execute(db)).rows.length > 0

test('after a failover, only zones that lost changes are moved ahead of what the nameservers serve', async () => {
  const now = await clock()
  const lost = await plantZone(database, 'lost.test', { serial: now - 20 })
  await plantZone(database, 'lost-at-one.test', { serial: now - 20 })
  await plantZone(database, 'kept.test', { serial: now - 20 })
  await plantZone(database, 'behind.test', { serial: now - 20 })
  await plantZone(database, 'missing.test', { serial: now - 20 })
  await plantZone(database, 'false.test', { serial: now - 20 })
  await plantZones(database, 'many', 520)
  for (const nameserver of both) {
    nameserver.serve('lost.test', now - 3)
    nameserver.serve('kept.test', now - 20)
    nameserver.serve('behind.test', now - 30)
    // Further ahead than any change can be: a fault of the nameserver.
    nameserver.serve('false.test', now + 2_000_000_000)
  }
  ns1.serve('lost-at-one.test', now - 20)
  ns2.serve('lost-at-one.test', now - 19)
  // The zone is queried with the recent ones, and again with all.
  ns2.losses.set('lost-at-one.test', 2)
  await failOver()
  await assert.rejects(clock(), { code: 'ZW001' })

  const primary = await world.start([ns1.entry, ns2.entry])
  await eventually('all zones are compared', isCompared)
  assert.ok((await clock()) >= now + 1_000_000)
  for (const name of ['lost.test', 'lost-at-one.test']) assert.ok((await serialOf(name)) >= now + 1_000_000, name)
  for (const name of ['kept.test', 'behind.test', 'missing.test', 'false.test'])
    assert.equal(await serialOf(name), now - 20, name)
  const { rows } = await sql<{ summary: string; actor: string }>`
    select summary, actor_kind || ' ' || actor_name as actor from audit_log where action = 'zone.serials_restored'`.execute(
    db,
  )
  assert.deepEqual(
    rows.map(({ summary, actor }) => `${actor}: ${summary}`),
    Array(2).fill('system publication: The serials of 1 zone were moved ahead because the database lost changes'),
  )
  await eventually('the nameservers have fetched it anew', async () => {
    const serial = await serialOf('lost.test')
    const served = both.map((nameserver) => nameserver.serialOf('lost.test'))
    return served.every((each) => each === serial) && (await isServed(db, lost.id, serial))
  })
  await primary.stop()
})

test('a leader that takes over starts the comparison again, with the same clock', async () => {
  const before = await clock()
  const now = await clock()
  await plantZone(database, 'late.test', { serial: now - 20 })
  ns1.serve('late.test', now - 1)
  await sql`update serial_fence set is_compared = false`.execute(db)
  const primary = await world.start([ns1.entry, ns2.entry])
  await eventually('all zones are compared', isCompared)
  await primary.stop()
  assert.ok((await serialOf('late.test')) >= now)
  assert.ok((await clock()) < before + 1_000, 'the clock stays')
})

test('a timeline with the same number in another cluster is a new timeline', async () => {
  const before = await clock()
  await sql`update serial_fence set system_identifier = 1`.execute(db)
  const primary = await world.start([ns1.entry, ns2.entry])
  await eventually('the clock is ahead', async () => (await clock()) >= before + 1_000_000)
  await primary.stop()
})

test('the operator’s command adopts a new timeline, because it runs while every primary is stopped', async () => {
  const before = await clock()
  await failOver()
  const { catalogSerial } = await database.transact((tx) => restoreSerials(tx, actorNamed('operator', 'ada')))
  assert.ok((await clock()) >= before + 1_000_000)
  assert.ok(catalogSerial >= before + 1_000_000)
})
