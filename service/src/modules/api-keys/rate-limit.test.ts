import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { zonePreloadAt } from '#modules/records/preload.ts'
import { parseZoneRef } from '#modules/zones/index.ts'
import { openDatabase, sql } from '#platform/postgres/index.ts'
import { eventually } from '#testing/eventually.ts'
import { stopClock } from '#testing/move-clock.ts'
import { sendSlowly } from '#testing/slow-line.ts'
import { startTestApi, type TestAnswer } from '#testing/test-api.ts'
import { authentication } from './authenticate.ts'
import { secretSha256 } from './key-secret.ts'
import { findKeys, type KeyLookup } from './lookup-store.ts'
import { requestLimit } from './window-store.ts'

const api = await startTestApi({ requestsPerMinute: 300 })
const { database } = api
const perMinute = requestLimit(300)
const account = await api.account('owner@example.net')
const nobody = async () => undefined

const ask = (key: string): Promise<TestAnswer> => api.call('GET', '/api-keys/current', { key })

/** How many of this many concurrent requests were admitted. */
async function admitted(key: string, requests: number): Promise<number> {
  const answers = await Promise.all(Array.from({ length: requests }, () => ask(key)))
  for (const { status, body } of answers) if (status !== 200) assert.equal(body.error.code, 'rate_limited')
  return answers.filter(({ status }) => status === 200).length
}

test('the 300th request of a minute passes and the 301st does not, sequentially or concurrently', async () => {
  await stopClock(database)
  const slow = await api.key(account)
  for (let i = 0; i < 300; i++) assert.equal((await ask(slow)).status, 200, `request ${i + 1}`)
  assert.equal((await ask(slow)).status, 429)
  const fast = await api.key(account)
  assert.equal(await admitted(fast, 450), 300)
  assert.equal((await ask(fast)).status, 429)
})

test('a single lookup and batched lookups for changes do not wait for the disk; other batched lookups do', async () => {
  const lookup = { hash: secretSha256(await api.key(account)), zone: undefined }
  const change = { ...lookup, zone: parseZoneRef('example.net'), preload: zonePreloadAt('www.example.net') }
  await findKeys(database.db, [lookup], perMinute) // the first one creates the window
  const settingAfter = (lookups: readonly KeyLookup[]): Promise<string | undefined> =>
    database.transact(async (tx) => {
      const found = await findKeys(tx, lookups, perMinute)
      assert.ok(found.every((key) => key?.window.admitted === lookups.length))
      const { rows } = await sql<{ set: string }>`select current_setting('synchronous_commit') as set`.execute(tx)
      return rows[0]?.set
    })
  assert.equal(await settingAfter([lookup]), 'off')
  assert.equal(await settingAfter([change, change]), 'off')
  assert.equal(await settingAfter([change, lookup]), 'on')
})

test('the minute slides: each request leaves it after 60 seconds, and refused requests never count', async () => {
  await stopClock(database)
  const key = await api.key(account)
  assert.equal(await admitted(key, 200), 200)
  await stopClock(database, '30 seconds')
  assert.equal(await admitted(key, 150), 100)
  await stopClock(database, '59 seconds')
  assert.equal(await admitted(key, 10), 0)
  await stopClock(database, '61 seconds')
  assert.equal(await admitted(key, 250), 200, 'the first 200 are over')
  await stopClock(database, '91 seconds')
  assert.equal(await admitted(key, 150), 100)
})

test('after the clock is set back, a key immediately has its full minute again', async () => {
  await stopClock(database)
  const [full, used] = [await api.key(account), await api.key(account)]
  assert.equal(await admitted(full, 300), 300)
  assert.equal((await ask(used)).status, 200)
  await stopClock(database, '-1 hour')
  assert.match(String((await ask(used)).headers['ratelimit']), /^"minute";r=299;t=60$/)
  assert.equal(await admitted(full, 310), 300)
  await stopClock(database, '-1 hour 1 second')
  assert.equal((await ask(full)).status, 429)
  await stopClock(database, '-1 hour -20 seconds')
  assert.equal(
    (await ask(full)).status,
    429,
    'a little is no reason to begin anew: who waits for a turn is as much behind',
  )
})

