import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/postgres/index.ts'
import { eventually } from '#testing/eventually.ts'
import { asAnotherProcess } from '#testing/platform/test-database.ts'
import { startTestApi } from '#testing/test-api.ts'
import { faultsOf, rrsetNames, testZones } from '#testing/test-zones.ts'

const api = await startTestApi()
const { account, key, freshZone } = await testZones(api)
const { db } = api.database
const elsewhere = asAnotherProcess(api.database.url)
const observer = asAnotherProcess(api.database.url)

test('PUT replaces every record set except the service’s own', async () => {
  const zone = await freshZone()
  await zone.put('old', 'A', ['192.0.2.1'])
  await zone.put('kept', 'A', ['192.0.2.1'], { ttl: 60 })
  const body = {
    rrsets: [
      { name: 'kept', type: 'A', ttl: 60, records: ['192.0.2.1'] },
      { name: '@', type: 'TXT', records: ['"x"'] },
    ],
  }
  const { status, body: answer } = await zone.call('PUT', '/rrsets', { body })
  assert.equal(status, 200)
  assert.equal(answer.diff.changes.length, 2)
  const names = rrsetNames(await zone.call('GET', '/rrsets'))
  assert.ok(!names.some((name: string) => name.startsWith('old')), names.join())
  const again = await zone.call('PUT', '/rrsets', { body })
  assert.equal(again.body.version, answer.version, 'no effect, no version')

  const child = await api.call('POST', '/zones', { key, body: { name: `sub.${zone.name}` } })
  assert.equal(child.body.state, 'live')
  assert.equal((await zone.call('PUT', '/rrsets', { body })).status, 200)
  const delegation = await zone.call('GET', '/rrsets/sub/NS')
  assert.deepEqual([delegation.status, delegation.body.managed], [200, true], 'it stays delegated')
})

test('an error anywhere in a replacement changes nothing, and each error is reported with its place', async () => {
  const zone = await freshZone()
  await zone.put('old', 'A', ['192.0.2.1'])
  const refused = await zone.call('PUT', '/rrsets', {
    body: {
      rrsets: [
        { name: 'a', type: 'A', records: ['192.0.2.300'] },
        { name: '@', type: 'SOA', records: ['a. b. 1 2 3 4 5'] },
        { name: 'b', type: 'A', records: ['192.0.2.1'] },
      ],
    },
  })
  assert.equal(refused.status, 422)
  assert.deepEqual(
    faultsOf(refused).map((fault: string) => fault.split(' ')[1]),
    ['/rrsets/0/records/0', '/rrsets/1/type'],
  )
  assert.equal((await zone.call('GET', '/rrsets/old/A')).status, 200)
})

test('an import accepts JSON as well as a zone file', async () => {
  const zone = await freshZone()
  await zone.put('old', 'A', ['192.0.2.1'])
  const body = { rrsets: [{ name: 'new', type: 'A', records: ['192.0.2.9'] }] }
  const merged = await zone.call('POST', '/import', { body })
  assert.equal(merged.status, 200)
  assert.deepEqual(merged.body.ignored, [])
  assert.equal((await zone.call('GET', '/rrsets/old/A')).status, 200)
  assert.equal((await zone.call('POST', '/import?mode=replace', { body })).status, 200)
  assert.equal((await zone.call('GET', '/rrsets/old/A')).status, 404)
  assert.equal((await zone.call('POST', '/import', { body: { zone: 'x' } })).status, 422)
})

test('a dry run of any write returns the difference and the warnings, and changes nothing', async () => {
  const zone = await freshZone()
  await zone.put('www', 'A', ['192.0.2.1'])
  const { version } = (await zone.call('GET', '')).body
  const single = { ttl: 604_800, records: ['10 mail', '10 mail'] }
  for (const [method, path, body] of [
    ['PUT', '/rrsets/@/MX', single],
    ['POST', '/rrsets', { name: '@', type: 'MX', ...single }],
    ['PATCH', '/rrsets/@/MX', { ttl: single.ttl, add: single.records }],
    ['PATCH', '/rrsets', { changes: [{ name: '@', type: 'MX', ...single }] }],
    ['POST', '/import', { rrsets: [{ name: '@', type: 'MX', ...single }] }],
  ] as const) {
    const answer = await zone.call(method, `${path}?dry_run=true`, { body })
    assert.equal(answer.status, 200, `${method} ${path}`)
    assert.equal(answer.body.version, version + 1)
    assert.equal(answer.body.diff.changes.length, 1)
    assert.deepEqual(
      answer.body.warnings.map(({ code }: { code: string }) => code).sort(),
      ['duplicates_merged', 'long_ttl', 'no_address'],
      `${method} ${path}`,
    )
  }
  const gone = await zone.call('DELETE', '/rrsets/www/A?dry_run=true')
  assert.equal(gone.status, 200)
  assert.equal(gone.body.diff.changes[0].after, null)
  assert.equal((await zone.call('GET', '')).body.version, version)
})

