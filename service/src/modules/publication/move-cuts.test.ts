import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAccount } from '#modules/accounts/index.ts'
import { delegateTo } from '#modules/records/index.ts'
import { addClaimedZone, addLiveZone, deleteZone, parseZoneName, type ZoneRow } from '#modules/zones/index.ts'
import { actorNamed } from '#platform/caller.ts'
import { createLogger } from '#platform/log.ts'
import { sql, type Tx } from '#platform/postgres/index.ts'
import { cloneDatabase } from '#testing/platform/test-database.ts'
import { takingParts } from '#testing/taking-parts.ts'
import { moveCuts } from './move-cuts.ts'
import { moveApexes } from './nameserver-rename.ts'
import { settleNameservers } from './settle-nameservers.ts'

const database = await cloneDatabase()
const parts = { database, log: createLogger('test', 'silent') }
const actor = actorNamed('operator', 'test')
const old = ['ns1.zonewright.test', 'ns2.zonewright.test']
const fresh = ['ns1.zonewright.test', 'ns3.zonewright.test']
const delegate = delegateTo(old)
const configure = (names: readonly string[]) =>
  settleNameservers(
    parts,
    names.map((name, n) => ({ name, address: `127.0.0.${n + 1}:9` })),
  )
await configure(old)
const account = await database.transact((tx) => createAccount(tx, actor, { email: 'owner@example.net', name: '' }))
const owner = { actor, accountId: account.id, serviceDomains: [] }

/** A zone, and zones below it that it delegates to. */
async function family(name: string, children: readonly string[]) {
  const parent = await database.transact((tx) => addLiveZone(tx, takingParts(), owner, name))
  const below: ZoneRow[] = []
  for (const child of children)
    below.push(
      await database.transact(async (tx) => {
        const { zone } = await addClaimedZone(tx, takingParts(), owner, parseZoneName(`${child}.${name}`), parent.id)
        await delegate(tx, actor, parent.id, [{ name: zone.name, present: true }])
        return zone
      }),
    )
  return { parent, below }
}

async function cutsOf({ id }: ZoneRow): Promise<Record<string, string[]>> {
  const { rows } = await sql<{ name: string; records: string[] }>`
    select split_part(name, '.', 1) as name, records from zone_rrsets where zone_id = ${id} and managed`.execute(
    database.db,
  )
  return Object.fromEntries(rows.map(({ name, records }) => [name, records.map((record) => record.slice(0, -1))]))
}
const versionOf = async ({ id }: ZoneRow): Promise<number> =>
  (await sql<{ version: number }>`select version from zones where id = ${id}`.execute(database.db)).rows[0]?.version ??
  0
/** As if each of the nameservers had been seen to serve the zone. */
const seen = ({ id }: ZoneRow) =>
  sql`insert into zone_sightings (zone_id, nameserver, serial) select ${id}, name, 1 from nameservers
    on conflict do nothing`.execute(database.db)
const moveAll = async (): Promise<number> => {
  await moveApexes(database, undefined, 1_000)
  return (await moveCuts({ database, delegate }, undefined, 1_000)).moved
}
const remove = (zone: ZoneRow) => database.transact((tx: Tx) => deleteZone(tx, actor, zone.id, delegate))

test('when NAMESERVERS changes, a delegation names the new nameservers as soon as the zone below does', async () => {
  const { parent, below } = await family('family.example.com', ['a', 'b', 'gone'])
  const [a, b, gone] = below as [ZoneRow, ZoneRow, ZoneRow]
  assert.deepEqual(await cutsOf(parent), { a: old, b: old, gone: old })
  await configure(fresh)
  await moveAll()
  assert.deepEqual(await cutsOf(parent), { a: old, b: old, gone: old }, 'nobody serves them yet')
  const before = await versionOf(parent)
  await seen(a)
  await remove(gone)
  assert.equal(await moveAll(), 1)
  assert.deepEqual(await cutsOf(parent), { a: fresh, b: old })
  assert.equal(
    await versionOf(parent),
    before + 2,
    'changes of the zone like any other: one for the deletion, one for the move',
  )
  await seen(b)
  assert.equal(await moveAll(), 1)
  assert.deepEqual(await cutsOf(parent), { a: fresh, b: fresh })
  assert.equal(await moveAll(), 0)
  const { rows } = await sql`select 1 from former_cuts where zone_id = ${parent.id}`.execute(database.db)
  assert.equal(rows.length, 0)
})

test('a delegation that also names a secondary of its zone does not count as one to former nameservers', async () => {
  const { parent, below } = await family('seconded.example.com', ['a', 'b'])
  const [a] = below as [ZoneRow]
  const cut = [...fresh, 'ns.elsewhere.example'].map((host) => `${host}.`)
  await sql`update zones set secondary_names = array['ns.elsewhere.example'] where id = ${a.id}`.execute(database.db)
  await sql`
    update zone_rrsets set records = case name when ${a.name} then ${cut.toSorted()}::text[] else ${fresh.map((host) => `${host}.`)}::text[] end
    where zone_id = ${parent.id} and managed`.execute(database.db)
  await configure(fresh)
  const { rows } = await sql`select 1 from former_cuts where zone_id = ${parent.id}`.execute(database.db)
  assert.equal(rows.length, 0)
})

test('delegations by a process with an old configuration are fixed at the next start, or once their zone is restored', async () => {
  const { parent, below } = await family('late.example.com', ['a'])
  for (const zone of below) await seen(zone)
  assert.deepEqual(await cutsOf(parent), { a: old })
  await configure(fresh)
  await sql`update zones set state = 'deleted', deleted_at = app_now() where id = ${parent.id}`.execute(database.db)
  assert.equal(await moveAll(), 0)
  await sql`update zones set state = 'live', deleted_at = null where id = ${parent.id}`.execute(database.db)
  assert.equal(await moveAll(), 1)
  assert.deepEqual(await cutsOf(parent), { a: fresh })
})

test('a zone with many zones below it moves one batch at a time', async () => {
  const names = Array.from({ length: 7 }, (_, n) => `n${n}`)
  const { parent, below } = await family('many.example.com', names)
  for (const zone of below) await seen(zone)
  await configure(fresh)
  let after: Awaited<ReturnType<typeof moveCuts>>['after']
  let batches = 0
  do {
    const batch = await moveCuts({ database, delegate }, after, 3)
    after = batch.after
    batches += 1
  } while (after !== undefined)
  assert.equal(batches, 3)
  assert.deepEqual(await cutsOf(parent), Object.fromEntries(names.map((name) => [name, fresh])))
})
