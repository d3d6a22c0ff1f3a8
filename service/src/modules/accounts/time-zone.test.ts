import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApi } from '#testing/test-api.ts'
import { TestPerson } from '#testing/test-person.ts'

const api = await startTestApi()

test('a time zone must exist, or null for that of the browser, and changes independently of the name', async () => {
  const person = await TestPerson.signedIn(api, 'zoned@example.net')
  const change = (body: object) => person.call('PATCH', '/account', { body })
  assert.equal((await person.call('GET', '/account')).body.time_zone, null)
  const changed = await change({ time_zone: 'Africa/Lagos' })
  assert.deepEqual([changed.status, changed.body.time_zone, changed.body.name], [200, 'Africa/Lagos', 'Ada'])
  assert.equal((await change({ name: 'Ada L.' })).body.time_zone, 'Africa/Lagos')
  for (const bad of ['Mars/Olympus', '', 'x'.repeat(65), 7])
    assert.equal((await change({ time_zone: bad })).status, 422)
  assert.equal((await person.call('GET', '/account')).body.time_zone, 'Africa/Lagos')
  assert.equal((await change({ time_zone: null })).body.time_zone, null)
})
