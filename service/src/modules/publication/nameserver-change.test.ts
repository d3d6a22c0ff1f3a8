import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseName, recordsOf, soaFromRdata } from '@zonewright/dns'
import { createTransferSource } from '#modules/primary/transfer-source.ts'
import { delegateTo } from '#modules/records/index.ts'
import { createMetrics } from '#platform/figures/metrics.ts'
import { createLogger } from '#platform/log.ts'
import { sql } from '#platform/postgres/index.ts'
import { eventually } from '#testing/eventually.ts'
import { lines, TestSecondary } from '#testing/primary/test-secondary.ts'
import { a, type PlantedZone, plantChange, plantZone, plantZones } from '#testing/primary/test-zones.ts'
import { TestNameserver } from '#testing/publication/test-nameserver.ts'
import { openTestWorld, testCatalog } from '#testing/publication/test-publication.ts'
import { countFormer } from './apex-store.ts'
import { createFigures } from './figures.ts'
import { leaderPolls } from './leader-polls.ts'
import { moveApexes, nameserverRename } from './nameserver-rename.ts'
import { PublicationUnfit, settleNameservers } from './settle-nameservers.ts'
import { replicatedZones } from './store.ts'

const world = await openTestWorld()
const { database, wake } = world
const parts = { database, log: createLogger('test', 'silent') }
const [ns1, ns2] = await world.nameservers()
const ns3 = await TestNameserver.start('ns3.zonewright.test')
world.onEnd(() => ns3.close())

const source = createTransferSource(database.db, parseName(`${testCatalog}.`))
const apexOf = async (zone: string): Promise<string[]> => {
  const rrsets = [...((await source.whole(parseName(`${zone}.`))) ?? [])].slice(0, 2)
  return lines(rrsets.flatMap(recordsOf)).map((line) => line.replace(`${zone}. `, ''))
}
const mnameOf = async (zone: string): Promise<string | undefined> => {
  const soa = await source.soa(parseName(`${zone}.`))
  return soa && soaFromRdata(soa.data).mname
}
const noneLeft = async (): Promise<boolean> => (await countFormer(database.db)) === 0
const isReplicated = async ({ id }: PlantedZone): Promise<boolean> => (await replicatedZones(database.db, [id])).has(id)

/** Runs a primary for as long as the work takes. */
async function withPrimary(nameservers: readonly TestNameserver[], work: (secondary: TestSecondary) => Promise<void>) {
  const publication = await world.start(nameservers.map(({ entry }) => entry))
  const secondary = await TestSecondary.connect(publication.address)
  try {
    await work(secondary)
  } finally {
    secondary.close()
    await publication.stop()
  }
}

/** As if every zone had been moved. */
const forgetFormer = () => sql`delete from former_nameservers`.execute(database.db)

/** Changes NAMESERVERS with no primary running. */
const configure = (...nameservers: readonly TestNameserver[]) =>
  settleNameservers(
    parts,
    nameservers.map(({ entry }) => entry),
  )

test('when NAMESERVERS changes, each live zone gets a serial with which it names the new nameservers', async () => {
  const zone = await plantZone(database, 'renamed.test', { rrsets: [a('www.renamed.test', '192.0.2.1')] })
  await withPrimary([ns1, ns2], async () => {
    await eventually('both have it', () => isReplicated(zone))
  })
  await withPrimary([ns1, ns3], async (secondary) => {
    await eventually('all are moved', noneLeft)
    const outcome = await secondary.ixfr('renamed.test', 1_000)
    assert.ok(outcome.kind === 'steps')
    assert.deepEqual(
      outcome.steps.map(({ removed, added }) => [lines(removed), lines(added)]),
      [
        [
          ['renamed.test. NS ns2.zonewright.test.', 'renamed.test. SOA 1000'],
          ['renamed.test. NS ns3.zonewright.test.', `renamed.test. SOA ${outcome.serial}`],
        ],
      ],
    )
    assert.deepEqual(await apexOf('renamed.test'), [
      'NS ns1.zonewright.test.',
      'NS ns3.zonewright.test.',
      `SOA ${outcome.serial}`,
    ])
    await eventually('ns1 and ns3 have it', () => isReplicated(zone))
  })
})

