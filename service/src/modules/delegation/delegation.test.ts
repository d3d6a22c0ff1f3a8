import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { zoneEventData } from '@zonewright/contract'
import { startRegistryDns } from '@zonewright/sandbox'
import { createParentDns } from '#adapters/dns/index.ts'
import { createRdapLookup } from '#adapters/rdap/index.ts'
import { createMetrics } from '#platform/figures/metrics.ts'
import { createLogger } from '#platform/log.ts'
import { sql } from '#platform/postgres/index.ts'
import { SecretBox } from '#platform/secrets.ts'
import { eventually } from '#testing/eventually.ts'
import { moveClock } from '#testing/move-clock.ts'
import { startTestApi, testNameservers } from '#testing/test-api.ts'
import { Checker } from './checker.ts'

const registry = await startRegistryDns({
  dnsListen: '127.0.0.1:0',
  httpListen: '127.0.0.1:0',
  tlds: ['test'],
  servers: [{ name: 'ns.nic.test', address: '127.0.0.1' }],
  hosts: [],
})
after(() => registry.close())
const parent = { host: '127.0.0.1', port: Number(registry.dnsAddress.split(':')[1]) }
const rdap = `http://${registry.httpAddress}/rdap/dns.json`
const lookup = createRdapLookup(rdap)
after(() => lookup.close())
const api = await startTestApi({ parent, rdap })
const { database } = api
const account = await api.account('owner@example.net')
const key = await api.key(account)
const registered = ['ns.registry.example']

const checkers: Checker[] = []
after(() => Promise.all(checkers.map((checker) => checker.stop())))

const newChecker = (): Checker => {
  const checker = new Checker({
    database,
    log: createLogger('test', 'silent'),
    metrics: createMetrics(),
    nameservers: testNameservers,
    parentDns: createParentDns(parent),
    registry: lookup,
    secrets: new SecretBox(randomBytes(32)),
    site: 'https://dns.example.net',
  })
  checkers.push(checker)
  return checker
}

interface Row {
  state: string
  candidate: string | null
  failure: string | null
  isDue: boolean | null
  revision: number
}
const rowOf = async (zoneId: string): Promise<Row> => {
  const { rows } = await sql<Row>`
    select state, candidate, failure, due_at <= app_now() as "isDue", revision from zone_delegations where zone_id = ${zoneId}`.execute(
    database.db,
  )
  return rows[0] as Row
}
const eventsOf = async (zoneId: string): Promise<unknown[]> => {
  const { rows } = await sql<{ data: unknown }>`
    select data from event_outbox where zone_id = ${zoneId} and type = 'zone.delegation_changed' order by seq`.execute(
    database.db,
  )
  return rows.map(({ data }) => data)
}

/** The number of emails which say that a zone is live. */
const liveMails = async (): Promise<number> =>
  (await sql`select 1 from mails where kind = 'zone_live' and to_address = 'owner@example.net'`.execute(database.db))
    .rows.length

let zones = 0
let hours = 0
/** A live zone, which a worker checks each time its clock is moved forward. */
async function watchedZone() {
  const zone = await api.zone(account, `domain${++zones}.test`)
  registry.rdap.registrations.tell(zone.name, { nameservers: registered })
  const checker = newChecker()
  /** Makes a check due, and waits until it is recorded. */
  const check = async (): Promise<Row> => {
    await sql`update zone_delegations set due_at = app_now() where zone_id = ${zone.id}`.execute(database.db)
    const { revision } = await rowOf(zone.id)
    checker.start()
    await eventually('the check is recorded', async () => (await rowOf(zone.id)).revision > revision)
    await checker.stop()
    return await rowOf(zone.id)
  }
  const later = async (): Promise<Row> => {
    hours += 1
    await moveClock(database, `${hours} hours`)
    return await check()
  }
  return { ...zone, check, later }
}

