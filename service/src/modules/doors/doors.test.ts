import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { DoorRoute } from '@zonewright/contract'
import { sql } from '#platform/postgres/index.ts'
import { SecretBox } from '#platform/secrets.ts'
import { moveClock } from '#testing/move-clock.ts'
import { startTestApi } from '#testing/test-api.ts'
import { type DoorOptions, Doors } from './doors.ts'
import { textRefusal } from './text-refusal.ts'

const api = await startTestApi({ requestsPerMinute: 3, trustedProxies: ['127.0.0.1'] })
const { db } = api.database
const secrets = new SecretBox(randomBytes(32))
const owner = await api.account('owner@example.net')
const stranger = await api.account('stranger@example.net')
await api.zone(owner, 'example.com')
const below = await api.zone(owner, 'sub.example.com')
await api.zone(stranger, 'other.example.net')

/** Doors that answer with what they found: one for an installation with TLS, and one without. */
const route: DoorRoute = {
  ...{ id: 'testDoor', methods: ['GET', 'POST'], path: '/test-door/{name}', who: ['records:read'] },
  ...{ wholeZone: false, maxBodyBytes: 1024 },
}
const options: DoorOptions = {
  credentials: ['bearer', 'basic', 'x-api-key'],
  zoneOf: ({ params, query, body }) => ({ nameInZone: query['in'] ?? String(body ?? params['name']) }),
  problem: textRefusal,
  answer: async ({ caller, zone, actor, request }) => ({
    status: 200,
    body: { key: caller.keyName, zone: zone?.name ?? null, covered: zone?.covered ?? null, by: actor.name, ...request },
  }),
}
new Doors(api.server, { secrets, site: 'http://dns.example.net' }).mount(route, options)
const tls = { ...route, id: 'tlsDoor', path: '/tls-door/{name}' }
new Doors(api.server, { secrets, site: 'https://dns.example.net' }).mount(tls, options)

const call = (path: string, options: Parameters<typeof api.call>[2] = {}, method = 'GET') =>
  api.call(method, path, { prefix: '', ...options })
const https = { 'x-forwarded-proto': 'https' }

test('a request finds its key and the closest zone above a name that the account can see', async () => {
  const cases: [name: string, zone: string | null][] = [
    ['home.example.com', 'example.com'],
    ['HOME.Example.com.', 'example.com'],
    ['example.com', 'example.com'],
    ['a.b.c.example.com', 'example.com'],
    ['sub.example.com', 'sub.example.com'],
    ['a.b.sub.example.com', 'sub.example.com'],
    ['xsub.example.com', 'example.com'],
    ['home.other.example.net', null],
    ['example.org', null],
    ['com', null],
    ['not..a.name', null],
    ['*.example.com', 'example.com'],
    ['straße.example.com', 'example.com'],
    ['%20', null],
  ]
  for (const [name, zone] of cases) {
    const answer = await call(`/test-door/${encodeURIComponent(name)}`, { key: await api.key(owner) })
    assert.deepEqual([answer.status, answer.body.zone, answer.body.covered], [200, zone, zone && true], name)
  }
})

test('a key for one zone does not cover a closer zone', async () => {
  const key = await api.key(owner, { zones: [below.id], permissions: ['records:read'] })
  const covered = async (name: string) => (await call(`/test-door/${name}`, { key })).status
  assert.deepEqual([await covered('a.sub.example.com'), await covered('a.example.com')], [200, 403])
})

test('concurrent requests each find their own zone, by a name below it, by its name and by its id', async () => {
  const key = async () => api.key(owner)
  const [first, second, third, fourth] = await Promise.all([
    call('/test-door/x.sub.example.com', { key: await key() }),
    call('/test-door/x.example.com', { key: await key() }),
    api.call('GET', '/zones/example.com', { key: await key() }),
    api.call('GET', `/zones/${below.id}`, { key: await key() }),
  ])
  assert.deepEqual(
    [first?.body.zone, second?.body.zone, third?.body.name, fourth?.body.name],
    ['sub.example.com', 'example.com', 'example.com', 'sub.example.com'],
  )
})

test('accepts a key as a Bearer token, as the Basic password or in X-API-Key, and never a session', async () => {
  const key = await api.key(owner, { name: 'router' })
  const ways = [
    { authorization: `Bearer ${key}` },
    { authorization: `Basic ${Buffer.from(`me:${key}`).toString('base64')}` },
    { 'x-api-key': key },
  ]
  for (const headers of ways) assert.equal((await call('/test-door/example.com', { headers })).body.key, 'router')
  const without = await call('/test-door/example.com', { headers: { cookie: 'session=1' } })
  assert.deepEqual([without.status, String(without.headers['content-type'])], [401, 'text/plain; charset=utf-8'])
  assert.match(without.body, /^This request has no API key/)
})