test('a removed nameserver is notified of changes for two more days, and nothing waits for it', async () => {
  const zone = await plantZone(database, 'retired.test')
  await withPrimary([ns1, ns3], async () => {
    await eventually('it is there', () => isReplicated(zone))
    ns2.mood = 'deaf'
    const serial = await plantChange(database, zone, { added: [a('www.retired.test', '192.0.2.1')] })
    wake.tell('zones_changed', zone.id)
    await eventually('ns2 is told', () => ns2.notifies.includes(`retired.test. ${serial}`))
    await eventually('the others are enough', () => isReplicated(zone))
    ns2.mood = 'well'
  })
  await sql`update nameservers set retired_at = app_now() - interval '49 h' where name = ${ns2.name}`.execute(
    database.db,
  )
  assert.deepEqual(await configure(ns1, ns3), [])
})

test('a nameserver that continues under another name is not notified of everything twice', async () => {
  await configure(ns1, ns3)
  const renamed = { ...ns3.entry, name: 'ns7.zonewright.test' }
  assert.deepEqual(await settleNameservers(parts, [ns1.entry, renamed]), [])
  assert.deepEqual(
    (await configure(ns1, ns2)).map(({ name }) => name),
    [ns3.name, renamed.name],
  )
  await configure(ns1, ns3)
  await forgetFormer()
})

test('no zone names a nameserver that was not yet seen to serve that zone', async () => {
  const zone = await plantZone(database, 'careful.test')
  await withPrimary([ns1, ns3], async () => {
    await eventually('it is there', () => isReplicated(zone))
  })
  ns2.serve('careful.test', undefined)
  ns2.mood = 'deaf'
  await withPrimary([ns1, ns3, ns2], async () => {
    await eventually('ns2 is told', () => ns2.notifies.includes('careful.test. 1000'))
    // Zones that the primary is currently processing are skipped.
    await eventually('ns2 is missed', async () =>
      (await moveApexes(database, undefined, 100)).unseen.includes(ns2.name),
    )
    assert.deepEqual(await apexOf('careful.test'), ['NS ns1.zonewright.test.', 'NS ns3.zonewright.test.', 'SOA 1000'])
    for (const name of ['renamed.test', 'retired.test', 'careful.test']) ns2.serve(name, 1_000)
    ns2.mood = 'well'
    await eventually('it is moved', noneLeft)
    assert.equal((await apexOf('careful.test')).length, 4)
    await eventually('all three have it', () => isReplicated(zone))
  })
})

test('a nameserver that is added again is a new one: earlier sightings of it do not count', async () => {
  await configure(ns1, ns2)
  await forgetFormer()
  const zone = await plantZone(database, 'empty.test')
  const see = ({ name }: TestNameserver) =>
    sql`insert into zone_sightings (zone_id, nameserver, serial) values (${zone.id}, ${name}, 1000)`.execute(
      database.db,
    )
  for (const nameserver of [ns1, ns2]) await see(nameserver)
  await configure(ns1)
  await forgetFormer()
  await configure(ns1, ns2)
  assert.deepEqual((await moveApexes(database, undefined, 100)).unseen, [ns2.name])
  const { rows } = await sql<{ lags: boolean | null }>`
    select lagging_since <= app_now() - interval '5 min' as lags from nameservers where retired_at is null
    order by position`.execute(database.db)
  assert.deepEqual(
    rows.map(({ lags }) => lags),
    [null, true],
  )

  await see(ns2)
  assert.ok(await isReplicated(zone))
  await configure(ns1, ns2)
  assert.ok(await isReplicated(zone))
  await settleNameservers(parts, [ns1.entry, { ...ns2.entry, address: '192.0.2.2:53' }])
  assert.ok(!(await isReplicated(zone)), 'another machine may be at the new address')
  await configure(ns1, ns3)
  await forgetFormer()
})

test('nothing waits for a new nameserver before it has caught up', async () => {
  const ns4 = await TestNameserver.start('ns4.zonewright.test')
  world.onEnd(() => ns4.close())
  ns4.mood = 'deaf'
  const lagging = async (): Promise<string[]> => {
    const { rows } = await sql<{ name: string }>`
      select name from nameservers where lagging_since <= app_now() - interval '5 min' and retired_at is null`.execute(
      database.db,
    )
    return rows.map(({ name }) => name)
  }
  await withPrimary([ns1, ns4], async () => {
    assert.deepEqual(await lagging(), [ns4.name])
    ns4.mood = 'well'
    await eventually('it has caught up', async () => (await lagging()).length === 0)
    await eventually('all are moved', noneLeft)
  })
})

test('a different first nameserver causes a new serial, because every SOA names it', async () => {
  await configure(ns1, ns2)
  await forgetFormer()
  await plantZone(database, 'first.test')
  await configure(ns2, ns1)
  assert.equal(await mnameOf('first.test'), `${ns1.name}.`)
  await moveApexes(database, undefined, 100)
  assert.equal(await mnameOf('first.test'), `${ns2.name}.`)
  assert.ok(await noneLeft())
})

