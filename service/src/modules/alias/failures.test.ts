import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createAddressResolver } from '#adapters/address-resolver/index.ts'
import { sql } from '#platform/postgres/index.ts'
import { SecretBox } from '#platform/secrets.ts'
import { moveClock } from '#testing/move-clock.ts'
import { runJob } from '#testing/run-job.ts'
import { startTestApi } from '#testing/test-api.ts'
import { testZones } from '#testing/test-zones.ts'
import { aliasJobs } from './jobs.ts'
import { TargetLookup } from './look-up-target.ts'
import { afterLookup, newTarget, type TargetResult } from './rules.ts'
import { spreadAddresses } from './spread-addresses.ts'
import { claimTargets, readTargets, recordResults } from './target-store.ts'

const api = await startTestApi()
const { database, dns } = api
const { freshZone } = await testZones(api)
const jobs = aliasJobs({ secrets: new SecretBox(randomBytes(32)), site: 'https://zonewright.test' })
const lookup = new TargetLookup(database, createAddressResolver({ servers: [dns.address] }))

/** The emails that the job sends this long from now, as subject and address. */
async function told(ahead: string): Promise<string[]> {
  const count = async () => (await sql`select from mails`.execute(database.db)).rows.length
  const before = await count()
  await moveClock(database, ahead)
  await runJob(jobs, 'tell-of-aliases', database)
  const { rows } = await sql<{ told: string }>`
    select kind || ' ' || to_address as told from mails order by id offset ${before}`.execute(database.db)
  return rows.map((row) => row.told)
}

/** Looks a target up as a worker does. */
async function refresh(target: string): Promise<TargetResult> {
  const known = (await readTargets(database.db, [target])).get(target) ?? newTarget(target)
  const result = afterLookup(known, await lookup.addresses(target, 2_000), (address) => lookup.isPublic(address))
  await recordResults(database.db, [result])
  return result
}

test('the owner of live zones gets one email when a target has been failing for an hour, and one for the next failure', async () => {
  const [zone, other] = [await freshZone(), await freshZone()]
  for (const each of [zone, other]) await each.put('@', 'ALIAS', ['failing.example.net.'])
  assert.deepEqual(await told('59 minutes'), [])
  assert.deepEqual(await told('61 minutes'), ['alias_failing owner@example.net'])
  assert.deepEqual(await told('62 minutes'), [])
  dns.set('failing.example.net', 'A', ['93.184.216.34'])
  await refresh('failing.example.net')
  dns.set('failing.example.net', 'A', [])
  await refresh('failing.example.net')
  assert.deepEqual(await told('63 minutes'), [])
  assert.deepEqual(await told('124 minutes'), ['alias_failing owner@example.net'])
  await moveClock(database, '0 minutes')
})

test('a target that fails in no live zone causes no email', async () => {
  const zone = await freshZone()
  await zone.put('@', 'ALIAS', ['unused.example.net.'])
  await zone.call('DELETE', '/rrsets/@/ALIAS')
  assert.deepEqual(await told('2 hours'), [])
  await moveClock(database, '0 hours')
})

test('only one of two concurrent lookups of a target counts, and a claimed target is not claimed again', async () => {
  const zone = await freshZone()
  dns.set('twice.example.net', 'A', ['93.184.216.40'])
  await zone.put('@', 'ALIAS', ['twice.example.net.'])
  const known = (await readTargets(database.db, ['twice.example.net'])).get('twice.example.net')
  assert.ok(known)
  const to = (a: string) => afterLookup(known, { a: [a], aaaa: [], ttl: 60 }, () => true)
  await recordResults(database.db, [to('93.184.216.41')])
  await recordResults(database.db, [to('93.184.216.42')])
  const now = (await readTargets(database.db, ['twice.example.net'])).get('twice.example.net')
  assert.deepEqual([now?.a, now?.revision], [['93.184.216.41'], known.revision + 1])
  await sql`update alias_targets set due_at = app_now() - interval '1 s' where target = 'twice.example.net'`.execute(
    database.db,
  )
  const claim = () => database.transact((tx) => claimTargets(tx, 100))
  const [one, two] = [await claim(), await claim()]
  assert.equal([...one, ...two].filter(({ target }) => target === 'twice.example.net').length, 1)
})

test('a zone that a customer is changing is skipped, and updated in the next round', async () => {
  const [busy, free] = [await freshZone(), await freshZone()]
  dns.set('busy.example.net', 'A', ['93.184.216.50'])
  for (const each of [busy, free]) await each.put('@', 'ALIAS', ['busy.example.net.'])
  dns.set('busy.example.net', 'A', ['93.184.216.51'])
  await refresh('busy.example.net')
  const publishedBy = async (zoneId: string) => {
    const { rows } = await sql<{ a: string[] }>`select a from zone_aliases where zone_id = ${zoneId}`.execute(
      database.db,
    )
    return rows[0]?.a
  }
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const changing = database.transact(async (tx) => {
    await sql`select from zones where id = ${busy.id} for update`.execute(tx)
    held.resolve()
    await released.promise
  })
  await held.promise
  await spreadAll()
  released.resolve()
  await changing
  assert.deepEqual([await publishedBy(busy.id), await publishedBy(free.id)], [['93.184.216.50'], ['93.184.216.51']])
  await spreadAll()
  assert.deepEqual(await publishedBy(busy.id), ['93.184.216.51'])
  const { rows } = await sql`select from alias_targets where is_behind`.execute(database.db)
  assert.equal(rows.length, 0)
})

/** Publishes everything that can be published now. */
async function spreadAll(): Promise<void> {
  for (let rounds = 0; rounds < 10; rounds++) if (!(await spreadAddresses(database)).isMore) return
}

test('concurrent writes and refreshes leave no zone with outdated addresses', async () => {
  const zones = await Promise.all(Array.from({ length: 6 }, () => freshZone()))
  let last = 0
  const move = async () => {
    dns.set('race.example.net', 'A', [`93.184.218.${++last}`])
    await refresh('race.example.net')
    await spreadAll()
  }
  await move()
  for (let round = 0; round < 5; round++)
    await Promise.all([
      ...zones.map((zone, i) => zone.put(`n${(round + i) % 3}`, 'ALIAS', ['race.example.net.'], { ttl: 60 + round })),
      move(),
    ])
  await spreadAll()
  const { rows } = await sql<{ behind: number }>`
    select count(*)::int as behind from zone_aliases a join alias_targets t on t.target = a.target
    where a.target = 'race.example.net' and (a.a <> t.a or a.revision <> t.revision)`.execute(database.db)
  assert.equal(rows[0]?.behind, 0)
})
