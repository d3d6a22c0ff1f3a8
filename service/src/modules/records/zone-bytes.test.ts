import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from '#platform/postgres/index.ts'
import { startTestApi, type TestAnswer, testFreeParent } from '#testing/test-api.ts'
import { codeOf, type FreshZone, faultsOf, testZones, zoneFileType } from '#testing/test-zones.ts'
import { maxZoneBytes } from './rules.ts'

const api = await startTestApi()
const { db } = api.database
const { account, key, freshZone } = await testZones(api)

/** The stored byte count of every zone and of every step of its journal, and the recount, if they differ. */
async function miscounted(): Promise<unknown[]> {
  const { rows } = await sql`
    select z.name, z.bytes, z.rrset_count, counted.bytes as counted, counted.rrsets from zones z cross join lateral (
      select count(*)::int as rrsets, coalesce(sum(length(r.name) + (
        select sum(12 + greatest(length(record) + 1, 16)) from unnest(r.records) record
      )), 0)::bigint as bytes from zone_rrsets r where r.zone_id = z.id
    ) counted where z.bytes <> counted.bytes or z.rrset_count <> counted.rrsets`.execute(db)
  const steps = await sql`
    select j.zone_id, j.to_serial, j.bytes, counted.bytes as counted from zone_journal j cross join lateral (
      select coalesce(sum(length(side.name) + (
        select sum(12 + greatest(length(record) + 1, 16)) from unnest(side.records) record
      )), 0)::bigint as bytes from (
        select * from json_to_recordset(j.removed) as r(name text, records text[])
        union all select * from json_to_recordset(j.added) as r(name text, records text[])
      ) side
    ) counted where j.bytes <> counted.bytes`.execute(db)
  return [...rows, ...steps.rows]
}

async function bytesOf(zone: { id: string }): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`select bytes from zones where id = ${zone.id}`.execute(db)
  return rows[0]?.bytes ?? Number.NaN
}

test('the byte count of a zone is right after every kind of change', async () => {
  const zone = await freshZone()
  const acme = await api.key(account, { permissions: ['acme:dns01'] })
  const txt = (...values: string[]) => values.map((value) => `"${value}"`)
  const write =
    (method: string, path: string, body?: unknown, more: object = {}) =>
    () =>
      zone.call(method, path, { ...(body !== undefined && { body }), ...more })
  const ways: (() => Promise<TestAnswer>)[] = [
    write('PUT', '/rrsets/@/TXT', { records: txt('one', 'a much longer value than the one before it') }),
    write('PUT', '/rrsets/@/TXT', { records: txt('two') }),
    write('PUT', '/rrsets/@/TXT', { ttl: 60, records: txt('two') }),
    write('POST', '/rrsets', { name: 'www', type: 'A', records: ['192.0.2.1', '192.0.2.2'] }),
    write('PATCH', '/rrsets/www/A', { add: ['192.0.2.3'], remove: ['192.0.2.1', '192.0.2.2'] }),
    write('PATCH', '/rrsets/_acme-challenge/TXT', { add: txt('x'.repeat(43)) }, { key: acme }),
    write('PATCH', '/rrsets/_acme-challenge/TXT', { remove: txt('x'.repeat(43)) }, { key: acme }),
    write('PATCH', '/rrsets', {
      changes: [
        { name: 'www', type: 'A', records: [] },
        { name: 'odd\\.label', type: 'TXT', records: ['"\\000\\255 \\" \\\\"'] },
      ],
    }),
    write('POST', '/import', 'a 60 A 192.0.2.1\nb 60 MX 10 mail\n', { headers: zoneFileType }),
    write('POST', '/import?mode=replace', 'c 60 A 192.0.2.1\n@ 60 NS ns.example.net.\n', { headers: zoneFileType }),
    write('POST', '/import', { rrsets: [{ name: 'd', type: 'AAAA', records: ['2001:db8::1'] }] }),
    write('POST', '/presets/google.com.workspace', { parameters: {} }),
    write('POST', '/presets/zonewright.no-mail', { parameters: {} }),
    write('PUT', '/rrsets', { rrsets: [{ name: 'e', type: 'CAA', records: ['0 issue "letsencrypt.org"'] }] }),
    write('POST', '/versions/4/restore', {}),
    () => api.call('POST', '/zones', { key, body: { name: `child.${zone.name}` } }),
    write('PUT', '/rrsets', { rrsets: [] }),
    write('POST', '/versions/9/restore', {}),
    write('DELETE', '/rrsets/c/A'),
    write('PUT', '/rrsets/@/TXT?dry_run=true', { records: txt('never there') }),
    write('PUT', '/rrsets/www/A', { records: ['192.0.2.300'] }),
  ]
  for (const [i, way] of ways.entries()) {
    const { status, body } = await way()
    assert.ok(status < 300 || i === ways.length - 1, `${i}: ${JSON.stringify(body)}`)
    assert.deepEqual(await miscounted(), [], `after the way ${i}`)
  }
  assert.ok((await bytesOf(zone)) > 0)
})