test('until its turn, a zone names its former nameservers; a new zone names the new ones from the start', async () => {
  const seen = (zone: PlantedZone) =>
    sql`insert into zone_sightings (zone_id, nameserver, serial) values (${zone.id}, ${ns3.name}, 1000)`.execute(
      database.db,
    )
  await configure(ns1, ns2)
  await forgetFormer()
  const zones = [await plantZone(database, 'turn0.test'), await plantZone(database, 'turn1.test')]
  await configure(ns1, ns3)
  await plantZone(database, 'born.test')
  for (const zone of zones) await seen(zone)
  const ns = async (zone: string) => (await apexOf(zone)).filter((line) => line.startsWith('NS'))
  const [former, now] = [
    ['NS ns1.zonewright.test.', 'NS ns2.zonewright.test.'],
    ['NS ns1.zonewright.test.', 'NS ns3.zonewright.test.'],
  ]
  assert.deepEqual(await ns('turn0.test'), former)
  assert.deepEqual(await ns('born.test'), now)

  // One at a time. If a leader stops in between, the next one continues.
  await sql`delete from former_nameservers where zone_id <> all(${zones.map(({ id }) => id)}::uuid[])`.execute(
    database.db,
  )
  const { after } = await moveApexes(database, undefined, 1)
  assert.deepEqual((await Promise.all(['turn0.test', 'turn1.test'].map(ns))).toSorted(), [former, now])
  await moveApexes(database, after, 1)
  assert.deepEqual(await ns('turn0.test'), now)
  assert.deepEqual(await ns('turn1.test'), now)
})

test('the names of customers’ own secondaries stay, listed after the nameservers that change', async () => {
  await configure(ns1, ns2)
  await forgetFormer()
  const { id } = await plantZone(database, 'secondaries.test')
  await sql`update zones set secondary_names = array['ns9.secondaries.test'] where id = ${id}`.execute(database.db)
  await configure(ns2, ns1)
  await moveApexes(database, undefined, 100)
  assert.ok(await noneLeft())
  assert.equal(await mnameOf('secondaries.test'), `${ns2.name}.`)
  const ns = (await apexOf('secondaries.test')).filter((line) => line.startsWith('NS'))
  assert.deepEqual(ns, [`NS ${ns1.name}.`, `NS ${ns2.name}.`, 'NS ns9.secondaries.test.'])
})

test('a nameserver change that is undone before a zone’s turn changes nothing in that zone', async () => {
  await configure(ns1, ns2)
  await forgetFormer()
  await plantZone(database, 'back.test')
  await configure(ns1, ns3)
  assert.ok((await countFormer(database.db)) > 0)
  await configure(ns1, ns2)
  assert.ok(await noneLeft())
  assert.deepEqual(await apexOf('back.test'), ['NS ns1.zonewright.test.', 'NS ns2.zonewright.test.', 'SOA 1000'])
})

test('at most 200 zones a second are moved, and the metrics report how many are left', async () => {
  await configure(ns1, ns2)
  await plantZones(database, 'many', 250)
  await configure(ns2, ns1)
  const figures = createFigures(createMetrics())
  const moved: number[] = []
  const rename = nameserverRename(
    { ...parts, figures, polls: leaderPolls(database), isLeading: () => true, delegate: delegateTo([]) },
    ({ length }) => moved.push(length),
  )
  const left = async () => (await figures.zonesToMove.get()).values[0]?.value ?? 0
  const startedMs = performance.now()
  rename.start()
  await eventually('it is counted', async () => (await left()) > 0)
  await eventually('all are moved', noneLeft)
  assert.ok(performance.now() - startedMs > 990, `after ${performance.now() - startedMs} ms`)
  assert.ok(Math.max(...moved) <= 100)
  await eventually('that is counted, too', async () => (await left()) === 0)
  await rename.stop()
})

test('an address may change at any time; an invalid one is refused', async () => {
  await configure(ns1, ns2)
  await forgetFormer()
  await settleNameservers(parts, [{ ...ns1.entry, address: '192.0.2.1:53' }, ns2.entry])
  assert.ok(await noneLeft())
  const { rows } = await sql<{ address: string }>`
    select address from nameservers where name = ${ns1.name}`.execute(database.db)
  assert.equal(rows[0]?.address, '192.0.2.1:53')
  await assert.rejects(
    world.start([{ name: 'ns1.zonewright.test', address: 'ns1.zonewright.test:53' }]),
    PublicationUnfit,
  )
})