test('every response to a key reports the remaining requests, and a refusal says when to retry', async () => {
  await stopClock(database)
  const key = await api.key(account)
  const first = await ask(key)
  assert.equal(first.headers['ratelimit-policy'], '"minute";q=300;w=60')
  assert.match(String(first.headers['ratelimit']), /^"minute";r=299;t=60$/)
  const refusedByPermission = await api.call('GET', '/api-keys', { key })
  assert.equal(refusedByPermission.status, 403)
  assert.match(String(refusedByPermission.headers['ratelimit']), /^"minute";r=298;/)
  assert.equal(await admitted(key, 298), 298)
  const late = await ask(key)
  assert.equal(late.status, 429)
  assert.match(String(late.headers['ratelimit']), /^"minute";r=0;/)
  const seconds = Number(late.headers['retry-after'])
  assert.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60)
  await stopClock(database, `${seconds - 1} seconds`)
  assert.equal((await ask(key)).status, 429, 'no sooner')
  await stopClock(database, `${seconds} seconds`)
  assert.equal((await ask(key)).status, 200, 'what Retry-After says is true')
})

test('a request with a slow body counts once and is not refused after it was admitted', async () => {
  await stopClock(database)
  const zone = await api.zone(account, 'slow.example.org')
  await api.server.fastify.listen({ host: '127.0.0.1', port: 0 })
  const { port } = api.server.fastify.server.address() as AddressInfo
  const asNth = async (n: number): Promise<string> => {
    const name = `slow ${n}`
    const key = await api.key(account, { name })
    assert.equal(await admitted(key, n - 1), n - 1)
    const put = { request: `PUT /api/v1/zones/${zone.id}/rrsets/n${n}/A`, key, body: { records: ['192.0.2.1'] } }
    const answer = await sendSlowly(port, put, () =>
      eventually('it was counted', async () => (await counted(name)) === n),
    )
    assert.equal(await counted(name), n)
    return answer
  }
  const counted = async (name: string): Promise<number | undefined> => {
    const { rows } = await sql<{ n: number }>`
      select cardinality(w.recent) as n from api_key_windows w join api_keys k on k.id = w.key_id where k.name = ${name}`.execute(
      database.db,
    )
    return rows[0]?.n
  }
  for (const n of [300, 1]) {
    const answer = await asNth(n)
    assert.match(answer, /^HTTP\/1.1 201 /)
    assert.match(answer, new RegExp(`ratelimit: "minute";r=${300 - n};`, 'i'))
  }
})

test('each key has its own minute, and an inactive key has none', async () => {
  const [mine, other] = [await api.key(account), await api.key(account, { name: 'revoked soon' })]
  assert.equal(await admitted(mine, 310), 300)
  assert.equal((await ask(other)).status, 200)
  await sql`update api_keys set revoked_at = app_now() where name = 'revoked soon'`.execute(database.db)
  for (let i = 0; i < 305; i++) assert.equal((await ask(other)).status, 401)
  const { rows } = await sql<{ counted: number }>`
    select cardinality(w.recent) as counted from api_key_windows w join api_keys k on k.id = w.key_id
    where k.name = 'revoked soon'`.execute(database.db)
  assert.deepEqual(rows, [{ counted: 1 }])
})

test('two processes together admit exactly 300 requests, at any rate', async () => {
  const secret = await api.key(account)
  const second = openDatabase(database.url, { application: 'second process' })
  try {
    const doors = [database, second].map((one) => authentication(one, nobody, { requestsPerMinute: 300 }))
    const request = {
      method: 'GET',
      authorization: `Bearer ${secret}`,
      cookie: undefined,
      origin: undefined,
      zoneRef: undefined,
      address: '127.0.0.1',
    }
    const outcomes = await Promise.allSettled(
      Array.from({ length: 1_000 }, (_, i) => (doors[i % 2] ?? doors[0])?.(request) ?? Promise.reject()),
    )
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 300)
  } finally {
    await second.close()
  }
})
