import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CatalogMember, catalogMembers, parseName, recordsOf, Zone } from '@zonewright/dns'
import { sql } from '#platform/postgres/index.ts'
import { eventually } from '#testing/eventually.ts'
import { lines, TestSecondary } from '#testing/primary/test-secondary.ts'
import { plantDeletion, plantZone } from '#testing/primary/test-zones.ts'
import { openTestWorld, testCatalog } from '#testing/publication/test-publication.ts'

const world = await openTestWorld()
const { database, wake } = world
const { address } = await world.start()
const secondary = await TestSecondary.connectForLong(address)
world.onEnd(() => secondary.close())
const origin = parseName(`${testCatalog}.`)

async function wholeCatalog(): Promise<Zone> {
  const outcome = await secondary.axfr(testCatalog)
  assert.ok(outcome.kind === 'full')
  return Zone.fromRrsets(origin, outcome.rrsets)
}

const members = async (): Promise<Map<string, CatalogMember>> => catalogMembers(await wholeCatalog())
const serial = async (): Promise<number> => (await wholeCatalog()).serial

test('the catalog is a version 2 catalog zone with a member for each live zone', async () => {
  const zone = await plantZone(database, 'member.test')
  wake.tell('catalog_changed')
  const member = await eventually('it is a member', async () => (await members()).get('member.test.'))
  assert.equal(member.label, zone.label)
  const rrsets = [...(await wholeCatalog()).rrsets()].flatMap(recordsOf)
  assert.deepEqual(
    lines(rrsets).filter((line) => !line.includes('SOA')),
    [
      `${testCatalog}. NS invalid.`,
      `version.${testCatalog}. TXT "2"`,
      `${zone.label}.zones.${testCatalog}. PTR member.test.`,
    ].sort(),
  )
})

test('zones that are added and removed are one step of an IXFR', async () => {
  const leaving = await plantZone(database, 'leaving.test')
  wake.tell('catalog_changed')
  await eventually('it is a member', async () => (await members()).has('leaving.test.'))
  const before = await wholeCatalog()
  await plantDeletion(database, leaving)
  const coming = await plantZone(database, 'coming.test')
  wake.tell('catalog_changed')
  await eventually('the other is a member', async () => (await members()).has('coming.test.'))
  const outcome = await secondary.ixfr(testCatalog, before.serial)
  assert.ok(outcome.kind === 'steps')
  const [step] = outcome.steps
  assert.equal(outcome.steps.length, 1)
  assert.ok(lines(step?.removed ?? []).includes(`${leaving.label}.zones.${testCatalog}. PTR leaving.test.`))
  assert.ok(lines(step?.added ?? []).includes(`${coming.label}.zones.${testCatalog}. PTR coming.test.`))
  assert.equal((await secondary.ixfr(testCatalog, outcome.serial)).kind, 'unchanged')
})

test('a zone that is deleted and added again gets another label, so that nameservers reset it', async () => {
  const first = await plantZone(database, 'twice.test')
  wake.tell('catalog_changed')
  await eventually('it is a member', async () => (await members()).has('twice.test.'))
  await plantDeletion(database, first)
  const second = await plantZone(database, 'twice.test')
  wake.tell('catalog_changed')
  await eventually('it is a member again', async () => (await members()).get('twice.test.')?.label === second.label)
})

test('many zones at once share few serials, and changes that cancel out create none', async () => {
  const before = await serial()
  const startedMs = performance.now()
  for (let i = 0; i < 100; i++) {
    await plantZone(database, `bulk${i}.test`)
    wake.tell('catalog_changed')
  }
  const passing = await plantZone(database, 'passing.test')
  await plantDeletion(database, passing)
  await eventually('all are members', async () => (await members()).has('bulk99.test.'))
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from catalog_journal where from_serial >= ${before}`.execute(database.db)
  // One every 200 ms.
  const most = 2 + Math.ceil((performance.now() - startedMs) / 200)
  assert.ok((rows[0]?.n ?? 100) <= most, `${rows[0]?.n} serials, of ${most} at most`)
  await eventually('every move is taken', async () => {
    const left = await sql`select 1 from zone_moves`.execute(database.db)
    return left.rows.length === 0
  })
  assert.ok(!(await members()).has('passing.test.'))
  const { rows: counted } = await sql<{ right: boolean }>`
    select member_count = (select count(*) from catalog_members) as right from catalog`.execute(database.db)
  assert.equal(counted[0]?.right, true)
})

test('only one of two primaries leads, and the other takes over when it stops', async () => {
  const one = await world.start()
  const two = await world.start()
  await Promise.all(Array.from({ length: 20 }, (_, i) => plantZone(database, `led${i}.test`)))
  wake.tell('catalog_changed')
  await eventually('all are members', async () => {
    const names = await members()
    return Array.from({ length: 20 }, (_, i) => names.has(`led${i}.test.`)).every(Boolean)
  })
  await one.stop()
  await plantZone(database, 'later.test')
  await eventually('somebody leads', async () => (await members()).has('later.test.'))
  await two.stop()
})
