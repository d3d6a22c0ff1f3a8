import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApi } from '#testing/test-api.ts'
import { codeOf, faultsOf, testZones } from '#testing/test-zones.ts'

const api = await startTestApi()
const { key, freshZone } = await testZones(api)

test('malformed bodies are refused with the error and its place', async () => {
  const zone = await freshZone()
  const path = '/rrsets/www/A'
  const json = { 'content-type': 'application/json' }
  const unread: [body: string, headers: Record<string, string>, status: number, code: string][] = [
    ['{"records": [', json, 400, 'malformed_request'],
    ['{records: []}', json, 400, 'malformed_request'],
    ['', json, 400, 'malformed_request'],
    ['{"__proto__": {"x": 1}, "records": ["192.0.2.1"]}', json, 400, 'malformed_request'],
    ['{"records": ["192.0.2.1"]}', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
    [
      '{"records": ["192.0.2.1"]}',
      { 'content-type': 'application/x-www-form-urlencoded' },
      415,
      'unsupported_media_type',
    ],
    ['{"records": ["192.0.2.1"]}', {}, 415, 'unsupported_media_type'],
    [`{"records": ["${'x'.repeat(1024 * 1024)}"]}`, json, 413, 'payload_too_large'],
  ]
  for (const [body, headers, status, code] of unread)
    assert.deepEqual(codeOf(await zone.call('PUT', path, { body, headers })), [status, code], body.slice(0, 40))

  const misunderstood: [body: unknown, ...faults: string[]][] = [
    [{ records: ['192.0.2.1'], TTL: 60, extra: 1 }, 'unknown_member /TTL', 'unknown_member /extra'],
    [{}, 'missing /records'],
    [{ records: [] }, 'too_small /records'],
    [{ records: '192.0.2.1' }, 'wrong_type /records'],
    [{ records: [1, null] }, 'wrong_type /records/0', 'wrong_type /records/1'],
    [{ records: ['192.0.2.1'], ttl: '60' }, 'wrong_type /ttl'],
    [{ records: ['192.0.2.1'], ttl: 60.5 }, 'wrong_type /ttl'],
    [{ records: ['192.0.2.1'], ttl: 7 }, 'bad_ttl /ttl'],
    [[], 'wrong_type '],
    ['"text"', 'wrong_type '],
    ['null', 'wrong_type '],
    ['7', 'wrong_type '],
  ]
  for (const [body, ...faults] of misunderstood) {
    const answer = await zone.call('PUT', path, { body, headers: json })
    assert.deepEqual(codeOf(answer), [422, 'validation_failed'], JSON.stringify(body))
    assert.deepEqual(faultsOf(answer), faults, JSON.stringify(body))
  }
  assert.equal(await zone.version(), 0)
})

test('control characters and unusual bytes in a value are stored as escapes, and never cause a server error', async () => {
  const zone = await freshZone()
  const answer = await zone.put('odd', 'TXT', ['"\\000\\255"', '"tab\there"'])
  assert.equal(answer.status, 201)
  assert.deepEqual((await zone.call('GET', '/rrsets/odd/TXT')).body.records, answer.body.records)
  assert.deepEqual(faultsOf(await zone.put('odd', 'TXT', ['"a\u0000b"'])), ['invalid /records/0'])
  assert.ok((await zone.put('odd', 'TXT', ['"\ud800"'])).status < 500)
  assert.deepEqual(codeOf(await zone.call('GET', '/rrsets/%00/TXT')), [422, 'validation_failed'])
})

test('an invalid name, type or zone in the path is a client error', async () => {
  const zone = await freshZone()
  assert.deepEqual(faultsOf(await zone.call('PUT', '/rrsets/a..b/BOGUS', { body: { records: ['x'] } })), [
    'bad_name name',
    'bad_type type',
  ])
  assert.deepEqual(codeOf(await zone.call('GET', '/rrsets/%zz/A')), [400, 'malformed_request'])
  assert.deepEqual(codeOf(await api.call('GET', '/zones/%00/rrsets', { key })), [404, 'not_found'])
  assert.deepEqual(codeOf(await api.call('GET', `/zones/${'x'.repeat(3_000)}/rrsets`, { key })), [404, 'not_found'])
})