test('the byte count of a zone is right when many subdomains are claimed in it at once', async () => {
  const parent = await api.zone(account, testFreeParent)
  const claimers = await Promise.all(
    Array.from({ length: 8 }, async (_, i) => api.key(await api.account(`claimer${i}@example.net`))),
  )
  const claimed = await Promise.all(
    claimers.map((claimer, i) =>
      api.call('POST', '/free-subdomains', { key: claimer, body: { name: `claimed${i}.${testFreeParent}` } }),
    ),
  )
  assert.deepEqual(
    claimed.map(({ status }) => status),
    claimers.map(() => 201),
  )
  assert.deepEqual(await miscounted(), [])
  assert.ok((await bytesOf(parent)) > 8 * 56, 'a name and two nameservers each')
})

const anyValues = fc.subarray(['192.0.2.1', '192.0.2.22', '192.0.2.222', '198.51.100.1'])
const anyName = fc.constantFrom('a', 'b.c', 'longer-name')
const anyWrite = fc.oneof(
  fc.record({ method: fc.constant('PUT'), name: anyName, records: anyValues, add: anyValues }),
  fc.record({ method: fc.constant('PATCH'), name: anyName, records: anyValues, add: anyValues }),
  fc.record({ method: fc.constant('DELETE'), name: anyName, records: anyValues, add: anyValues }),
)

test('the byte count of a zone equals a recount after any concurrent writes, also in shared transactions', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(anyWrite, { maxLength: 12 }), { maxLength: 4 }), async (rounds) => {
      const zone: FreshZone = await freshZone()
      for (const round of rounds) {
        await Promise.all(
          round.map(({ method, name, records, add }) => {
            const bodies: Record<string, object> = { PUT: { records }, PATCH: { add, remove: records } }
            const body = bodies[method]
            return zone.call(method, `/rrsets/${name}/A`, body ? { body } : {})
          }),
        )
        assert.deepEqual(await miscounted(), [])
      }
    }),
    { numRuns: 15 },
  )
})

test('a zone file is no larger than the byte count of its zone, however long its names', async () => {
  const zone = await freshZone()
  const name = [...'xyz'].map((letter) => letter.repeat(60)).join('.')
  const addresses = Array.from({ length: 2_000 }, (_, i) => `10.0.${Math.floor(i / 250)}.${i % 250}`)
  assert.equal((await zone.put(name, 'A', addresses)).status, 201)
  const exported = await zone.call('GET', '/export')
  const counted = await bytesOf(zone)
  assert.ok(exported.body.length < counted, `${exported.body.length} bytes, counted as ${counted}`)
  assert.equal(exported.body.match(/\tIN\tA\t/g).length, addresses.length)
})

test('a full zone refuses every write that would make it larger, names the limit, and can be read and emptied', async () => {
  const zone = await freshZone()
  // As many of the largest rrsets as possible. Importing them takes ten seconds.
  const value = `${`"${'x'.repeat(250)}" `.repeat(250)}"end"`
  await sql`
    insert into zone_rrsets (zone_id, name, type, ttl, records)
    select ${zone.id}, 'h' || i || ${`.${zone.name}`}, 'TXT', 3600, array[${value}] from generate_series(1000, 1529) i`.execute(
    db,
  )
  await sql`
    update zones set rrset_count = n, bytes = total from (
      select count(*) as n, sum(length(name) + 13 + length(records[1])) as total from zone_rrsets where zone_id = ${zone.id}
    ) counted where id = ${zone.id}`.execute(db)
  assert.deepEqual(await miscounted(), [])
  const left = maxZoneBytes - (await bytesOf(zone))
  assert.ok(left > 0 && left < value.length, `${left} bytes are left`)

  const rrset = { name: 'more', type: 'TXT', ttl: 60, records: [value] }
  const many = { rrsets: [rrset] }
  for (const [method, path, body] of [
    ['PUT', '/rrsets/more/TXT', { records: [value] }],
    ['PUT', '/rrsets/more/TXT?dry_run=true', { records: [value] }],
    ['POST', '/rrsets', rrset],
    ['PATCH', '/rrsets/more/TXT', { add: [value] }],
    ['PATCH', '/rrsets', { changes: [rrset] }],
    ['POST', '/import', many],
    ['POST', '/import', `more 60 TXT ${value}\n`],
  ] as const) {
    const answer = await zone.call(method, path, { body, headers: typeof body === 'string' ? zoneFileType : {} })
    assert.deepEqual(codeOf(answer), [422, 'validation_failed'], path)
    assert.match(faultsOf(answer).join(), /^zone_full /, path)
    assert.match(answer.body.error.message, /A zone can hold at most 33554432 bytes of names and records/)
  }
  assert.equal(await zone.version(), 0)
  const exported = await zone.call('GET', '/export')
  assert.deepEqual([exported.status, exported.body.length > 0.9 * maxZoneBytes], [200, true])
  assert.equal((await zone.put('h1000', 'TXT', ['"short"'])).status, 200)
  assert.equal((await zone.call('PUT', '/rrsets', { body: many })).status, 200)
  assert.deepEqual(await miscounted(), [])
  assert.ok((await bytesOf(zone)) < value.length + 100)
})