test('a zone goes waiting → live → partial → lost → missing, with one event for each move except the last', async () => {
  const zone = await watchedZone()
  assert.equal((await zone.check()).state, 'waiting')
  registry.zones.delegate(
    zone.name,
    ['ns2.zonewright.test', 'NS1.zonewright.TEST'].map((name) => name.toLowerCase()),
  )
  assert.equal((await zone.later()).state, 'live')
  registry.zones.delegate(zone.name, ['ns1.zonewright.test', 'ns.other.example'])
  const doubted = await zone.later()
  assert.deepEqual([doubted.state, doubted.candidate], ['live', 'partial'])
  assert.equal((await zone.later()).state, 'partial')
  registry.zones.delegate(zone.name, ['ns.other.example'])
  assert.equal((await zone.later()).state, 'partial')
  assert.equal((await zone.later()).state, 'lost')
  registry.zones.delegate(zone.name, [])
  await zone.later()
  assert.equal((await zone.later()).state, 'missing')
  const events = await eventsOf(zone.id)
  const of = { id: zone.id, name: zone.name }
  assert.deepEqual(events, [
    {
      zone: of,
      state: 'live',
      previous_state: 'waiting',
      parent_nameservers: testNameservers,
      registry_nameservers: registered,
    },
    {
      zone: of,
      state: 'partial',
      previous_state: 'live',
      parent_nameservers: ['ns.other.example', 'ns1.zonewright.test'],
      registry_nameservers: registered,
    },
    {
      zone: of,
      state: 'lost',
      previous_state: 'partial',
      parent_nameservers: ['ns.other.example'],
      registry_nameservers: registered,
    },
  ])
  for (const event of events) zoneEventData['zone.delegation_changed'].strict().parse(event)
})

test('a parent that gives no usable answer changes no state, and the response says why', async () => {
  const zone = await watchedZone()
  registry.zones.delegate(zone.name, testNameservers)
  await zone.check()
  registry.behaviours.set({ rcode: 2 }, zone.name)
  for (let i = 0; i < 3; i++) assert.deepEqual((await zone.later()).state, 'live')
  assert.equal((await rowOf(zone.id)).failure, 'lame')
  const shown = await api.call('GET', `/zones/${zone.name}/delegation`, { key })
  assert.deepEqual([shown.body.state, shown.body.failure], ['live', 'lame'])
  assert.deepEqual(shown.body.parent_nameservers, testNameservers)
})

test('a check on demand returns the current state, and queries at most once in ten seconds', async () => {
  const zone = await api.zone(account, `domain${++zones}.test`)
  const check = async () => (await api.call('POST', `/zones/${zone.name}/delegation/check`, { key })).body
  const before = await api.call('GET', `/zones/${zone.name}/delegation`, { key })
  assert.deepEqual(
    [before.body.state, before.body.checked_at, before.body.expected],
    ['waiting', null, testNameservers],
  )
  assert.equal((await check()).state, 'waiting')
  registry.zones.delegate(zone.name, testNameservers)
  assert.equal((await check()).state, 'waiting', 'not asked again')
  await moveClock(database, `${++hours} hours`)
  const now = await check()
  assert.deepEqual([now.state, now.parent_nameservers, now.failure], ['live', testNameservers, null])
  assert.equal((await eventsOf(zone.id)).length, 1)
  const { body } = await api.call('GET', `/zones/${zone.name}`, { key })
  assert.deepEqual(body.delegation, { state: 'live' })
  const listed = (await api.call('GET', `/zones?name=${zone.name}`, { key })).body.data
  assert.deepEqual(listed[0].delegation, { state: 'live' })
})

test('a registration that ends soon is queried once a day, so that its renewal is noticed', async () => {
  const zone = await watchedZone()
  const shownExpiry = async () =>
    (await api.call('GET', `/zones/${zone.name}/checklist`, { key })).body.items.find(
      ({ id }: { id: string }) => id === 'expiry',
    )
  const tell = async (days: number) => {
    const { rows } = await sql<{ at: Date }>`select app_now() + make_interval(days => ${days}) as at`.execute(
      database.db,
    )
    registry.rdap.registrations.tell(zone.name, { nameservers: registered, expiresAt: rows[0]?.at as Date })
  }
  await tell(20)
  await api.call('POST', `/zones/${zone.name}/delegation/check`, { key })
  assert.deepEqual((await shownExpiry()).state, 'warning')
  await tell(385)
  await zone.later()
  assert.deepEqual((await shownExpiry()).state, 'warning', 'not asked again within a day')
  hours += 24
  await zone.later()
  assert.deepEqual((await shownExpiry()).state, 'done')
})

