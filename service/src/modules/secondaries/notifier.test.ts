import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { after, test } from 'node:test'
import {
  buildResponse,
  ixfrQuery,
  Opcode,
  parseMessage,
  parseName,
  Rcode,
  responseTo,
  soaFromRdata,
  type TsigKey,
  TsigSession,
} from '@zonewright/dns'
import { startDnsServer } from '@zonewright/sandbox'
import { reachOf } from '#compose/reach.ts'
import { hmac, unixSeconds, zoneSoa } from '#modules/primary/index.ts'
import { createMetrics } from '#platform/figures/metrics.ts'
import { sql } from '#platform/postgres/index.ts'
import { question, startTestDoor } from '#testing/dns-door/test-door.ts'
import { eventually } from '#testing/eventually.ts'
import { moveClock } from '#testing/move-clock.ts'
import { startTestApi } from '#testing/test-api.ts'
import { TestPerson } from '#testing/test-person.ts'
import { Notifier } from './notifier.ts'

/** A NOTIFY that arrived. */
interface Arrived {
  readonly zone: string
  readonly serial: number
  readonly atMs: number
}

/** A secondary that checks signatures with `key`, and answers in one of three ways. */
const peer: { key: TsigKey | undefined; answers: 'well' | 'unsigned' | 'not'; arrived: Arrived[]; refused: number } = {
  key: undefined,
  answers: 'well',
  arrived: [],
  refused: 0,
}
const server = await startDnsServer('127.0.0.1:0', async (wire) => {
  const query = parseMessage(wire)
  const [soa] = query.answers
  if (query.opcode !== Opcode.NOTIFY || soa === undefined || peer.key === undefined) return undefined
  const session = new TsigSession(peer.key, hmac)
  if (session.faultOf(wire, unixSeconds()) !== undefined) {
    peer.refused++
    return buildResponse(wire, responseTo(query, { rcode: Rcode.REFUSED }))
  }
  const { serial } = soaFromRdata(soa.data)
  peer.arrived.push({ zone: query.questions[0]?.name ?? '', serial, atMs: performance.now() })
  if (peer.answers === 'not') return undefined
  const answer = buildResponse(wire, responseTo(query, { aa: true }))
  return peer.answers === 'well' ? session.sign(answer, unixSeconds()) : answer
})
after(() => server.close())
const port = Number(server.address.split(':')[1])
/** A server at all addresses of this machine, which never answers. */
const silent = createSocket('udp4').bind(0)
await once(silent, 'listening')
after(() => silent.close())
const silentPort = silent.address().port

const api = await startTestApi({ trustedTargets: [server.address] })
const { database, parts } = api
const door = await startTestDoor(api)
const person = await TestPerson.secured(api, 'owner@example.net')
const owner: string = (await person.call('GET', '/account')).body.id
const key = await door.key(owner)
peer.key = key.tsig

const start = (mayReach = reachOf(parts.configuration)): Notifier => {
  const { log, secrets } = parts
  const notifier = new Notifier({ database, log, secrets, metrics: createMetrics(), mayReach })
  notifier.start()
  return notifier
}
let running = start()
after(() => running.stop())

let zones = 0
async function freshZone() {
  const zone = await api.zone(owner, `zone${++zones}.example.org`)
  const path = `/zones/${zone.name}`
  const save = async (keyId = key.id): Promise<void> => {
    const secondaries = [{ address: '127.0.0.1', port, key_id: keyId }]
    const { status } = await person.call('PUT', `${path}/secondaries`, { body: { secondaries } })
    assert.equal(status, 200)
  }
  /** Changes a record. Returns the new serial. */
  const change = async (): Promise<number> => {
    const body = { ttl: 300, records: [`192.0.${++changes >> 8}.${changes & 255}`] }
    const { status } = await person.call('PUT', `${path}/rrsets/www/A`, { body })
    assert.ok(status === 200 || status === 201, `${status}`)
    return (await person.call('GET', path)).body.serial
  }
  const shown = async () => (await person.call('GET', `${path}/secondaries`)).body.secondaries[0]
  const arrived = (): Arrived[] => peer.arrived.filter((each) => each.zone === `${zone.name}.`)
  const notified = (serial: number) =>
    eventually(`NOTIFY of ${zone.name} with ${serial}`, () => arrived().some((each) => each.serial === serial))
  const outcome = (wanted: string) =>
    eventually(`outcome ${wanted}`, async () => (await shown()).notify_outcome === wanted)
  return { ...zone, save, change, shown, arrived, notified, outcome }
}
let changes = 0

