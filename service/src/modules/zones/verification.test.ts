import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { buildResponse, parseMessage, Rcode, responseTo } from '@zonewright/dns'
import { startDnsServer, startRegistryDns, startResolver } from '@zonewright/sandbox'
import { actorNamed } from '#platform/caller.ts'
import { sql } from '#platform/postgres/index.ts'
import { eventually } from '#testing/eventually.ts'
import { moveClock } from '#testing/move-clock.ts'
import { startTestApi, type TestAnswer } from '#testing/test-api.ts'
import { PacketParentDns } from '../../adapters/dns/parent-dns.ts'
import { deleteZone } from './delete-zone.ts'
import { endDueContest } from './end-contest.ts'
import { restoreZone } from './restore-zone.ts'
import { startZoneVerification } from './start-verification.ts'
import { contestGraceHours } from './verification-rules.ts'
import { contestOf, verificationOf } from './verification-store.ts'
import { lookForProof, settleProof } from './verify-zone.ts'

/** The zone above those of the tests. */
const aboveTheTests = {
  dnsListen: '127.0.0.1:0',
  httpListen: '127.0.0.1:0',
  tlds: ['example.com'],
  servers: [
    { name: 'a.nic.example.com', address: '127.0.0.1' },
    { name: 'b.nic.example.com', address: '127.0.0.2' },
  ],
  hosts: [],
}
const registry = await startRegistryDns(aboveTheTests)
after(() => registry.close())
const parent = { host: '127.0.0.1', port: Number(registry.dnsAddress.split(':')[1]) }
const api = await startTestApi({ parent })
const { database, dns } = api
const { db } = database
const ada = await api.account('ada@example.net')
const bob = await api.account('bob@example.net')
const [adasKey, bobsKey] = [await api.key(ada), await api.key(bob)]

interface Added {
  readonly id: string
  readonly name: string
  readonly txt: { name: string; value: string }
  readonly nameserver: string
}

async function add(name: string, key = adasKey): Promise<Added> {
  const { status, body } = await api.call('POST', '/zones', { key, body: { name } })
  assert.equal(status, 201, JSON.stringify(body))
  return { id: body.id, name, ...body.verification }
}
const verify = (zone: Added, key = adasKey): Promise<TestAnswer> =>
  api.call('POST', `/zones/${zone.id}/verify`, { key })
const read = (zone: Added, key = adasKey): Promise<TestAnswer> => api.call('GET', `/zones/${zone.id}`, { key })
const prove = (...zones: Added[]): void =>
  dns.set(
    zones[0]?.txt.name ?? '',
    'TXT',
    zones.map(({ txt }) => JSON.stringify(txt.value)),
  )
/** One complete round of the worker. */
const verifyDue = (parts: typeof api.verification): Promise<void> => startZoneVerification(parts).stop()
const settle = async (zone: Added): Promise<void> => {
  const verification = await verificationOf(db, zone.id)
  assert.ok(verification)
  const proof = await lookForProof(api.verification, verification)
  await database.transact((tx) => settleProof(tx, api.verification, actorNamed('system', 'test'), verification, proof))
}

async function mailsTo(address: string): Promise<string[]> {
  const { rows } = await sql<{ kind: string }>`
    select kind from mails where to_address = ${address} order by queued_at, id`.execute(db)
  return rows.map(({ kind }) => kind)
}

async function statesOf(name: string): Promise<string[]> {
  const { rows } = await sql<{ state: string }>`select state from zones where name = ${name} order by state`.execute(db)
  return rows.map(({ state }) => state)
}

async function eventsOf(zone: Added): Promise<string[]> {
  const { rows } = await sql<{
    type: string
  }>`select type from event_outbox where zone_id = ${zone.id} order by seq`.execute(db)
  return rows.map(({ type }) => type)
}

test('a TXT record in the domain’s current DNS makes the zone live; a missing one is reported', async () => {
  const zone = await add('txt.example.com')
  const early = await verify(zone)
  assert.deepEqual([early.status, early.body.state, early.body.verification.outcome], [200, 'pending', 'absent'])
  prove(zone)
  const proved = await verify(zone)
  assert.deepEqual([proved.body.state, proved.body.origin, proved.body.verification], ['live', 'verified', undefined])
  assert.deepEqual(await eventsOf(zone), ['zone.created'])
  assert.equal((await verify(zone)).body.state, 'live', 'asked again, nothing happens')
  assert.deepEqual(await eventsOf(zone), ['zone.created'])
})

