import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actorNamed } from '#platform/caller.ts'
import { sql } from '#platform/postgres/index.ts'
import { eventually } from '#testing/eventually.ts'
import { asAnotherProcess } from '#testing/platform/test-database.ts'
import { TestSecondary } from '#testing/primary/test-secondary.ts'
import { a, plantChange, plantZone, plantZones } from '#testing/primary/test-zones.ts'
import { openTestWorld, testCatalog } from '#testing/publication/test-publication.ts'
import { untilBlocked } from '#testing/until-blocked.ts'
import { restoreSerials } from './move-serials.ts'

const world = await openTestWorld()
const { database, wake } = world
const elsewhere = asAnotherProcess(database.url)
const secondary = await TestSecondary.connectForLong((await world.start()).address)
world.onEnd(() => secondary.close())

test('after a restore, every zone and the catalog are ahead of all that nameservers may have, and are sent whole', async () => {
  const rrsets = Array.from({ length: 20 }, (_, i) => a(`h${i}.restored.test`, '192.0.2.1'))
  const zone = await plantZone(database, 'restored.test', { rrsets })
  await plantChange(database, zone, { added: [a('kept.restored.test', '192.0.2.2')] })
  await plantZones(database, 'many', 20)
  wake.tell('catalog_changed')
  const before = await eventually('it is a member', async () => {
    const outcome = await secondary.axfr(testCatalog)
    return outcome.kind === 'full' && outcome.rrsets.length > 20 ? outcome.serial : undefined
  })
  // A serial that the nameservers fetched and the backup does not have.
  const lost = 1_003
  assert.equal((await secondary.ixfr('restored.test', lost)).kind, 'unchanged', 'they would take nothing')

  const now = Math.floor(Date.now() / 1_000)
  const moved = await database.transact((tx) => restoreSerials(tx, actorNamed('operator', 'ada')))
  assert.equal(moved.zones, 21)
  for (const [name, have] of [
    ['restored.test', lost],
    ['many7.test', now + 900_000],
    [testCatalog, before + 900_000],
  ] as const) {
    const outcome = await secondary.ixfr(name, have)
    assert.ok(outcome.kind === 'full', name)
    assert.ok(outcome.serial > now + 990_000, `${name} ${outcome.serial}`)
  }

  const serial = await plantChange(database, zone, { added: [a('next.restored.test', '192.0.2.3')] })
  assert.equal((await secondary.ixfr('restored.test', serial - 1)).kind, 'steps', 'and from there on by differences')
  assert.equal((await secondary.ixfr('restored.test', lost)).kind, 'full')
})

test('moved serials are in the audit log of each account, and leave versions and pending zones unchanged', async () => {
  const { rows } = await sql<{ entries: number; versions: number }>`
    select (select count(*) from audit_log where action = 'zone.serials_restored' and actor_name = 'ada')::int as entries,
      (select sum(version) from zones)::int as versions`.execute(database.db)
  assert.deepEqual(rows, [{ entries: 2, versions: 0 }])
})

test('a zone created while serials are moved ahead takes the catalog’s next serial after them', async () => {
  const moved = await elsewhere.transact(async (tx) => {
    const done = await restoreSerials(tx, actorNamed('operator', 'ada'))
    await plantZone(database, 'coming.test')
    wake.tell('catalog_changed')
    await untilBlocked(database.db)
    return done
  })
  const serial = await eventually('it is a member', async () => {
    const { rows } = await sql<{ serial: number }>`
      select serial from catalog where exists (select from catalog_members where zone_name = 'coming.test')`.execute(
      database.db,
    )
    return rows[0]?.serial
  })
  assert.equal(serial, moved.catalogSerial + 1)
})
