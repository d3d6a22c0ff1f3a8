// The whole chain at scale: 10,000 zones on real processes, and a nameserver that was down while all of them changed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { askUdp, eventually, worldForTests } from '../world/index.ts'

const zoneCount = 10_000
/** From its start until it serves the last of 10,000 changed zones (design: dns, "Publication"). */
const deadlineMs = 60_000

const world = await worldForTests()
const { ns2 } = world.programs
const database = new pg.Client({ connectionString: world.databaseUrl })
// It ends with the world's PostgreSQL.
database.on('error', () => undefined)
await database.connect()

/** The number of zones that a nameserver was seen to serve with their current serials. */
async function servedBy(nameserver: string): Promise<number> {
  const { rows } = await database.query(
    `select count(*)::int as zones from zone_sightings s join zones z on z.id = s.zone_id
     where z.name like 'stale%' and s.serial >= z.serial and s.nameserver = $1`,
    [nameserver],
  )
  return rows[0].zones
}

const names = world.facts.nameservers.map(({ name }) => name)
const [name1 = '', name2 = ''] = names
const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const startedMs = performance.now()
  await work()
  return Math.round(performance.now() - startedMs)
}

test('10,000 new zones reach both nameservers', async (t) => {
  // Written as the modules zones and records leave them, because the operator's command, one by one, would take minutes.
  await database.query(`
    with account as (select id from accounts limit 1), made as (
      insert into zones (name, account_id, state, origin, serial, rrset_count, catalog_label, live_at)
      select 'stale' || i || '.test', account.id, 'live', 'added', 1000, 10, md5('stale' || i), now()
      from account, generate_series(1, ${zoneCount}) i returning id, name, catalog_label
    ), records as (
      insert into zone_rrsets (zone_id, name, type, ttl, records)
      select id, 'h' || host || '.' || name, 'A', 300, array['192.0.2.' || host] from made, generate_series(1, 10) host
    )
    insert into zone_moves (zone_id, zone_name, catalog_label, live) select id, name, catalog_label, true from made`)
  const tookMs = await timed(async () => {
    await database.query("select pg_notify('catalog_changed', '')")
    const areThere = async () => (await Promise.all(names.map(servedBy))).every((zones) => zones === zoneCount)
    await eventually('both serve all', areThere, 180_000)
  })
  t.diagnostic(`both served all after ${tookMs} ms`)
})

test('a nameserver that was down while all of them changed catches up within a minute', async (t) => {
  await ns2.stop()
  const changedMs = await timed(async () => {
    await database.query(`
      with changed as (
        update zones set serial = serial + 1, rrset_count = rrset_count + 1 where name like 'stale%' returning *
      ), records as (
        insert into zone_rrsets (zone_id, name, type, ttl, records)
        select id, 'new.' || name, 'A', 300, array['192.0.2.99'] from changed
      )
      insert into zone_journal (zone_id, from_serial, to_serial, removed, added)
      select id, serial - 1, serial, '[]', json_build_array(json_build_object(
        'name', 'new.' || name, 'type', 'A', 'ttl', 300, 'records', json_build_array('192.0.2.99'))) from changed`)
    await database.query("select pg_notify('zones_changed', '')")
    await eventually('ns1 serves all', async () => (await servedBy(name1)) === zoneCount, deadlineMs)
  })
  t.diagnostic(`the other one served all changes after ${changedMs} ms`)
  assert.equal(await servedBy(name2), 0)
  const tookMs = await timed(async () => {
    await ns2.start()
    await eventually('ns2 serves all', async () => (await servedBy(name2)) === zoneCount, deadlineMs)
  })
  t.diagnostic(`caught up after ${tookMs} ms, its start among them`)
  await everyZoneIsRight(world.facts.nameservers[1]?.address ?? '')
})

/** Queries the nameserver itself, because sightings are what the primary reports. */
async function everyZoneIsRight(address: string): Promise<void> {
  const step = 50
  for (let zone = 1; zone <= zoneCount; zone += step) {
    const asked = Array.from({ length: step }, (_, i) => askUdp(address, `new.stale${zone + i}.test`, 'A'))
    for (const answer of await Promise.all(asked)) {
      assert.deepEqual(answer, { rcode: 'NOERROR', aa: true, answers: ['192.0.2.99'] })
    }
  }
}
