import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/postgres/index.ts'
import { eventually } from '#testing/eventually.ts'
import { installTestClock } from '#testing/platform/test-clock.ts'
import { TestSecondary } from '#testing/primary/test-secondary.ts'
import { a, type PlantedZone, plantChange, plantDeletion, plantZone } from '#testing/primary/test-zones.ts'
import { openTestWorld, testCatalog } from '#testing/publication/test-publication.ts'
import { primaryJobs } from './jobs.ts'

const world = await openTestWorld()
const { database, wake } = world
const clock = await installTestClock(database.db)
const secondary = await TestSecondary.connectForLong((await world.start()).address)
world.onEnd(() => secondary.close())

async function prune(): Promise<void> {
  for (const job of primaryJobs) await job.run(database)
}

async function stepsOf({ id }: PlantedZone): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from zone_journal where zone_id = ${id}`.execute(database.db)
  return rows[0]?.n ?? 0
}

const hosts = (zone: string, count: number) => Array.from({ length: count }, (_, i) => a(`h${i}.${zone}`, '192.0.2.1'))

test('steps are kept for 30 days; a secondary that was away for longer gets the whole zone', async () => {
  const zone = await plantZone(database, 'old.test', { rrsets: hosts('old.test', 20) })
  await plantChange(database, zone, { added: [a('early.old.test', '192.0.2.2')] })
  await clock.pass('29 days')
  await plantChange(database, zone, { added: [a('late.old.test', '192.0.2.2')] })
  await prune()
  assert.equal((await secondary.ixfr('old.test', 1_000)).kind, 'steps')
  await clock.pass('2 days')
  await prune()
  assert.equal(await stepsOf(zone), 1)
  assert.equal((await secondary.ixfr('old.test', 1_000)).kind, 'full')
  assert.equal((await secondary.ixfr('old.test', 1_001)).kind, 'steps')
})

test('the journal of a zone that changes often keeps as many steps as a secondary may be sent, and no more', async () => {
  const zone = await plantZone(database, 'often.test', { rrsets: hosts('often.test', 10) })
  const changing = (serial: number) => a('often.test', `192.0.2.${serial}`)
  await plantChange(database, zone, { added: [changing(0)] })
  for (let i = 1; i < 40; i++) await plantChange(database, zone, { removed: [changing(i - 1)], added: [changing(i)] })
  const before = await Promise.all(Array.from({ length: 40 }, (_, i) => secondary.ixfr('often.test', 1_000 + i)))
  await prune()
  const after = await Promise.all(Array.from({ length: 40 }, (_, i) => secondary.ixfr('often.test', 1_000 + i)))
  assert.deepEqual(
    after.map(({ kind }) => kind),
    before.map(({ kind }) => kind),
  )
  assert.ok(after.some(({ kind }) => kind === 'steps'))
  assert.equal(await stepsOf(zone), 14)
})

test('steps that are many megabytes larger than the zone are not read: a secondary gets the whole zone', async () => {
  const zone = await plantZone(database, 'large.test', { rrsets: hosts('large.test', 20) })
  for (let i = 0; i < 4; i++) await plantChange(database, zone, { added: [a(`n${i}.large.test`, '192.0.2.1')] })
  const kinds = async (bytes: number) => {
    await sql`update zone_journal set bytes = ${bytes} where zone_id = ${zone.id}`.execute(database.db)
    return await Promise.all(
      [1_000, 1_001, 1_003, 1_004].map(async (have) => (await secondary.ixfr('large.test', have)).kind),
    )
  }
  assert.deepEqual(await kinds(4_000_000), ['steps', 'steps', 'steps', 'unchanged'])
  assert.deepEqual(await kinds(5_000_000), ['full', 'steps', 'steps', 'unchanged'])
  assert.deepEqual(await kinds(17_000_000), ['full', 'full', 'full', 'unchanged'])
})

test('the journal of an erased zone is deleted; that of a recently deleted zone stays', async () => {
  const [gone, deleted] = [await plantZone(database, 'gone.test'), await plantZone(database, 'deleted.test')]
  for (const zone of [gone, deleted]) {
    await plantChange(database, zone, { added: [a(`www.${zone.name}`, '192.0.2.1')] })
    await plantDeletion(database, zone)
  }
  wake.tell('catalog_changed')
  await sql`delete from zones where id = ${gone.id}`.execute(database.db)
  await prune()
  assert.deepEqual([await stepsOf(gone), await stepsOf(deleted)], [0, 1])
})

test('the catalog’s steps are also deleted after 30 days', async () => {
  const { serial } = await catalog()
  await plantZone(database, 'member.test')
  wake.tell('catalog_changed')
  await eventually('it is a member', async () => (await catalog()).serial > serial)
  assert.equal((await secondary.ixfr(testCatalog, serial)).kind, 'steps')
  await clock.pass('31 days')
  await prune()
  assert.equal((await secondary.ixfr(testCatalog, serial)).kind, 'full')
})

async function catalog(): Promise<{ serial: number }> {
  const outcome = await secondary.axfr(testCatalog)
  assert.ok(outcome.kind === 'full')
  return outcome
}