/** Resolves once the notifier has claimed and finished what was due when this was called: another zone is notified. */
async function oneRound(): Promise<void> {
  const other = await freshZone()
  await other.save()
  await other.notified(other.serial)
}

test('a secondary gets a NOTIFY with the serial, signed with its key, when it is added and after each change', async () => {
  const zone = await freshZone()
  await zone.save()
  await zone.notified(zone.serial)
  await zone.outcome('acknowledged')
  await zone.notified(await zone.change())
  assert.equal(peer.refused, 0)
  assert.notEqual((await zone.shown()).notified_at, null)
})

test('changes and saves in quick succession cause at most one NOTIFY a second, however many processes run', async () => {
  const zone = await freshZone()
  const second = start()
  try {
    const startedAtMs = performance.now()
    await zone.save()
    while (performance.now() - startedAtMs < 3_500) {
      await zone.change()
      await zone.save()
    }
    await zone.notified(await zone.change())
    // A secondary that is removed and added again also waits.
    const removed = await person.call('PUT', `/zones/${zone.name}/secondaries`, { body: { secondaries: [] } })
    assert.equal(removed.status, 200)
    await zone.save()
    await zone.notified(await zone.change())
    const seconds = (performance.now() - startedAtMs) / 1_000
    assert.ok(zone.arrived().length <= seconds + 1, `${zone.arrived().length} in ${seconds} s`)
    assert.ok(zone.arrived().length >= 3)
  } finally {
    await second.stop()
  }
})

test('a NOTIFY without an answer is repeated, and an unsigned answer is not an acknowledgement', async () => {
  const zone = await freshZone()
  peer.answers = 'not'
  await zone.save()
  await eventually('two NOTIFYs', () => zone.arrived().length >= 2)
  await zone.outcome('silent')
  peer.answers = 'unsigned'
  await zone.outcome('refused')
  const before = zone.arrived().length
  peer.answers = 'well'
  await oneRound()
  assert.equal(zone.arrived().length, before)
})

test('secondaries of one account that do not answer delay no other account', async () => {
  await running.stop()
  const zone = await freshZone()
  await zone.save()
  const { rows } = await sql<{ n: number }>`
    insert into zone_secondaries (zone_id, address, port, key_id, position, active_until, due_at)
    select ${zone.id}::uuid, '127.1.' || n / 250 || '.' || n % 250 + 1, ${silentPort}, ${key.id}, n, app_now() + interval '1 h', app_now() - interval '1 h'
    from generate_series(1, 1500) n returning 1 as n`.execute(database.db)
  assert.equal(rows.length, 1_500)
  const other = await TestPerson.secured(api, 'other@example.net')
  const { id: otherId } = (await other.call('GET', '/account')).body
  const othersKey = await door.key(otherId)
  const { name } = await api.zone(otherId, 'others.example.net')
  const secondaries = [{ address: '127.0.0.1', port, key_id: othersKey.id }]
  assert.equal((await other.call('PUT', `/zones/${name}/secondaries`, { body: { secondaries } })).status, 200)
  peer.key = othersKey.tsig
  running = start(() => true)
  await eventually('the NOTIFY of the other account', () => peer.arrived.some((each) => each.zone === `${name}.`))
  const answered =
    await sql`select from zone_secondaries where zone_id = ${zone.id} and notify_outcome is not null`.execute(
      database.db,
    )
  assert.equal(answered.rows.length, 0, 'the first of them are still waited for')
  peer.key = key.tsig
  await running.stop()
  await sql`delete from zone_secondaries where zone_id = ${zone.id}`.execute(database.db)
  running = start()
})