test('the one-time nameserver at the registrar also proves control; the shared nameservers never do', async () => {
  const zone = await add('delegated.example.com')
  registry.zones.delegate(zone.name, ['ns1.zonewright.test', 'ns2.zonewright.test'])
  assert.equal((await verify(zone)).body.state, 'pending')
  registry.zones.delegate(zone.name, ['ns1.zonewright.test', zone.nameserver.toUpperCase()])
  registry.behaviours.set({ rcode: 2 }, zone.name)
  assert.equal((await verify(zone)).body.state, 'pending', 'the parent does not say so')
  registry.behaviours.set({}, zone.name)
  assert.equal((await verify(zone)).body.state, 'live')
})

test('the value of another zone, or one behind an alias, proves nothing', async () => {
  const [mine, others] = [await add('alias.example.com'), await add('other.example.com')]
  dns.set(mine.txt.name, 'TXT', [JSON.stringify(others.txt.value)])
  assert.equal((await verify(mine)).body.verification.outcome, 'absent')
  // A wildcard alias to a hosting provider must not let that provider prove control.
  dns.set(mine.txt.name, 'TXT', [JSON.stringify(mine.txt.value)], { alias: 'pages.example.org' })
  assert.equal((await verify(mine)).body.verification.outcome, 'absent')
})

test('a DNS that does not answer is distinguished from one without the proof', async () => {
  const zone = await add('silent.example.com')
  for (const mode of ['servfail', 'silent'] as const) {
    dns.mode = mode
    assert.equal((await verify(zone)).body.verification.outcome, 'unknown', mode)
  }
  dns.mode = 'cut'
  prove(zone)
  try {
    assert.equal((await verify(zone)).body.state, 'live', 'an answer cut over UDP is asked for over TCP')
  } finally {
    dns.mode = 'good'
  }
})

test('the proof is checked automatically, at increasing intervals, for 14 days and no longer', async () => {
  const zone = await add('byitself.example.com')
  const checks = async (): Promise<number> => (await verificationOf(db, zone.id))?.checks ?? -1
  try {
    await verifyDue(api.verification)
    assert.equal(await checks(), 0, 'not at once')
    await moveClock(database, '61 seconds')
    await verifyDue(api.verification)
    assert.equal(await checks(), 1)
    await verifyDue(api.verification)
    assert.equal(await checks(), 1, 'its next time has not come')
    await moveClock(database, '14 days 1 minute')
    await verifyDue(api.verification)
    assert.equal(await checks(), 2)
    await moveClock(database, '30 days')
    prove(zone)
    await verifyDue(api.verification)
    assert.equal((await read(zone)).body.state, 'pending', 'nobody looks any more')
    assert.equal((await verify(zone)).body.state, 'live', 'but whoever asks is answered')
  } finally {
    await moveClock(database, '0 seconds')
  }
})

test('a check on request does not delay the automatic checks', async () => {
  const zone = await add('impatient.example.com')
  const looks = async () =>
    (
      await sql<{ checks: number; dueAt: Date }>`
    select checks, due_at as "dueAt" from zone_verifications where zone_id = ${zone.id}`.execute(db)
    ).rows[0]
  const before = await looks()
  for (let n = 0; n < 6; n++) assert.equal((await verify(zone)).body.verification.outcome, 'absent')
  assert.deepEqual(await looks(), before)
})

test('a proof that the account’s own zone above prevents is refused, and checked as rarely as any other', async () => {
  const zone = await add('child.blocked.example.com')
  await api.zone(ada, 'blocked.example.com')
  const cname = '/zones/blocked.example.com/rrsets/child/CNAME'
  const put = { key: adasKey, body: { records: ['host.example.net.'] } }
  assert.equal((await api.call('PUT', cname, put)).status, 201)
  prove(zone)
  const asked = await verify(zone)
  assert.deepEqual([asked.status, asked.body.error.details[0].code], [422, 'cname_not_alone'], 'who asks hears why')
  try {
    await moveClock(database, '61 seconds')
    await verifyDue(api.verification)
    const refused = await verificationOf(db, zone.id)
    assert.deepEqual([refused?.outcome, refused?.checks], ['refused', 1])
    await moveClock(database, '14 days 1 minute')
    await verifyDue(api.verification)
    await moveClock(database, '30 days')
    await verifyDue(api.verification)
    assert.equal((await verificationOf(db, zone.id))?.checks, 2, 'nobody looks any more')
    assert.equal((await api.call('DELETE', cname, { key: adasKey })).status, 204)
    assert.equal((await verify(zone)).body.state, 'live')
  } finally {
    await moveClock(database, '0 seconds')
  }
})

