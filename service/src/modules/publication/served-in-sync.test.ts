// Whether a change that someone waits for has arrived, where it can arrive.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/postgres/index.ts'
import { cloneDatabase } from '#testing/platform/test-database.ts'
import { plantZone } from '#testing/primary/test-zones.ts'
import { areServedInSync } from './store.ts'

const database = await cloneDatabase()
const { db } = database
await sql`insert into nameservers (name, address, position) values ('ns1', '127.0.0.1:1', 0), ('ns2', '127.0.0.1:2', 1)`.execute(
  db,
)
const zone = await plantZone(database, 'one.test', { serial: 1_005 })
const other = await plantZone(database, 'two.test', { serial: 1_005 })
const see = async (nameserver: string, serial: number, zoneId = zone.id): Promise<void> => {
  await sql`
    insert into zone_sightings (zone_id, nameserver, serial) values (${zoneId}, ${nameserver}, ${serial})
    on conflict (zone_id, nameserver) do update set serial = excluded.serial`.execute(db)
}
const served = async (serial: number): Promise<boolean[]> =>
  areServedInSync(db, [
    { zoneId: zone.id, serial },
    { zoneId: other.id, serial },
  ])

test('a change has arrived once every nameserver serves it, for each zone separately', async () => {
  assert.deepEqual(await served(1_003), [false, false])
  await see('ns1', 1_003)
  assert.deepEqual(await served(1_003), [false, false])
  await see('ns2', 1_004)
  assert.deepEqual(await served(1_003), [true, false])
  assert.deepEqual(await served(1_004), [false, false])
})

test('a nameserver that is out of sync is not waited for; if all of them are, nothing waits', async () => {
  await sql`update nameservers set lagging_since = app_now() where name = 'ns1'`.execute(db)
  assert.deepEqual(await served(1_004), [true, false])
  await sql`update nameservers set lagging_since = app_now()`.execute(db)
  assert.deepEqual(await served(1_005), [true, true])
})

test('nothing waits for a zone that was deleted', async () => {
  await sql`update nameservers set lagging_since = null`.execute(db)
  await sql`update zones set state = 'deleted', deleted_at = app_now() where id = ${other.id}`.execute(db)
  assert.deepEqual(await served(1_005), [false, true])
})
