import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApi } from '#testing/test-api.ts'
import { codeOf, faultsOf, testZones } from '#testing/test-zones.ts'

const api = await startTestApi()
const { freshZone } = await testZones(api)

test('a bulk change is all or nothing, and every error has its path', async () => {
  const zone = await freshZone()
  await zone.put('www', 'A', ['192.0.2.1'])
  const refused = await zone.call('PATCH', '/rrsets', {
    body: {
      changes: [
        { name: 'ok', type: 'A', records: ['192.0.2.1'] },
        { name: 'a..b', type: 'A', records: ['192.0.2.1'] },
        { name: 'x', type: 'A', ttl: 5, records: ['192.0.2.1', '192.0.2.1', 'bad'] },
        { name: 'y', type: 'BOGUS', records: [] },
        { name: '@', type: 'NS', records: ['ns.example.net.'] },
      ],
    },
  })
  assert.deepEqual(codeOf(refused), [422, 'validation_failed'])
  assert.deepEqual(faultsOf(refused), [
    'bad_name /changes/1/name',
    'bad_ttl /changes/2/ttl',
    'bad_rdata /changes/2/records/2',
    'bad_type /changes/3/type',
    'service_owned /changes/4/type',
  ])
  const planned = await zone.call('PATCH', '/rrsets', {
    body: {
      changes: [
        { name: 'ok', type: 'A', records: ['192.0.2.1'] },
        { name: 'www', type: 'CNAME', records: ['x.example.net.'] },
        { name: 'ok', type: 'A', records: [] },
      ],
    },
  })
  assert.deepEqual(faultsOf(planned).toSorted(), ['cname_not_alone /changes/1', 'duplicate /changes/2'])
  assert.equal(await zone.version(), 1)
})

test('a bulk change returns the zone’s version and serial and the changed rrsets', async () => {
  const zone = await freshZone()
  await zone.put('old', 'A', ['192.0.2.1'], { ttl: 60 })
  const answer = await zone.call('PATCH', '/rrsets', {
    body: {
      changes: [
        { name: 'old', type: 'A', records: [] },
        { name: 'new', type: 'A', ttl: 90, records: ['192.0.2.2'] },
        { name: 'none', type: 'A', records: [] },
      ],
    },
  })
  assert.equal(answer.status, 200)
  const { serial, ...rest } = answer.body
  assert.equal(String(serial), answer.headers['zone-serial'])
  assert.deepEqual(rest, {
    version: 2,
    diff: {
      changes: [
        { name: `old.${zone.name}`, type: 'A', before: { ttl: 60, records: ['192.0.2.1'] }, after: null },
        { name: `new.${zone.name}`, type: 'A', before: null, after: { ttl: 90, records: ['192.0.2.2'] } },
      ],
    },
    warnings: [],
  })
})

test('a bulk change can have at most a thousand rrsets', async () => {
  const zone = await freshZone()
  const changes = Array.from({ length: 1_001 }, (_, i) => ({ name: `h${i}`, type: 'A', records: ['192.0.2.1'] }))
  assert.deepEqual(faultsOf(await zone.call('PATCH', '/rrsets', { body: { changes } })), ['too_large /changes'])
  assert.equal((await zone.call('PATCH', '/rrsets', { body: { changes: changes.slice(1) } })).status, 200)
})

test('a dry run of any write makes the same checks and changes nothing', async () => {
  const zone = await freshZone()
  await zone.put('www', 'A', ['192.0.2.1'])
  const body = { records: ['192.0.2.9'] }
  const wishes = [
    ['PUT', '/rrsets/www/A', body],
    ['PUT', '/rrsets/new/A', body],
    ['POST', '/rrsets', { name: 'new', type: 'A', ...body }],
    ['PATCH', '/rrsets/www/A', { add: ['192.0.2.9'] }],
    ['DELETE', '/rrsets/www/A', undefined],
    ['PATCH', '/rrsets', { changes: [{ name: 'www', type: 'A', records: [] }] }],
  ] as const
  for (const [method, path, sent] of wishes) {
    const answer = await zone.call(method, `${path}?dry_run=true`, { body: sent })
    assert.equal(answer.status, 200, `${method} ${path}`)
    assert.equal(answer.body.diff.changes.length, 1, `${method} ${path}`)
  }
  assert.equal((await zone.call('PUT', '/rrsets/www/A?dry_run=true', { body: { records: ['x'] } })).status, 422)
  assert.equal((await zone.call('PUT', '/rrsets/www/A?dry_run=maybe', { body })).status, 422)
  assert.equal(await zone.version(), 1)
})