/** A way to delegate in which PostgreSQL goes away. */
const throughAnOutage: typeof api.verification = {
  ...api.verification,
  delegate: async (tx) => {
    await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx)
  },
}

test('an outage is not a refusal: the proof is checked again as soon as its lease is over', async () => {
  const zone = await add('child.outage.example.com')
  await api.zone(ada, 'outage.example.com')
  prove(zone)
  try {
    await moveClock(database, '61 seconds')
    await verifyDue(throughAnOutage)
    const { outcome, checks } = (await verificationOf(db, zone.id)) ?? {}
    assert.deepEqual([outcome, checks], [null, 0])
    await moveClock(database, '5 minutes')
    await verifyDue(api.verification)
  } finally {
    await moveClock(database, '0 seconds')
  }
  assert.equal((await read(zone)).body.state, 'live')
})

test('the first of several accounts that prove a name at once wins; the others are notified and need a new proof', async () => {
  const [adas, bobs] = [await add('race.example.com'), await add('race.example.com', bobsKey)]
  prove(adas, bobs)
  await Promise.all([settle(adas), settle(bobs)])
  assert.deepEqual(await statesOf('race.example.com'), ['live', 'pending'])
  const adaWon = (await read(adas)).body.state === 'live'
  const [loser, key, address] = adaWon
    ? ([bobs, bobsKey, 'bob@example.net'] as const)
    : ([adas, adasKey, 'ada@example.net'] as const)
  assert.ok((await mailsTo(address)).includes('zone_proved_elsewhere'))
  const { body } = await verify(loser, key)
  assert.notEqual(body.verification.txt.value, loser.txt.value)
  assert.deepEqual(
    [body.state, body.verification.outcome, body.verification.contest_ends_at],
    ['pending', 'absent', null],
  )
})

test('an account that waits for a name that goes live without a proof is notified, and needs a new proof', async () => {
  const waits = async (name: string, goesLive: () => Promise<unknown>): Promise<void> => {
    const told = (await mailsTo('bob@example.net')).length
    const bobs = await add(name, bobsKey)
    prove(bobs)
    await goesLive()
    assert.deepEqual((await mailsTo('bob@example.net')).slice(told), ['zone_proved_elsewhere'], name)
    const { body } = await verify(bobs, bobsKey)
    assert.deepEqual(
      [body.state, body.verification.outcome],
      ['pending', 'absent'],
      'what was put there before counts no more',
    )
    assert.equal(body.verification.contest_ends_at, null)
  }
  await waits('operated.example.com', () => api.zone(ada, 'operated.example.com'))
  await waits('child.awaited.example.com', async () => {
    await api.zone(ada, 'awaited.example.com')
    assert.equal(
      (await api.call('POST', '/zones', { key: adasKey, body: { name: 'child.awaited.example.com' } })).body.state,
      'live',
    )
  })
})

const someone = actorNamed('system', 'test')
const remove = ({ id }: { id: string }): Promise<boolean> =>
  database.transact((tx) => deleteZone(tx, someone, id, api.verification.delegate))
const restore = ({ id }: { id: string }) =>
  database.transact((tx) =>
    restoreZone(tx, api.verification, { actor: someone, accountId: ada, serviceDomains: [] }, id),
  )

test('a restored zone proves nothing: proofs that others added in the meantime count, and open a contest', async () => {
  const adas = await api.zone(ada, 'undone.example.com')
  await remove(adas)
  const told = (await mailsTo('bob@example.net')).length
  const bobs = await add('undone.example.com', bobsKey)
  prove(bobs)
  await restore(adas)
  assert.deepEqual((await mailsTo('bob@example.net')).slice(told), [], 'nothing has changed for him')
  const { body } = await verify(bobs, bobsKey)
  assert.deepEqual([body.state, body.verification.txt.value], ['pending', bobs.txt.value])
  assert.ok(body.verification.contest_ends_at)
})

