import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CalledZone } from '#http/call.ts'
import type { Db } from '#platform/postgres/index.ts'
import { waitForNameservers } from './replication.ts'

const zone: CalledZone = {
  id: '00000000-0000-4000-8000-000000000001',
  name: 'example.com',
  state: 'live',
  role: 'owner',
  covered: true,
}
/** No test here uses it. */
const db = {} as Db

test('a caller that waits for the nameservers gets its response immediately when the process stops: the change is made', async () => {
  const looked = Promise.withResolvers<void>()
  const leaving = new AbortController()
  const finish = waitForNameservers(db, async () => {
    looked.resolve()
    return false
  })
  const answering = finish({ zone, waitS: 30, leaving: leaving.signal }, { status: 201, body: { a: 1 }, zoneSerial: 5 })
  await looked.promise
  const stoppedAtMs = performance.now()
  leaving.abort()
  const { status, body, headers } = await answering
  assert.ok(performance.now() - stoppedAtMs < 5_000)
  assert.deepEqual([status, body, headers?.['zone-replicated']], [201, { a: 1, replicated: false }, 'false'])
})

test('what the nameservers already serve is reported, even by a process that is stopping', async () => {
  const finish = waitForNameservers(db, async () => true)
  const { headers } = await finish({ zone, waitS: 30, leaving: AbortSignal.abort() }, { status: 204, zoneSerial: 5 })
  assert.equal(headers?.['zone-replicated'], 'true')
})

test('a write to a pending zone does not wait: no nameserver serves it', async () => {
  let looks = 0
  const finish = waitForNameservers(db, async () => {
    looks += 1
    return true
  })
  const pending = { zone: { ...zone, state: 'pending' }, waitS: 30, leaving: new AbortController().signal } as const
  const { headers } = await finish(pending, { status: 204, zoneSerial: 5 })
  assert.deepEqual([headers?.['zone-replicated'], looks], ['false', 0])
})
