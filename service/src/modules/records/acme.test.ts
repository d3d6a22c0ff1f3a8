import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApi } from '#testing/test-api.ts'
import { codeOf, faultsOf, rrsetNames, testZones, zoneFileType } from '#testing/test-zones.ts'

const api = await startTestApi()
const { account, freshZone } = await testZones(api)

test('a key that can write but not read sees only what it sent', async () => {
  const zone = await freshZone()
  await zone.put('www', 'A', ['192.0.2.1'], { ttl: 77 })
  const writer = await api.key(account, { permissions: ['records:write'] })
  const patched = await zone.call('PATCH', '/rrsets/www/A', { key: writer, body: { add: ['192.0.2.2'] } })
  assert.equal(patched.status, 200)
  assert.deepEqual(patched.body.records, ['192.0.2.2'])
  const put = await zone.call('PUT', '/rrsets/www/A', { key: writer, body: { records: ['192.0.2.3'] } })
  assert.deepEqual(put.body.records, ['192.0.2.3'])
  const bulk = await zone.call('PATCH', '/rrsets?dry_run=true', {
    key: writer,
    body: { changes: [{ name: 'www', type: 'A', records: [] }] },
  })
  assert.doesNotMatch(JSON.stringify(bulk.body), /192\.0\.2\.3|"ttl":77\b/)
  const replaced = await zone.call('POST', '/import?mode=replace&dry_run=true', {
    key: writer,
    body: 'new A 192.0.2.9',
    headers: zoneFileType,
  })
  assert.doesNotMatch(JSON.stringify(replaced.body), /192\.0\.2\.3|"ttl":77\b|www/)
  const clash = await zone.call('PUT', '/rrsets/www/CNAME', { key: writer, body: { records: ['x.example.net.'] } })
  assert.deepEqual(faultsOf(clash), ['cname_not_alone /records'])
})

test('a key that has only acme:dns01 sees only its TXT names, whatever it requests', async () => {
  const zone = await freshZone()
  await zone.put('_acme-challenge', 'TXT', ['"token"'])
  await zone.put('_acme-challenge.sub', 'TXT', ['"token"'])
  await zone.put('_acme-challenge', 'CAA', ['0 issue ";"'])
  await zone.put('_acme-challenges', 'TXT', ['"no"'])
  await zone.put('sub._acme-challenge', 'TXT', ['"no"'])
  await zone.put('xacme-challenge', 'TXT', ['"no"'])
  await zone.put('www', 'TXT', ['"token"'])
  const acme = await api.key(account, { permissions: ['acme:dns01'] })
  const own = [`_acme-challenge.sub.${zone.name} TXT`, `_acme-challenge.${zone.name} TXT`]
  for (const query of ['', '?type=TXT', '?q=token', '?limit=2'])
    assert.deepEqual(rrsetNames(await zone.call('GET', `/rrsets${query}`, { key: acme })), own, query)
  for (const query of ['?name=www', '?type=SOA', '?q=issue', '?name=@'])
    assert.deepEqual(rrsetNames(await zone.call('GET', `/rrsets${query}`, { key: acme })), [], query)

  assert.equal((await zone.call('GET', '/rrsets/_acme-challenge/TXT', { key: acme })).status, 200)
  assert.equal((await zone.call('GET', '/rrsets/_acme-challenge.nothing/TXT', { key: acme })).status, 404)
  for (const target of [
    'www/TXT',
    '_acme-challenge/CAA',
    'sub._acme-challenge/TXT',
    '_acme-challenges/TXT',
    '@/SOA',
    '@/NS',
    '_acme-challengex/A',
  ])
    for (const [method, body] of [
      ['GET', undefined],
      ['PUT', { records: ['"x"'] }],
      ['PATCH', { add: ['"x"'] }],
      ['DELETE', undefined],
    ] as const)
      assert.deepEqual(
        codeOf(await zone.call(method, `/rrsets/${target}`, { key: acme, body })),
        [403, 'forbidden'],
        `${method} ${target}`,
      )
})

test('a key that has only acme:dns01 writes its TXT names, and two values at one name do not affect each other', async () => {
  const zone = await freshZone()
  const acme = await api.key(account, { permissions: ['acme:dns01'] })
  const patch = (body: object) => zone.call('PATCH', '/rrsets/_acme-challenge/TXT', { key: acme, body })
  assert.equal((await patch({ add: ['"wildcard"'] })).status, 201)
  assert.equal((await patch({ add: ['"apex"'] })).status, 200)
  assert.deepEqual((await patch({ remove: ['"wildcard"'] })).body.records, ['"apex"'])
  assert.equal(
    (await zone.call('PUT', '/rrsets/_ACME-challenge.sub/txt', { key: acme, body: { records: ['"x"'] } })).status,
    201,
  )
  assert.equal(
    (
      await zone.call('POST', '/rrsets', {
        key: acme,
        body: { name: '_acme-challenge.new', type: 'TXT', records: ['"x"'] },
      })
    ).status,
    201,
  )
  assert.equal((await zone.call('DELETE', '/rrsets/_acme-challenge.new/TXT', { key: acme })).status, 204)
  assert.deepEqual(
    codeOf(await zone.call('POST', '/rrsets', { key: acme, body: { name: 'new', type: 'TXT', records: ['"x"'] } })),
    [403, 'forbidden'],
  )
})

test('a challenge name with a final dot is absolute: it is written if it is in the zone, and refused otherwise', async () => {
  const zone = await freshZone()
  const acme = await api.key(account, { permissions: ['acme:dns01'] })
  const patch = (name: string) =>
    zone.call('PATCH', `/rrsets/${name}/TXT`, { key: acme, body: { ttl: 60, add: ['"x"'] } })
  assert.equal((await patch(`_acme-challenge.www.${zone.name}.`)).status, 201)
  assert.deepEqual(codeOf(await patch('_acme-challenge.other.example.')), [422, 'validation_failed'])
})

test('a key that has only acme:dns01 cannot make a bulk change that contains any other name', async () => {
  const zone = await freshZone()
  const acme = await api.key(account, { permissions: ['acme:dns01'] })
  const bulk = (...changes: object[]) => zone.call('PATCH', '/rrsets', { key: acme, body: { changes } })
  const mine = { name: '_acme-challenge', type: 'TXT', records: ['"x"'] }
  assert.deepEqual(codeOf(await bulk(mine, { name: 'www', type: 'TXT', records: ['"x"'] })), [403, 'forbidden'])
  assert.deepEqual(codeOf(await bulk(mine, { name: '_acme-challenge', type: 'A', records: [] })), [403, 'forbidden'])
  assert.deepEqual(codeOf(await bulk(mine, { name: '@', type: 'NS', records: [] })), [403, 'forbidden'])
  assert.deepEqual(
    codeOf(await bulk({ ...mine, ttl: 1 }, { name: 'www', type: 'A', records: ['bad'] })),
    [403, 'forbidden'],
    'before what is wrong with it',
  )
  assert.equal(await zone.version(), 0)
  assert.equal((await bulk(mine)).status, 200)
})

test('a key that can read and answer challenges reads everything and writes only challenges', async () => {
  const zone = await freshZone()
  await zone.put('www', 'A', ['192.0.2.1'])
  const both = await api.key(account, { permissions: ['acme:dns01', 'records:read'] })
  assert.equal(rrsetNames(await zone.call('GET', '/rrsets', { key: both })).length, 3)
  assert.equal((await zone.call('GET', '/rrsets/www/A', { key: both })).status, 200)
  assert.deepEqual(codeOf(await zone.call('DELETE', '/rrsets/www/A', { key: both })), [403, 'forbidden'])
})