test('a zone that is deleted while its proof is checked stays deleted', async () => {
  const zone = await add('deleted.example.com')
  prove(zone)
  const verification = await verificationOf(db, zone.id)
  assert.ok(verification)
  const actor = actorNamed('system', 'test')
  const results = await Promise.allSettled([
    database.transact((tx) => deleteZone(tx, actor, zone.id, api.verification.delegate)),
    database.transact((tx) => settleProof(tx, api.verification, actor, verification, 'txt')),
  ])
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'fulfilled'],
  )
  assert.deepEqual(await statesOf('deleted.example.com'), ['deleted'])
  await database.transact((tx) => settleProof(tx, api.verification, actor, verification, 'txt'))
  assert.deepEqual(await statesOf('deleted.example.com'), ['deleted'])
})

test('a deleted account proves nothing, whatever it has left in the DNS', async () => {
  const account = await api.account('leaving@example.net')
  const zone = await add('leaving.example.com', await api.key(account))
  prove(zone)
  await sql`update accounts set deleted_at = app_now() where id = ${account}`.execute(db)
  await settle(zone)
  assert.deepEqual(await statesOf('leaving.example.com'), ['pending'])
})

test('no one can prove a name under someone else’s live zone, even if it was added before', async () => {
  const below = await add('deep.below.example.com', bobsKey)
  await api.zone(ada, 'below.example.com')
  prove(below)
  const { body } = await verify(below, bobsKey)
  assert.deepEqual([body.state, body.verification.outcome], ['pending', 'refused'])
})

test('an account’s live zone delegates to a zone below it that the account proves', async () => {
  const child = await add('child.late.example.com')
  const parent = await api.zone(ada, 'late.example.com')
  prove(child)
  assert.equal((await verify(child)).body.state, 'live')
  const { rows } = await sql<{ name: string }>`
    select name from zone_rrsets where zone_id = ${parent.id} and managed`.execute(db)
  assert.deepEqual(rows, [{ name: 'child.late.example.com' }])
})

/** A live zone of Ada's against which Bob has a fresh proof. */
async function contested(name: string): Promise<{ adas: Added; bobs: Added }> {
  const adas = await add(name)
  prove(adas)
  assert.equal((await verify(adas)).body.state, 'live')
  const bobs = await add(name, bobsKey)
  prove(bobs)
  const { body } = await verify(bobs, bobsKey)
  assert.equal(body.state, 'pending')
  assert.ok(Math.abs(Date.parse(body.verification.contest_ends_at) - Date.now() - 72 * 3_600_000) < 60_000)
  return { adas, bobs }
}

test('a new proof against a live zone opens a contest of 72 hours, and only the owner is notified', async () => {
  const told = (await mailsTo('ada@example.net')).length
  const { adas, bobs } = await contested('contest.example.com')
  assert.deepEqual((await mailsTo('ada@example.net')).slice(told), ['zone_contested'])
  const { body } = await read(adas)
  assert.equal(body.state, 'live', 'nothing changes before')
  assert.ok(body.verification.contest_ends_at)
  assert.notEqual(body.verification.txt.value, bobs.txt.value)
  const events = await eventsOf(adas)
  const again = await verify(bobs, bobsKey)
  assert.equal(again.body.verification.outcome, 'refused', 'there is one contest about a name')
  assert.deepEqual(await eventsOf(adas), events)
})

test('an owner who proves control keeps the zone, and the challenger needs a new proof', async () => {
  const { adas, bobs } = await contested('held.example.com')
  const owners = (await read(adas)).body.verification
  dns.set(bobs.txt.name, 'TXT', [JSON.stringify(owners.txt.value), JSON.stringify(bobs.txt.value)])
  const held = await verify(adas)
  assert.deepEqual([held.body.state, held.body.verification], ['live', undefined])
  const { body } = await verify(bobs, bobsKey)
  assert.deepEqual(
    [body.state, body.verification.outcome, body.verification.contest_ends_at],
    ['pending', 'absent', null],
  )
  assert.notEqual(body.verification.txt.value, bobs.txt.value)
})

