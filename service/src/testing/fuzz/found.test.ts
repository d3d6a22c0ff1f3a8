// What the fuzz test has found, each as the request that showed it and some of its kind.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApi } from '../test-api.ts'
import { TestPerson } from '../test-person.ts'

const api = await startTestApi()
const person = await TestPerson.signedIn(api, 'fuzzed@example.net')
const accountId: string = (await person.call('GET', '/account')).body.id
const key = await api.key(accountId)
await api.zone(accountId, 'fuzzed.example.com')

test('an invalid If-Match is ignored by routes without versions, and 412 elsewhere', async () => {
  for (const field of ['"a","b"', '1', '"', '""', '"-1"', `"${'9'.repeat(400)}"`, 'W/"1"']) {
    const headers = { 'if-match': field }
    for (const [method, path] of [
      ['GET', '/zones'],
      ['GET', '/zones/fuzzed.example.com'],
      ['GET', '/webhooks/event-types'],
      ['GET', '/api-keys/current'],
      ['GET', '/zones/fuzzed.example.com/export'],
    ] as const)
      assert.equal((await api.call(method, path, { key, headers })).status, 200, `${path} ${field}`)
    const write = await api.call('PUT', '/zones/fuzzed.example.com/rrsets/www/A', {
      key,
      headers,
      body: { records: ['192.0.2.1'] },
    })
    assert.deepEqual([write.status, write.body.error.code], [412, 'precondition_failed'], field)
  }
})

test('a sign-in path without a name or a token is 404 in the envelope', async () => {
  for (const path of [
    '/reset-password/',
    '/reset-password/?token=x',
    '/reset-password/?callbackURL=*',
    '/none',
    '/',
    '//',
    '/sign-in/',
  ]) {
    const { status, headers, body } = await person.auth('GET', path)
    assert.equal(status, 404, path)
    assert.match(String(headers['content-type']), /^application\/json/, path)
    assert.equal(body.error?.code, 'not_found', path)
    assert.equal(headers['cache-control'], 'no-store', path)
  }
})
