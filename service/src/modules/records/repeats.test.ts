import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/postgres/index.ts'
import { asAnotherProcess } from '#testing/platform/test-database.ts'
import { startTestApi, type TestAnswer } from '#testing/test-api.ts'
import { type FreshZone, testZones, zoneFileType } from '#testing/test-zones.ts'
import { untilBlocked } from '#testing/until-blocked.ts'

const api = await startTestApi()
const { freshZone } = await testZones(api)
const { db } = api.database
const elsewhere = asAnotherProcess(api.database.url)
await sql`insert into nameservers (name, address, position) values ('ns1.zonewright.test', '127.0.0.1:1', 0)`.execute(
  db,
)

interface Write {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

const rrset = { name: 'new', type: 'A', records: ['192.0.2.9'] }

/** The writes of records that take an Idempotency-Key. */
const repeatable: readonly Write[] = [
  { method: 'POST', path: '/rrsets', body: rrset },
  { method: 'POST', path: '/import', body: { rrsets: [rrset] } },
  { method: 'POST', path: '/import', body: 'new A 192.0.2.9', headers: zoneFileType },
  { method: 'POST', path: '/presets/zonewright.no-mail', body: {} },
  { method: 'POST', path: '/versions/0/restore', body: {} },
]

/** The writes that are idempotent by nature. */
const others: readonly Write[] = [
  { method: 'PUT', path: '/rrsets/new/A', body: { records: rrset.records } },
  { method: 'PATCH', path: '/rrsets/new/A', body: { add: rrset.records } },
  { method: 'PATCH', path: '/rrsets', body: { changes: [rrset] } },
  { method: 'PUT', path: '/rrsets', body: { rrsets: [rrset] } },
  { method: 'DELETE', path: '/rrsets/www/A' },
]

/** A zone that each of the writes changes. */
async function zoneWithRecord(): Promise<FreshZone> {
  const zone = await freshZone()
  await zone.put('www', 'A', ['192.0.2.1'])
  return zone
}

function send(
  zone: FreshZone,
  { method, path, body, headers }: Write,
  more: Record<string, string>,
): Promise<TestAnswer> {
  return zone.call(method, path, { body, headers: { ...headers, ...more } })
}

const shownOf = ({ body, headers }: TestAnswer) => [
  body?.replicated,
  headers['zone-replicated'],
  headers['preference-applied'],
]

for (const write of [...repeatable, ...others])
  test(`Prefer: wait applies to ${write.method} ${write.path} (${typeof write.body})`, async () => {
    const answer = await send(await zoneWithRecord(), write, { prefer: 'wait=0' })
    assert.deepEqual(shownOf(answer), [answer.status === 204 ? undefined : false, 'false', 'wait=0'])
  })

test('a dry run does not wait, and a write without `Prefer: wait` reports nothing about the nameservers', async () => {
  const zone = await zoneWithRecord()
  const path = '/presets/zonewright.no-mail'
  const tried = await send(zone, { method: 'POST', path: `${path}?dry_run=true`, body: {} }, { prefer: 'wait=0' })
  for (const answer of [tried, await send(zone, { method: 'POST', path, body: {} }, {})])
    assert.deepEqual([answer.status, ...shownOf(answer)], [200, undefined, undefined, undefined])
})

test('a change is reported as made if the database fails while its caller waits for the nameservers', async () => {
  const zone = await zoneWithRecord()
  let waiting: Promise<TestAnswer> | undefined
  await elsewhere.transact(async (tx) => {
    await sql`lock table zone_sightings`.execute(tx)
    waiting = send(
      zone,
      { method: 'PUT', path: '/rrsets/new/A', body: { records: rrset.records } },
      { prefer: 'wait=20' },
    )
    await untilBlocked(db)
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(tx)
    await sql`insert into zone_sightings (zone_id, nameserver, serial)
      select id, 'ns1.zonewright.test', serial from zones where id = ${zone.id}`.execute(tx)
  })
  const answer = await waiting
  assert.ok(answer)
  assert.deepEqual([answer.status, ...shownOf(answer)], [201, true, 'true', 'wait=20'])
})

for (const write of repeatable)
  test(`a repeat of ${write.path} (${typeof write.body}) waits for the nameservers again, and otherwise returns the first response`, async () => {
    const zone = await zoneWithRecord()
    const repeat = (prefer: Record<string, string>) => send(zone, write, { 'idempotency-key': zone.id, ...prefer })
    const first = await repeat({ prefer: 'wait=0' })
    assert.deepEqual(shownOf(first), [false, 'false', 'wait=0'])
    const again = await repeat({ prefer: 'wait=0' })
    assert.deepEqual([again.status, again.body, shownOf(again)], [first.status, first.body, shownOf(first)])

    let waiting: Promise<TestAnswer> | undefined
    await elsewhere.transact(async (tx) => {
      await sql`lock table zone_sightings`.execute(tx)
      waiting = repeat({ prefer: 'wait=20' })
      await untilBlocked(db)
      await sql`insert into zone_sightings (zone_id, nameserver, serial)
        select z.id, n.name, z.serial from zones z cross join nameservers n where z.id = ${zone.id}`.execute(tx)
    })
    const served = await waiting
    assert.ok(served)
    assert.deepEqual([served.status, served.body], [first.status, { ...first.body, replicated: true }])
    assert.deepEqual(shownOf(served), [true, 'true', 'wait=20'])

    const { replicated, ...plain } = first.body
    assert.deepEqual((await repeat({})).body, plain, 'what is kept says nothing of the nameservers')
    assert.equal(await zone.version(), 2)
  })

for (const write of repeatable)
  test(`a repeat of ${write.path} (${typeof write.body}) gets its response even if If-Match names an earlier version`, async () => {
    const zone = await zoneWithRecord()
    const repeat = (ifMatch: string) => send(zone, write, { 'idempotency-key': zone.id, 'if-match': ifMatch })
    assert.equal((await repeat('"0"')).status, 412, 'a refused one leaves its key free')
    const first = await repeat('"1"')
    assert.equal(first.headers.etag, '"2"')
    await zone.put('later', 'A', ['192.0.2.3'])
    const again = await repeat('"1"')
    assert.deepEqual([again.status, again.body, again.headers.etag], [first.status, first.body, first.headers.etag])
    assert.equal(await zone.version(), 3)
  })