test('warnings reveal nothing about the zone to a key that cannot read', async () => {
  const zone = await freshZone()
  await zone.put('@', 'MX', ['10 mail'])
  await zone.put('mail', 'A', ['192.0.2.1'])
  const writer = await api.key(account, { permissions: ['records:write'] })
  const answer = await zone.call('DELETE', '/rrsets/mail/A?dry_run=true', { key: writer })
  assert.deepEqual(answer.body.warnings, [])
})

test('Prefer: wait responds when every nameserver serves the change or the wait time has passed, and says which', async () => {
  const zone = await freshZone()
  await sql`insert into nameservers (name, address, position) values ('ns1.zonewright.test', '127.0.0.1:1', 0), ('ns2.zonewright.test', '127.0.0.1:2', 1)
    on conflict do nothing`.execute(db)
  const put = (value: string, wait: string) =>
    zone.call('PUT', '/rrsets/www/A', { body: { records: [value] }, headers: { prefer: wait } })
  const early = await put('192.0.2.1', 'wait=0')
  assert.equal(early.body.replicated, false)
  assert.equal(early.headers['preference-applied'], 'wait=0')

  const waiting = put('192.0.2.2', 'respond-async, wait=20')
  for (;;) {
    const { rows } = await sql<{ version: number }>`select version from zones where id = ${zone.id}`.execute(db)
    if (rows[0]?.version === 2) break
  }
  await sql`insert into zone_sightings (zone_id, nameserver, serial)
    select z.id, n.name, z.serial from zones z cross join nameservers n where z.id = ${zone.id}`.execute(db)
  const late = await waiting
  assert.equal(late.body.replicated, true)
  assert.equal(late.headers['zone-replicated'], 'true')

  const gone = await zone.call('DELETE', '/rrsets/www/A', { headers: { prefer: 'wait=0' } })
  assert.equal(gone.status, 204)
  assert.equal(gone.headers['zone-replicated'], 'false')
  const plain = await zone.call('PUT', '/rrsets/www/A', { body: { records: ['192.0.2.3'] } })
  assert.equal('replicated' in plain.body, false)
})

/** Requests of this process that wait for the lock of another one. */
async function waitingForLocks(): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
    observer.db,
  )
  return rows[0]?.waiting ?? 0
}

test('at most two changes of whole zones run at a time; small changes, dry runs and bulk changes do not wait for them', async () => {
  const zones = await Promise.all(Array.from({ length: 6 }, () => freshZone()))
  const small = await freshZone()
  const body = { rrsets: [{ name: 'new', type: 'A', records: ['192.0.2.9'] }] }
  const settled: number[] = []
  const kinds = [
    ['PUT', '/rrsets', { body }],
    ['POST', '/import?mode=replace', { body }],
    ['POST', '/import?mode=replace', { body, headers: { 'Idempotency-Key': 'whole' } }],
    ['POST', '/versions/0/restore', {}],
    ['POST', '/rrsets', { body: { name: 'below', type: 'DNAME', records: ['example.net.'] } }],
    ['POST', '/import?mode=replace', { body: 'new 60 IN A 192.0.2.9', headers: { 'Content-Type': 'text/dns' } }],
  ] as const
  const { changes } = await elsewhere.transact(async (tx) => {
    await sql`select from zones where name <> ${small.name} for update`.execute(tx)
    const changes = kinds.map(async ([method, path, options], i) => {
      const { status } = (await zones[i]?.call(method, path, options)) ?? {}
      settled.push(i)
      return status
    })
    await eventually('two wait for the lock', async () => (await waitingForLocks()) >= 2)
    const dry = await small.call('PUT', '/rrsets/www/A?dry_run=true', { body: { records: ['192.0.2.1'] } })
    assert.equal(dry.status, 200)
    const changes101 = Array.from({ length: 101 }, (_, n) => ({ name: `n${n}`, type: 'A', records: ['192.0.2.1'] }))
    assert.equal((await small.call('PATCH', '/rrsets', { body: { changes: changes101 } })).status, 200)
    for (let n = 0; n < 20; n++) assert.ok((await small.put(`www${n}`, 'A', ['192.0.2.1'])).status < 300)
    assert.equal(await waitingForLocks(), 2)
    assert.deepEqual(settled, [])
    return { changes }
  })
  const statuses = await Promise.all(changes)
  assert.ok(
    statuses.every((status) => status === 200 || status === 201),
    statuses.join(),
  )
})

test('at most two reads of whole zones or histories run at a time, and reading one record set does not wait for them', async () => {
  const zone = await freshZone()
  await zone.put('www', 'A', ['192.0.2.1'])
  const version = await zone.version()
  const { reads } = await elsewhere.transact(async (tx) => {
    await sql`lock table zone_changes`.execute(tx)
    const reads = [1, 2, 3].flatMap(() => [
      zone.call('GET', `/versions/${version}/diff`),
      zone.call('POST', '/versions/0/restore?dry_run=true'),
    ])
    await eventually('two wait for the lock', async () => (await waitingForLocks()) >= 2)
    for (let n = 0; n < 20; n++) assert.equal((await zone.call('GET', '/rrsets/www/A')).status, 200)
    assert.equal(await waitingForLocks(), 2)
    return { reads }
  })
  for (const read of reads) assert.equal((await read).status, 200)
})