test('X-API-Key and Basic do not authenticate calls of the API', async () => {
  const key = await api.key(owner)
  const basic = `Basic ${Buffer.from(`me:${key}`).toString('base64')}`
  for (const headers of [{ 'x-api-key': key }, { authorization: basic }] as Record<string, string>[])
    assert.equal((await api.call('GET', '/zones', { headers })).status, 401)
})

test('the API and the doors share the minute of a key', async () => {
  const key = await api.key(owner)
  const calls = [
    await call('/test-door/example.com', { key }),
    await api.call('GET', '/zones', { key }),
    await call('/test-door/example.com', { key }),
    await call('/test-door/example.com', { key }),
    await api.call('GET', '/zones', { key }),
  ]
  assert.deepEqual(
    calls.map(({ status }) => status),
    [200, 200, 200, 429, 429],
  )
  assert.ok(Number(calls[3]?.headers['retry-after']) > 0)
  assert.equal(calls[0]?.headers['ratelimit'], '"minute";r=2;t=60')
})

test('refusals have the form of the protocol, before and after the key is known, and for unreadable bodies', async () => {
  const key = await api.key(owner)
  const mistyped = await call('/test-door/example.com', { key: 'svc_live_x' })
  const large = await call('/test-door/example.com', { key, body: 'x'.repeat(1025) }, 'POST')
  const json = { 'content-type': 'application/json' }
  const broken = await call('/test-door/example.com', { key, body: '{', headers: json }, 'POST')
  const forbidden = await call('/test-door/example.com', {
    key: await api.key(owner, { permissions: ['domains:read'] }),
  })
  const answers = [mistyped, large, broken, forbidden]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [401, 413, 400, 403],
  )
  for (const { headers, body } of answers) {
    assert.equal(headers['content-type'], 'text/plain; charset=utf-8')
    assert.match(body, /^[A-Z].*\.\n$/)
    assert.match(String(headers['x-request-id']), /^req_/)
  }
})

test('HEAD is not allowed, and the Allow header names the other methods', async () => {
  for (const method of ['HEAD', 'PUT']) {
    const { status, headers } = await call('/test-door/example.com', { key: await api.key(owner) }, method)
    assert.deepEqual([status, headers['allow']], [405, 'GET, POST'], method)
  }
})

test('a page of another site cannot use a key that the browser stored', async () => {
  const key = await api.key(owner)
  for (const site of ['cross-site', 'same-site', 'same-origin']) {
    const { status, headers } = await call('/test-door/example.com', { key, headers: { 'sec-fetch-site': site } })
    assert.deepEqual([status, headers['access-control-allow-origin']], [403, undefined], site)
  }
  const typed = await call('/test-door/example.com', { key, headers: { 'sec-fetch-site': 'none' } })
  assert.equal(typed.status, 200)
})

test('with TLS, refuses a valid key over plain HTTP, with one email and one audit entry a day for each key', async () => {
  const key = await api.key(owner, { name: 'old router' })
  const other = await api.key(owner, { name: 'new router' })
  const mails = async () =>
    (
      await sql<{ to_address: string }>`
        select to_address from mails where kind = 'key_sent_in_clear'`.execute(db)
    ).rows.map(({ to_address }) => to_address)
  const entries = async () =>
    (
      await sql<{ actor_name: string; summary: string }>`
        select actor_name, summary from audit_log where action = 'key.sent_in_clear' order by id`.execute(db)
    ).rows
  assert.equal((await call('/tls-door/example.com', { key, headers: https })).status, 200)
  assert.deepEqual(await mails(), [])
  const refused = await call('/tls-door/example.com', { key })
  assert.deepEqual([refused.status, refused.headers['content-type']], [403, 'text/plain; charset=utf-8'])
  assert.match(refused.body, /^This key was sent without encryption\. Use https:\/\//)
  await call('/tls-door/example.com', { key, headers: { 'x-forwarded-proto': 'http' } })
  assert.deepEqual(await mails(), ['owner@example.net'])
  assert.deepEqual(await entries(), [
    { actor_name: 'old router', summary: 'API key "old router" was sent without encryption, and refused' },
  ])
  await call('/tls-door/example.com', { key: other })
  assert.equal((await mails()).length, 2)
  await moveClock(api.database, '1 day')
  await call('/tls-door/example.com', { key })
  assert.equal((await mails()).length, 3)
  assert.equal((await entries()).length, 3)
})

test('ignores a forged header of a client that is not a proxy, and sends no email about an invalid key', async () => {
  const before = await sql`select from mails`.execute(db)
  const forged = { key: await api.key(owner), headers: https, address: '192.0.2.1' }
  assert.equal((await call('/tls-door/example.com', forged)).status, 403)
  assert.equal((await call('/tls-door/example.com', { key: 'svc_live_x' })).status, 401)
  const { rows } = await sql`select from mails`.execute(db)
  assert.equal(rows.length, before.rows.length + 1)
})

test('without TLS, a key can be sent over plain HTTP', async () => {
  assert.equal((await call('/test-door/example.com', { key: await api.key(owner) })).status, 200)
})