test('after 72 hours without the owner’s proof, the zone moves and the former owner is notified', async () => {
  const { adas, bobs } = await contested('moved.example.com')
  const below = await api.call('POST', '/zones', { key: adasKey, body: { name: 'www.moved.example.com' } })
  assert.equal(below.body.state, 'live')
  try {
    await moveClock(database, '71 hours 59 minutes')
    await verifyDue(api.verification)
    assert.equal((await read(adas)).body.state, 'live')
    await moveClock(database, '72 hours 1 minute')
    await Promise.all([verifyDue(api.verification), verifyDue(api.verification)])
  } finally {
    await moveClock(database, '0 seconds')
  }
  assert.equal((await read(adas)).status, 404)
  const now = await read(bobs, bobsKey)
  assert.deepEqual([now.body.state, now.body.origin, now.body.verification], ['live', 'verified', undefined])
  assert.equal((await eventsOf(adas)).at(-1), 'zone.deleted')
  assert.deepEqual(await eventsOf(bobs), ['zone.created'])
  assert.ok((await mailsTo('ada@example.net')).includes('zone_lost'))
  assert.deepEqual(await statesOf('www.moved.example.com'), ['deleted'], 'what rested on it has gone with it')
  assert.ok((await mailsTo('ada@example.net')).includes('zones_lost_below'))
})

test('a contest that the challenger’s own zone above prevents is checked for two more days, and then the zone stays', async () => {
  const { adas } = await contested('child.barred.example.com')
  await api.zone(bob, 'barred.example.com')
  const put = { key: bobsKey, body: { records: ['host.example.net.'] } }
  assert.equal((await api.call('PUT', '/zones/barred.example.com/rrsets/child/CNAME', put)).status, 201)
  const dueInS = async () =>
    (
      await sql<{ inS: number }>`
    select extract(epoch from due_at - app_now())::float8 as "inS" from zone_contests where live_zone_id = ${adas.id}`.execute(
        db,
      )
    ).rows[0]?.inS
  try {
    await moveClock(database, '72 hours 1 minute')
    await verifyDue(api.verification)
    assert.ok(((await dueInS()) ?? 0) > 500)
    await moveClock(database, '121 hours')
    await verifyDue(api.verification)
  } finally {
    await moveClock(database, '0 seconds')
  }
  const { body } = await read(adas)
  assert.deepEqual([body.state, body.verification], ['live', undefined])
})

test('an account can contest a zone below its own zone, which delegates to it after the move', async () => {
  const adas = await add('sub.inherited.example.com')
  prove(adas)
  assert.equal((await verify(adas)).body.state, 'live')
  const above = await api.zone(bob, 'inherited.example.com')
  const bobs = await add('sub.inherited.example.com', bobsKey)
  assert.ok(bobs.txt, 'it is pending')
  prove(bobs)
  assert.ok((await verify(bobs, bobsKey)).body.verification.contest_ends_at)
  await after72Hours()
  assert.equal((await read(adas)).status, 404)
  assert.equal((await read(bobs, bobsKey)).body.state, 'live')
  const { rows } = await sql<{ name: string }>`
    select name from zone_rrsets where zone_id = ${above.id} and managed`.execute(db)
  assert.deepEqual(rows, [{ name: bobs.name }])
})

/** One check of everything that is due after the 72 hours of a contest. */
async function after72Hours(): Promise<void> {
  try {
    await moveClock(database, '72 hours 1 minute')
    await verifyDue(api.verification)
  } finally {
    await moveClock(database, '0 seconds')
  }
}

test('at the end of a contest, a deleted account proves nothing, as challenger or as owner', async () => {
  const setDeleted = (account: string, isDeleted: boolean) =>
    sql`update accounts set deleted_at = case when ${isDeleted} then app_now() end where id = ${account}`.execute(db)
  const { adas } = await contested('forsaken.example.com')
  await setDeleted(bob, true)
  await after72Hours()
  await setDeleted(bob, false)
  const { body } = await read(adas)
  assert.deepEqual([body.state, body.verification], ['live', undefined])
  const { adas: left, bobs } = await contested('abandoned.example.com')
  const owners = (await read(left)).body.verification
  dns.set(bobs.txt.name, 'TXT', [JSON.stringify(owners.txt.value), JSON.stringify(bobs.txt.value)])
  await setDeleted(ada, true)
  await after72Hours()
  await setDeleted(ada, false)
  assert.equal((await read(bobs, bobsKey)).body.state, 'live')
})

