import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/postgres/index.ts'
import { startTestApi, testNameservers } from '#testing/test-api.ts'
import { codeOf, testZones, zoneFileType } from '#testing/test-zones.ts'

const api = await startTestApi()
const { database } = api
const { account, freshZone } = await testZones(api)

test('PUT creates with 201 and replaces with 200, and a repeat has no effect', async () => {
  const zone = await freshZone()
  const created = await zone.put('WWW', 'a', ['192.0.2.2', '192.0.2.1'], { ttl: 300 })
  assert.equal(created.status, 201)
  assert.equal(created.headers.etag, '"1"')
  const { updated_at, ...rrset } = created.body
  assert.deepEqual(rrset, {
    name: `www.${zone.name}`,
    type: 'A',
    ttl: 300,
    records: ['192.0.2.1', '192.0.2.2'],
    managed: false,
  })
  assert.match(updated_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

  const replaced = await zone.put(`www.${zone.name}.`, 'A', ['192.0.2.3'])
  assert.deepEqual(
    [replaced.status, replaced.headers.etag, replaced.body.ttl, replaced.body.records],
    [200, '"2"', 300, ['192.0.2.3']],
  )

  const same = await zone.put('www', 'A', ['192.0.2.3'])
  assert.deepEqual([same.status, same.headers.etag], [200, '"2"'])
  assert.equal(same.headers['zone-serial'], replaced.headers['zone-serial'])
  assert.deepEqual((await zone.call('GET', '/rrsets/www/A')).body, replaced.body, 'what PUT answered is what is read')
})

test('the longest names can be read, replaced and deleted in the form in which they are listed', async () => {
  const zone = await freshZone()
  const left = 253 - zone.name.length - 3 * 64
  const longest = `${`${'a'.repeat(63)}.`.repeat(3)}${'b'.repeat(left - 1)}.${zone.name}`
  assert.equal((await zone.put(`${longest}.`, 'A', ['192.0.2.1'])).status, 201)
  const { body } = await zone.call('GET', '/rrsets?type=A')
  assert.equal(body.data[0].name, longest)
  assert.equal((await zone.call('GET', `/rrsets?name=${longest}`)).body.data.length, 1)
  assert.equal((await zone.call('GET', `/rrsets/${longest}/A`)).status, 200)
  assert.equal((await zone.put(longest, 'A', ['192.0.2.2'])).status, 200)
  const changes = [{ name: longest, type: 'A', records: [] }]
  assert.equal((await zone.call('PATCH', '/rrsets', { body: { changes } })).status, 200)
  assert.equal((await zone.call('DELETE', `/rrsets/${longest}/A`)).status, 204)
})

test('a PUT without effect returns the time of the last change', async () => {
  const zone = await freshZone()
  const first = await zone.put('www', 'A', ['192.0.2.1'])
  const again = await zone.put('www', 'A', ['192.0.2.1'])
  assert.equal(again.body.updated_at, first.body.updated_at)
})

test('POST creates an rrset, and is refused with 409 if it exists', async () => {
  const zone = await freshZone()
  const body = { name: 'www', type: 'A', records: ['192.0.2.1'] }
  assert.equal((await zone.call('POST', '/rrsets', { body })).status, 201)
  assert.deepEqual(codeOf(await zone.call('POST', '/rrsets', { body })), [409, 'rrset_exists'])
})

test('PATCH of one rrset adds and removes single values, any number of times', async () => {
  const zone = await freshZone()
  const patch = (body: object) => zone.call('PATCH', '/rrsets/_acme-challenge/TXT', { body })
  assert.equal((await patch({ add: ['"one"'] })).status, 201)
  assert.deepEqual((await patch({ add: ['"two"'] })).body.records, ['"one"', '"two"'])
  assert.equal((await patch({ add: ['"two"'] })).status, 200)
  assert.deepEqual((await patch({ remove: ['"one"', '"never there"'], ttl: 60 })).body.ttl, 60)
  assert.equal((await patch({ remove: ['"two"'] })).status, 204)
  assert.equal((await patch({ remove: ['"two"'] })).status, 204)
  assert.equal(await zone.version(), 4)
})

test('DELETE returns 204, even if there is nothing to delete', async () => {
  const zone = await freshZone()
  await zone.put('www', 'A', ['192.0.2.1'])
  assert.equal((await zone.call('DELETE', '/rrsets/www/A')).status, 204)
  assert.equal((await zone.call('DELETE', '/rrsets/www/A')).status, 204)
  assert.deepEqual(codeOf(await zone.call('GET', '/rrsets/www/A')), [404, 'not_found'])
  assert.equal(await zone.version(), 2)
})

test('If-Match with an old version, a weak one or an invalid one is refused with 412 and changes nothing', async () => {
  const zone = await freshZone()
  await zone.put('www', 'A', ['192.0.2.1'])
  for (const ifMatch of ['"0"', 'W/"1"', '1', '"x"', '', '"0", W/"1"'])
    assert.deepEqual(
      codeOf(
        await zone.call('PUT', '/rrsets/www/A', { body: { records: ['192.0.2.9'] }, headers: { 'if-match': ifMatch } }),
      ),
      [412, 'precondition_failed'],
      ifMatch,
    )
  assert.equal(await zone.version(), 1)
  for (const ifMatch of ['"1"', '*', ' "2" ', '"7", "3"'])
    assert.equal(
      (
        await zone.call('PATCH', '/rrsets/www/A', {
          body: { add: [`192.0.2.${ifMatch.length}`] },
          headers: { 'if-match': ifMatch },
        })
      ).status,
      200,
    )
  for (const [method, path, body] of [
    ['DELETE', '/rrsets/www/A', undefined],
    ['POST', '/rrsets', { name: 'n', type: 'A', records: ['192.0.2.1'] }],
    ['PATCH', '/rrsets', { changes: [{ name: 'n', type: 'A', records: ['192.0.2.1'] }] }],
    ['POST', '/import', 'n A 192.0.2.1'],
  ] as const)
    assert.deepEqual(
      codeOf(
        await zone.call(method, path, {
          body,
          headers: { 'if-match': '"1"', ...(method === 'POST' && path === '/import' ? zoneFileType : {}) },
        }),
      ),
      [412, 'precondition_failed'],
    )
})

test('reads of a zone carry its version as ETag', async () => {
  const zone = await freshZone()
  await zone.put('www', 'A', ['192.0.2.1'])
  for (const path of ['', '/rrsets', '/rrsets/www/A', '/export'])
    assert.equal((await zone.call('GET', path)).headers.etag, '"1"', path)
})

test('a delegation that a customer created manually becomes managed once the zone below is hosted here', async () => {
  const zone = await freshZone()
  const nameservers = testNameservers.map((name) => `${name}.`)
  const byHand = await zone.put('sub', 'NS', nameservers)
  assert.deepEqual([byHand.status, byHand.body.managed], [201, false])
  const child = await api.call('POST', '/zones', { key: await api.key(account), body: { name: `sub.${zone.name}` } })
  assert.equal(child.body.state, 'live')
  const { body } = await zone.call('GET', '/rrsets/sub/NS')
  assert.deepEqual([body.managed, body.records], [true, nameservers])
  assert.deepEqual(codeOf(await zone.put('sub', 'NS', ['ns.other.example.'])), [422, 'service_owned'])
  assert.equal((await zone.call('PUT', '/rrsets', { body: { rrsets: [] } })).status, 200)
  assert.deepEqual((await zone.call('GET', '/rrsets/sub/NS')).body.records, nameservers)
})

test('the service’s own SOA and NS records are listed and read as managed, and cannot be written', async () => {
  const zone = await freshZone()
  await zone.put('@', 'A', ['192.0.2.1'])
  const { body } = await zone.call('GET', '/rrsets')
  assert.deepEqual(
    body.data.map(({ type, managed }: { type: string; managed: boolean }) => [type, managed]),
    [
      ['SOA', true],
      ['NS', true],
      ['A', false],
    ],
  )
  const ns = await zone.call('GET', '/rrsets/@/NS')
  assert.deepEqual(
    [ns.status, ns.body.managed, ns.body.records],
    [200, true, testNameservers.map((name) => `${name}.`)],
  )
  for (const [method, path, sent] of [
    ['PUT', '/rrsets/@/NS', { records: ['ns.example.net.'] }],
    ['PUT', '/rrsets/@/SOA', { records: ['a. b. 1 2 3 4 5'] }],
    ['PATCH', '/rrsets/@/NS', { add: ['ns.example.net.'] }],
    ['DELETE', '/rrsets/@/NS', undefined],
    ['DELETE', `/rrsets/${zone.name}/SOA`, undefined],
    ['POST', '/rrsets', { name: zone.name, type: 'ns', records: ['ns.example.net.'] }],
    ['PATCH', '/rrsets', { changes: [{ name: '@', type: 'NS', records: [] }] }],
  ] as const)
    assert.deepEqual(codeOf(await zone.call(method, path, { body: sent })), [422, 'service_owned'], `${method} ${path}`)
  assert.equal(await zone.version(), 1)
})

test('a change with a key has the key’s name in the audit log and in the zone’s history', async () => {
  const zone = await freshZone()
  const named = await api.key(account, { name: 'Deploy bot' })
  const answer = await zone.call('PUT', '/rrsets/www/A', { key: named, body: { records: ['192.0.2.1'] } })
  assert.equal(answer.status, 201)
  const { rows } = await sql<Record<string, unknown>>`
    select c.actor_name, a.actor_kind, a.actor_name as audited, a.address, a.request_id like 'req\_%' as "hasRequest" from zone_changes c
    join audit_log a on a.zone_id = c.zone_id and a.action = 'records.changed' where c.zone_id = ${zone.id}`.execute(
    database.db,
  )
  assert.deepEqual(rows, [
    { actor_name: 'Deploy bot', actor_kind: 'key', audited: 'Deploy bot', address: '127.0.0.1', hasRequest: true },
  ])
})