test('a secondary whose key ended gets no NOTIFY', async () => {
  const zone = await freshZone()
  const ending = await door.key(owner)
  peer.key = ending.tsig
  await zone.save(ending.id)
  await zone.notified(zone.serial)
  await zone.outcome('acknowledged')
  peer.key = key.tsig
  await sql`update api_keys set revoked_at = app_now() where id = ${ending.id}`.execute(database.db)
  const refused = peer.refused
  await zone.change()
  await oneRound()
  assert.deepEqual([zone.arrived().length, peer.refused, (await zone.shown()).state], [1, refused, 'cut_off'])
})

test('an address that may no longer be reached gets no NOTIFY', async () => {
  await running.stop()
  running = start(() => false)
  const zone = await freshZone()
  await zone.save()
  await zone.outcome('refused')
  assert.deepEqual(zone.arrived(), [])
  await running.stop()
  running = start()
})

test('after 24 hours without a signed query, NOTIFYs stop until the list is saved again', async () => {
  const zone = await freshZone()
  await zone.save()
  await zone.outcome('acknowledged')
  await moveClock(database, '25 hours')
  assert.equal((await zone.shown()).state, 'silent')
  const client = await door.connect()
  assert.equal((await client.ask(question(`${zone.name}.`, 'SOA'), key.tsig)).rcode, Rcode.NOERROR)
  await eventually('the query is recorded', async () => (await zone.shown()).read_at)
  const before = zone.arrived().length
  await zone.change()
  await oneRound()
  assert.deepEqual([(await zone.shown()).state, zone.arrived().length], ['silent', before])

  await zone.save()
  await eventually('a NOTIFY', () => zone.arrived().length > before)
  assert.equal((await zone.shown()).state, 'active')
})

test('a signed query within 24 hours keeps a secondary active for 24 hours more', async () => {
  const zone = await freshZone()
  await zone.save()
  await moveClock(database, '48 hours') // 23 h after the list was saved
  const client = await door.connect()
  assert.equal((await client.ask(question(`${zone.name}.`, 'SOA'), key.tsig)).rcode, Rcode.NOERROR)
  await eventually('the query is recorded', async () => (await zone.shown()).read_at)
  await moveClock(database, '71 hours')
  assert.equal((await zone.shown()).state, 'active')
  await zone.notified(await zone.change())
  await moveClock(database, '73 hours')
  assert.equal((await zone.shown()).state, 'silent')
})

test('signed SOA queries, AXFRs and IXFRs are each recorded; other queries and those of other keys are not', async () => {
  for (const type of ['SOA', 'AXFR', 'IXFR']) {
    const zone = await freshZone()
    await zone.save()
    const other = await door.key(owner)
    const client = await door.connect()
    const soa = zoneSoa(zone.name, zone.serial, ['ns1.zonewright.test'])
    const query = type === 'IXFR' ? ixfrQuery(0, parseName(`${zone.name}.`), soa) : question(`${zone.name}.`, type)
    assert.equal((await client.ask(query, other.tsig)).rcode, Rcode.NOERROR)
    assert.equal((await client.ask(question(`${zone.name}.`, 'NS'), key.tsig)).rcode, Rcode.NOERROR)
    await oneRound()
    assert.equal((await zone.shown()).read_at, null, type)
    assert.equal((await client.ask(query, key.tsig)).rcode, Rcode.NOERROR)
    await eventually(`a recorded ${type}`, async () => (await zone.shown()).read_at)
  }
})

test('a secondary that transfers in a loop is recorded once', async () => {
  const zone = await freshZone()
  await zone.save()
  const client = await door.connect()
  await client.ask(question(`${zone.name}.`, 'AXFR'), key.tsig)
  const readAt = await eventually('a recorded AXFR', async () => (await zone.shown()).read_at)
  for (let i = 0; i < 20; i++) await client.ask(question(`${zone.name}.`, 'AXFR'), key.tsig)
  await oneRound()
  assert.equal((await zone.shown()).read_at, readAt)
})