test('an account that waits for a name that a contest moves is notified, and needs a new proof', async () => {
  const key = await api.key(await api.account('cleo@example.net'))
  const { bobs } = await contested('third.example.com')
  const cleos = await add('third.example.com', key)
  prove(bobs, cleos)
  await after72Hours()
  assert.equal((await read(bobs, bobsKey)).body.state, 'live')
  assert.deepEqual(await mailsTo('cleo@example.net'), ['zone_proved_elsewhere'])
  const { body } = await verify(cleos, key)
  assert.deepEqual([body.verification.outcome, body.verification.contest_ends_at], ['absent', null])
})

test('when a contest moves a name, a key for the new live zone keeps it, and a key for the deleted one loses it', async () => {
  const name = 'keyed.example.com'
  const { adas, bobs } = await contested(name)
  const manager = await api.account('keyed-manager@example.net')
  await sql`insert into zone_managers (zone_id, account_id) values (${adas.id}, ${manager})`.execute(db)
  const keyOf = (account: string) => api.key(account, { picks: [name], permissions: ['records:read'] })
  const [adasPick, bobsPick, managersPick] = [await keyOf(ada), await keyOf(bob), await keyOf(manager)]
  const zoneOf = async (key: string) => (await api.call('GET', `/zones/${name}`, { key })).body.id
  const scopeOf = async (key: string) =>
    (await api.call('GET', '/api-keys/current', { key })).body.zones.map(({ id }: { id: string }) => id)
  for (const [key, id] of [
    [adasPick, adas.id],
    [managersPick, adas.id],
    [bobsPick, bobs.id],
  ] as const)
    assert.deepEqual([await zoneOf(key), await scopeOf(key)], [id, [id]])
  await after72Hours()
  assert.deepEqual([await zoneOf(bobsPick), await scopeOf(bobsPick)], [bobs.id, [bobs.id]])
  assert.equal((await read(bobs, bobsPick)).body.state, 'live')
  for (const key of [adasPick, managersPick]) assert.deepEqual([await zoneOf(key), await scopeOf(key)], [undefined, []])
})

test('a contest does not move a zone under what has become someone else’s live zone', async () => {
  const { adas, bobs } = await contested('sub.overtaken.example.com')
  await api.zone(ada, 'overtaken.example.com')
  await after72Hours()
  const { body } = await read(adas)
  assert.deepEqual([body.state, body.verification], ['live', undefined], 'the contest is over')
  assert.equal((await read(bobs, bobsKey)).body.state, 'pending')
})

test('results for one contest do not end a later contest of the same zones', async () => {
  const { adas, bobs } = await contested('twice.example.com')
  const first = await contestOf(db, adas.id, contestGraceHours)
  assert.ok(first)
  const owners = (await read(adas)).body.verification
  dns.set(bobs.txt.name, 'TXT', [JSON.stringify(owners.txt.value)])
  assert.equal((await verify(adas)).body.verification, undefined, 'its owner has proved control')
  prove({ ...bobs, ...(await read(bobs, bobsKey)).body.verification })
  assert.ok((await verify(bobs, bobsKey)).body.verification.contest_ends_at, 'the next one')
  await endDueContest(database, api.verification, first)
  const { body } = await read(adas)
  assert.equal(body.state, 'live')
  assert.ok(body.verification.contest_ends_at)
})

test('an outage does not decide a contest, however late', async () => {
  const { bobs } = await contested('child.dark.example.com')
  await api.zone(bob, 'dark.example.com')
  try {
    await moveClock(database, '121 hours')
    await verifyDue(throughAnOutage)
    await moveClock(database, '122 hours')
    await verifyDue(api.verification)
  } finally {
    await moveClock(database, '0 seconds')
  }
  assert.equal((await read(bobs, bobsKey)).body.state, 'live')
})

test('a challenger whose proof is gone at the end of the contest gets nothing', async () => {
  const { adas, bobs } = await contested('gone.example.com')
  dns.set(bobs.txt.name, 'TXT', [])
  await after72Hours()
  const { body } = await read(adas)
  assert.deepEqual([body.state, body.verification], ['live', undefined], 'the contest is over')
})