test('concurrent checks by two workers and on demand create only one event', async () => {
  const zone = await api.zone(account, `domain${++zones}.test`)
  registry.zones.delegate(zone.name, testNameservers)
  const workers = [newChecker(), newChecker()]
  for (const worker of workers) worker.start()
  await Promise.all([1, 2, 3].map(() => api.call('POST', `/zones/${zone.name}/delegation/check`, { key })))
  await eventually('the zone is live', async () => (await rowOf(zone.id)).state === 'live')
  await Promise.all(workers.map((worker) => worker.stop()))
  assert.equal((await eventsOf(zone.id)).length, 1)
})

test('a zone is checked automatically while it is live, and a pending zone never changes its state', async () => {
  const pending = (await api.call('POST', '/zones', { key, body: { name: `pending${++zones}.test` } })).body
  assert.deepEqual(pending.delegation, { state: 'waiting' })
  assert.equal((await rowOf(pending.id)).isDue, null)
  registry.zones.delegate(pending.name, testNameservers)
  const { body } = await api.call('POST', `/zones/${pending.id}/delegation/check`, { key })
  assert.deepEqual([body.state, body.parent_nameservers], ['waiting', testNameservers])
  const zone = await api.zone(account, `domain${++zones}.test`)
  assert.equal((await rowOf(zone.id)).isDue, true)
  await sql`update zones set state = 'deleted', deleted_at = app_now() where id = ${zone.id}`.execute(database.db)
  assert.equal((await rowOf(zone.id)).isDue, null)
})

test('a zone that waited long for its proof has its first day of frequent checks after it goes live', async () => {
  const { id } = (await api.call('POST', '/zones', { key, body: { name: `pending${++zones}.test` } })).body
  await sql`update zone_delegations set since = since - interval '3 days' where zone_id = ${id}`.execute(database.db)
  await sql`update zones set state = 'live', live_at = app_now() where id = ${id}`.execute(database.db)
  await api.call('POST', `/zones/${id}/delegation/check`, { key })
  const { rows } = await sql<{ inS: number }>`
    select extract(epoch from due_at - app_now())::float8 as "inS" from zone_delegations where zone_id = ${id}`.execute(
    database.db,
  )
  const inS = rows[0]?.inS ?? 0
  assert.ok(inS > 290 && inS < 331, `looked at again in ${inS} s`)
})

test('a zone that is deleted during a check gets no event after its deletion', async () => {
  const zone = await api.zone(account, `domain${++zones}.test`)
  registry.zones.delegate(zone.name, testNameservers)
  registry.behaviours.set({ delayMs: 200 }, zone.name)
  const checking = api.call('POST', `/zones/${zone.id}/delegation/check`, { key })
  await sql`select 1 from zones where id = ${zone.id}`.execute(database.db)
  await eventually(
    'the check has begun',
    async () =>
      (
        await sql`select 1 from zone_delegations where zone_id = ${zone.id} and asked_at is not null`.execute(
          database.db,
        )
      ).rows.length,
  )
  await sql`update zones set state = 'deleted', deleted_at = app_now() where id = ${zone.id}`.execute(database.db)
  await checking
  assert.deepEqual(await eventsOf(zone.id), [])
})

test('the owner gets one email when the domain first points here, and none when it comes back', async () => {
  const zone = await watchedZone()
  const before = await liveMails()
  await zone.check()
  assert.equal(await liveMails(), before)
  registry.zones.delegate(zone.name, testNameservers)
  assert.equal((await zone.later()).state, 'live')
  assert.equal(await liveMails(), before + 1)
  registry.zones.delegate(zone.name, ['ns.other.example'])
  await zone.later()
  assert.equal((await zone.later()).state, 'lost')
  registry.zones.delegate(zone.name, testNameservers)
  await zone.later()
  assert.equal((await zone.later()).state, 'live')
  assert.equal(await liveMails(), before + 1)
})

