import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/postgres/index.ts'
import { eventually } from '#testing/eventually.ts'
import { a, plantChange, plantZone } from '#testing/primary/test-zones.ts'
import { eventsOf, hold } from '#testing/publication/test-events.ts'
import { openTestWorld } from '#testing/publication/test-publication.ts'
import { replicatedZones } from './store.ts'

const world = await openTestWorld()
const { database, wake } = world
const [ns1, ns2] = await world.nameservers()
await world.start([ns1.entry, ns2.entry])

const lagging = async (): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`select name from nameservers where lagging_since is not null`.execute(
    database.db,
  )
  return rows.map(({ name }) => name)
}

test('a nameserver that has been away for 5 minutes is not waited for until it has caught up', async () => {
  const zones = await Promise.all(Array.from({ length: 20 }, (_, i) => plantZone(database, `away${i}.test`)))
  const ids = zones.map(({ id }) => id)
  const replicated = async () => (await replicatedZones(database.db, ids)).size
  wake.tell('catalog_changed')
  await eventually('all are replicated', async () => (await replicated()) === 20)

  ns2.mood = 'silent'
  const [zone] = zones
  assert.ok(zone)
  for (const one of zones) await plantChange(database, one, { added: [a(`www.${one.name}`, '192.0.2.1')] })
  for (const id of ids) wake.tell('zones_changed', id)
  await eventually('ns2 is out of sync', async () => (await lagging()).includes(ns2.name))
  await hold(database, zone, 'serial', 1_001)
  await eventually('ns1 has it', () => ns1.serialOf(zone.name) === 1_001)
  assert.deepEqual(await eventsOf(database, zone), ['held'], 'so far it is waited for')
  await sql`update nameservers set lagging_since = app_now() - interval '301 s' where name = ${ns2.name}`.execute(
    database.db,
  )
  await eventually('its event goes out', async () => (await eventsOf(database, zone))[0] === 'not replicated')

  ns2.mood = 'well'
  await eventually('it has caught up', async () => (await replicated()) === 20)
  await eventually('it is in sync', async () => (await lagging()).length === 0)
  const serial = await plantChange(database, zone, { added: [a(`ftp.${zone.name}`, '192.0.2.1')] })
  await hold(database, zone, 'serial', serial)
  wake.tell('zones_changed', zone.id)
  await eventually('it is waited for again', async () => (await eventsOf(database, zone))[1] === 'released')
})

test('if every nameserver has been out of sync for long, events do not wait at all', async () => {
  const zone = await plantZone(database, 'nobody.test')
  wake.tell('catalog_changed')
  await eventually('it is replicated', async () => (await replicatedZones(database.db, [zone.id])).size === 1)
  for (const nameserver of [ns1, ns2]) nameserver.mood = 'silent'
  await plantChange(database, zone, { added: [a('www.nobody.test', '192.0.2.1')] })
  wake.tell('zones_changed', zone.id)
  await eventually('both are out of sync', async () => (await lagging()).length === 2)
  await sql`update nameservers set lagging_since = app_now() - interval '301 s'`.execute(database.db)
  const goOut = async (host: string): Promise<number> => {
    const serial = await plantChange(database, zone, { added: [a(`${host}.nobody.test`, '192.0.2.1')] })
    await hold(database, zone, 'serial', serial)
    wake.tell('zones_changed', zone.id)
    const startedMs = performance.now()
    await eventually('it goes out', async () =>
      (await eventsOf(database, zone)).every((each) => each === 'not replicated'),
    )
    return performance.now() - startedMs
  }
  // The sweep checks what has waited for a second. One success is enough to show that the sweep is not the cause.
  let changes = 0
  await eventually('it goes out at once', async () => (await goOut(`h${changes++}`)) < 900)
})