test('while it is unknown who controls the name, the contest is checked again; after two days the zone stays', async () => {
  const { adas } = await contested('unseen.example.com')
  dns.mode = 'servfail'
  try {
    await moveClock(database, '72 hours 1 minute')
    await verifyDue(api.verification)
    assert.ok((await read(adas)).body.verification.contest_ends_at, 'it is still on')
    await moveClock(database, '121 hours')
    await verifyDue(api.verification)
    const { body } = await read(adas)
    assert.deepEqual([body.state, body.verification], ['live', undefined])
  } finally {
    dns.mode = 'good'
    await moveClock(database, '0 seconds')
  }
})

test('an owner’s nameserver that no one can see does not count as missing: it is checked again', async () => {
  const { adas, bobs } = await contested('hidden.example.com')
  const owners = (await read(adas)).body.verification
  registry.zones.delegate(adas.name, [owners.nameserver])
  registry.behaviours.set({ rcode: 2 }, adas.name)
  try {
    await moveClock(database, '72 hours 1 minute')
    await verifyDue(api.verification)
    assert.ok((await read(adas)).body.verification.contest_ends_at, 'it is still on')
    registry.behaviours.set({}, adas.name)
    await moveClock(database, '72 hours 12 minutes')
    await verifyDue(api.verification)
  } finally {
    registry.behaviours.set({}, adas.name)
    await moveClock(database, '0 seconds')
  }
  const { body } = await read(adas)
  assert.deepEqual([body.state, body.verification], ['live', undefined])
  assert.equal((await read(bobs, bobsKey)).body.state, 'pending')
})

test('a missing TXT record of a challenger is reported, whatever the parent’s servers do', async () => {
  const zone = await add('unheard.example.com')
  registry.behaviours.set({ rcode: 2 }, zone.name)
  try {
    assert.equal((await verify(zone)).body.verification.outcome, 'absent')
  } finally {
    registry.behaviours.set({}, zone.name)
  }
})

test('a contested zone that its owner deletes goes to the challenger at the next check', async () => {
  const { adas, bobs } = await contested('left.example.com')
  await remove(adas)
  await verifyDue(api.verification)
  assert.equal((await read(bobs, bobsKey)).body.state, 'live')
})

test('a deleted zone that was contested cannot be restored, so its owner cannot end the contest that way', async () => {
  const { adas, bobs } = await contested('let-go.example.com')
  await remove(adas)
  await assert.rejects(restore(adas), { code: 'not_found' })
  await verifyDue(api.verification)
  assert.equal((await read(bobs, bobsKey)).body.state, 'live')
})

test('a challenger that deletes its own zone ends the contest; both zones can be restored as usual', async () => {
  const { adas, bobs } = await contested('withdrawn.example.com')
  await remove(bobs)
  assert.equal((await read(adas)).body.verification, undefined, 'the contest is over')
  await remove(adas)
  const challengers = { actor: someone, accountId: bob }
  const undone = await database.transact((tx) =>
    restoreZone(tx, api.verification, { ...challengers, serviceDomains: [] }, bobs.id),
  )
  assert.deepEqual([undone.state, (await restore(adas)).state], ['pending', 'live'])
})

test('a zone that waited goes live with the next serial of its name', async () => {
  const waiting = await add('line.example.com', bobsKey)
  const before = await api.zone(ada, 'line.example.com')
  const ahead = before.serial + 1_000_000
  await sql`update zones set serial = ${ahead}, state = 'deleted', deleted_at = app_now() where id = ${before.id}`.execute(
    db,
  )
  prove({ ...waiting, ...(await read(waiting, bobsKey)).body.verification }) // renewed when the name went live
  assert.equal((await verify(waiting, bobsKey)).body.serial, ahead + 1)
})