for (const [had, nameservers, mails] of [
  ['none', [], 0],
  ['those of another provider', ['ns.other.example'], 1],
] as const)
  test(`the owner of a bought domain that points here gets an email only if it had other nameservers: ${had}`, async () => {
    const zone = await watchedZone()
    await sql`update zones set origin = 'bought' where id = ${zone.id}`.execute(database.db)
    const before = await liveMails()
    registry.zones.delegate(zone.name, [...nameservers])
    assert.equal((await zone.check()).state, 'waiting')
    registry.zones.delegate(zone.name, testNameservers)
    assert.equal((await zone.later()).state, 'live')
    assert.equal(await liveMails(), before + mails)
  })

interface Registrar {
  domain: string
  name: string | null
  url: string | null
  registered_here: boolean
  checked_at: string | null
}
const registrarOf = async (zone: string): Promise<Registrar> =>
  (await api.call('GET', `/zones/${zone}/registrar`, { key })).body as unknown as Registrar

test('the registrar is that of the registered domain, and is cached for a day', async () => {
  const domain = `domain${++zones}.test`
  await api.zone(account, domain)
  registry.zones.delegate(domain, ['ns.other.example'])
  const registrar = { name: 'Names Ltd', url: 'https://names.example/' }
  registry.rdap.registrations.tell(domain, { registrar })
  const { id } = await api.zone(account, `sub.${domain}`)
  const { checked_at: checkedAt, ...first } = await registrarOf(id)
  assert.deepEqual(first, { domain, ...registrar, registered_here: false })
  assert.ok(checkedAt)
  registry.rdap.registrations.tell(domain, { registrar: { name: 'Other Names', url: 'https://other.example/' } })
  assert.equal((await registrarOf(domain)).name, 'Names Ltd')
  hours += 25
  await moveClock(database, `${hours} hours`)
  assert.equal((await registrarOf(domain)).name, 'Other Names')
})

test('a registry that does not answer is queried again after ten minutes, and the last answer stays', async () => {
  const domain = `domain${++zones}.test`
  await api.zone(account, domain)
  registry.zones.delegate(domain, ['ns.other.example'])
  registry.rdap.behaviours.set({ status: 500, times: 1 }, domain)
  assert.deepEqual(await registrarOf(domain), {
    domain,
    name: null,
    url: null,
    registered_here: false,
    checked_at: null,
  })
  assert.equal((await registrarOf(domain)).name, null)
  hours += 1
  await moveClock(database, `${hours} hours`)
  assert.equal((await registrarOf(domain)).name, 'Example Registrar')
  hours += 25
  await moveClock(database, `${hours} hours`)
  registry.rdap.behaviours.set({ status: 500, times: 1 }, domain)
  assert.equal((await registrarOf(domain)).name, 'Example Registrar')
})

test('only one of several concurrent callers queries the registry; an account can cause 100 queries an hour', async () => {
  const domain = `domain${++zones}.test`
  await api.zone(account, domain)
  registry.zones.delegate(domain, ['ns.other.example'])
  // A second query would find the registry silent.
  registry.rdap.behaviours.set({ delayMs: 100, times: 1 }, domain)
  await Promise.all(Array.from({ length: 5 }, () => registrarOf(domain)))
  assert.equal((await registrarOf(domain)).name, 'Example Registrar')
  await sql`
    insert into registrars (domain, account_id, asked_at)
    select 'full' || n || '.test', ${account}, app_now() - interval '2 minutes' from generate_series(1, 100) n`.execute(
    database.db,
  )
  const next = `domain${++zones}.test`
  await api.zone(account, next)
  registry.zones.delegate(next, ['ns.other.example'])
  assert.equal((await registrarOf(next)).name, null)
  hours += 2
  await moveClock(database, `${hours} hours`)
  assert.equal((await registrarOf(next)).name, 'Example Registrar')
})