test('a one-time nameserver that only one of the parent’s servers reports proves nothing', async () => {
  const second = await startRegistryDns({ ...aboveTheTests, dnsListen: `127.0.0.2:${parent.port}` })
  after(() => second.close())
  const resolver = await startResolver({
    listen: '127.0.0.1:0',
    tops: { 'example.com': registry.dnsAddress },
    nameservers: {},
  })
  after(() => resolver.close())
  const parentDns = new PacketParentDns({
    resolver: { host: '127.0.0.1', port: Number(resolver.address.split(':')[1]) },
    mayAsk: () => true,
    port: parent.port,
    timeoutMs: 2_000,
  })
  const zone = await add('one-server.example.com')
  const verification = await verificationOf(db, zone.id)
  assert.ok(verification)
  const look = () => lookForProof({ ...api.verification, parentDns }, verification)
  registry.zones.delegate(zone.name, [zone.nameserver])
  assert.equal(await look(), 'no_txt', 'the other one says that there is no such name')
  second.behaviours.set({ silent: true }, zone.name)
  assert.equal(await look(), 'no_txt', 'the other one is silent')
  second.behaviours.set({}, zone.name)
  second.zones.delegate(zone.name, [zone.nameserver])
  assert.equal(await look(), 'ns')
})

test('write access to a live zone does not win it: TXT records in it neither open nor win a contest', async () => {
  const managed = await api.zone(ada, 'managed.example.com')
  await sql`insert into zone_managers (zone_id, account_id) values (${managed.id}, ${bob})`.execute(db)
  const bobs = await add('managed.example.com', bobsKey)
  const managersKey = await api.key(bob, { zones: [managed.id], permissions: ['records:write'] })
  const path = `/zones/${managed.id}/rrsets/_zonewright-challenge/TXT`
  const written = { records: [JSON.stringify(bobs.txt.value)] }
  assert.equal((await api.call('PUT', path, { key: managersKey, body: written })).status, 201)
  registry.zones.delegate(managed.name, ['ns1.zonewright.test', 'ns.example.net'])
  prove(bobs) // as the nameservers here answer it then
  const refused = await verify(bobs, bobsKey)
  assert.deepEqual(
    [refused.body.state, refused.body.verification.outcome, refused.body.verification.contest_ends_at],
    ['pending', 'refused', null],
  )

  registry.zones.delegate(managed.name, ['ns.example.net'])
  assert.ok((await verify(bobs, bobsKey)).body.verification.contest_ends_at, 'another DNS shows it')
  registry.zones.delegate(managed.name, ['ns1.zonewright.test', 'ns2.zonewright.test'])
  await after72Hours()
  assert.deepEqual(await statesOf(managed.name), ['live', 'pending'])
  const owners = await api.call('GET', `/zones/${managed.id}`, { key: adasKey })
  assert.deepEqual([owners.body.state, owners.body.verification], ['live', undefined], 'the contest is over')
})

test('while it is unknown whose nameservers show a TXT record, it opens no contest', async () => {
  const held = await api.zone(ada, 'unplaced.example.com')
  const bobs = await add('unplaced.example.com', bobsKey)
  prove(bobs)
  registry.behaviours.set({ rcode: 2 }, held.name)
  try {
    const { body } = await verify(bobs, bobsKey)
    assert.deepEqual([body.verification.outcome, body.verification.contest_ends_at], ['unknown', null])
  } finally {
    registry.behaviours.set({}, held.name)
  }
  assert.ok((await verify(bobs, bobsKey)).body.verification.contest_ends_at)
})

test('a silent parent delays only the check of its own zone', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const silent = await startDnsServer('127.0.0.1:0', async (wire) => {
    const query = parseMessage(wire)
    if (query.questions[0]?.name === 'unanswered.example.com.') await released
    return buildResponse(wire, responseTo(query, { rcode: Rcode.SERVFAIL }))
  })
  after(() => silent.close())
  const resolver = { host: '127.0.0.1', port: Number(silent.address.split(':')[1]) }
  const parentDns = new PacketParentDns({ resolver, mayAsk: () => true, port: 53, timeoutMs: 300_000 })
  const [held, other] = [await add('zone.unanswered.example.com'), await add('answered.example.com')]
  prove(held)
  prove(other)
  await sql`update zone_verifications set due_at = app_now() where zone_id = ${held.id}`.execute(db)
  const worker = startZoneVerification({ ...api.verification, parentDns })
  try {
    await eventually('it is looked at', () => dns.asked.includes(`udp TXT ${held.txt.name}`))
    await sql`update zone_verifications set due_at = app_now() where zone_id = ${other.id}`.execute(db)
    await eventually('the other one is live', async () => (await read(other)).body.state === 'live')
    assert.equal((await read(held)).body.state, 'pending', 'it is still looked at')
  } finally {
    release()
    await worker.stop()
  }
  assert.equal((await read(held)).body.state, 'live')
})
