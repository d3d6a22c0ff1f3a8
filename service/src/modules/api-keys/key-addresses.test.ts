import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/postgres/index.ts'
import { eventually } from '#testing/eventually.ts'
import { moveClock } from '#testing/move-clock.ts'
import { startTestApi } from '#testing/test-api.ts'
import { TestPerson } from '#testing/test-person.ts'

const api = await startTestApi({ trustedProxies: ['10.0.0.0/8'] })
const { db } = api.database
const person = await TestPerson.secured(api, 'owner@example.net')
const account: string = (await person.call('GET', '/account')).body.id
const addresses = ['203.0.113.0/24', '2001:db8:1::/48']

const use = async (key: string, address: string, forwarded?: string) => {
  const headers: Record<string, string> = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  return api.call('GET', '/api-keys/current', { key, address, headers })
}

test('a key with allowed addresses works only from them; the refusal names the caller’s address', async () => {
  const key = await api.key(account, { addresses })
  for (const address of ['203.0.113.9', '203.0.113.255', '2001:db8:1::1', '::ffff:203.0.113.9'])
    assert.equal((await use(key, address)).status, 200, address)
  for (const [address, shown] of [
    ['203.0.114.1', '203.0.114.1'],
    ['2001:db8:2::1', '2001:db8:2::1'],
    ['::ffff:198.51.100.7', '198.51.100.7'],
    ['127.0.0.1', '127.0.0.1'],
  ] as const) {
    const { status, body, headers } = await use(key, address)
    assert.deepEqual([status, body.error.code], [403, 'forbidden'], address)
    assert.equal(body.error.message, `This key may not be used from ${shown}.`)
    assert.ok(headers['ratelimit'], 'it counts like any request of the key')
  }
  assert.equal((await use(await api.key(account), '198.51.100.7')).status, 200, 'a key without addresses')
})

test('a trusted proxy’s forwarded address counts; the header of anyone else is ignored', async () => {
  const key = await api.key(account, { addresses })
  assert.equal((await use(key, '10.0.0.1', '203.0.113.9')).status, 200)
  assert.equal(
    (await use(key, '10.0.0.1', '203.0.113.9, 198.51.100.7')).body.error.message,
    'This key may not be used from 198.51.100.7.',
  )
  assert.equal((await use(key, '10.0.0.1', '198.51.100.7, 203.0.113.9')).status, 200)
  assert.equal((await use(key, '10.0.0.1')).status, 403)
  assert.equal((await use(key, '198.51.100.7', '203.0.113.9')).status, 403)
})

test('a use from another address reveals nothing and does not count as a use of the key', async () => {
  const zone = await api.zone(account, 'example.com')
  const key = await api.key(account, { addresses, name: 'bound' })
  const lastUse = async () => {
    const { rows } = await sql<{
      host: string | null
    }>`select host(last_used_ip) as host from api_keys where name = 'bound'`.execute(db)
    return rows[0]?.host
  }
  for (const path of [`/zones/${zone.name}`, '/zones/nowhere.example', '/webhooks'])
    assert.match(
      (await api.call('GET', path, { key, address: '198.51.100.7' })).body.error.message,
      /^This key may not/,
    )
  await use(key, '203.0.113.9')
  assert.equal(await eventually('the use is noted', lastUse), '203.0.113.9')
  await moveClock(api.database, '61 seconds')
  await use(key, '198.51.100.7')
  const other = await api.key(account, { name: 'later' })
  await use(other, '198.51.100.7')
  await eventually('a later use of another key is noted', async () => {
    const { rows } = await sql`select from api_keys where name = 'later' and last_used_ip is not null`.execute(db)
    return rows.length > 0
  })
  assert.equal(await lastUse(), '203.0.113.9')
  await sql`update api_keys set revoked_at = app_now() where name = 'bound'`.execute(db)
  assert.equal((await use(key, '198.51.100.7')).status, 401, 'a revoked key is reported as such')
})

test('a key can be created with addresses, and shows them', async () => {
  const code = () => person.backupCodes.shift()
  const wish = { zones: 'all', permissions: ['records:read'], expires_in: 'never' }
  const create = (more: object) => person.call('POST', '/api-keys', { body: { ...wish, ...more } })
  const made = await create({
    name: 'made',
    addresses: ['127.0.0.1', '::ffff:127.0.0.1', '2001:DB8::/32'],
    code: code(),
  })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  assert.deepEqual(made.body.addresses, ['127.0.0.1/32', '2001:db8::/32'])
  assert.deepEqual((await use(made.body.secret, '127.0.0.1')).body.addresses, ['127.0.0.1/32', '2001:db8::/32'])
  assert.equal((await create({ name: 'any', code: code() })).body.addresses, null)
  for (const [bad, fault] of [
    [[], '/addresses too_small'],
    [null, '/addresses wrong_type'],
    ['203.0.113.9', '/addresses wrong_type'],
    [Array.from({ length: 17 }, (_, i) => `203.0.113.${i}`), '/addresses too_large'],
    [['203.0.113.9', '203.0.113.9/24'], '/addresses/1 bad_address'],
    [['example.com'], '/addresses/0 bad_address'],
  ] as const) {
    const { status, body } = await create({ name: 'bad', addresses: bad })
    assert.equal(status, 422, JSON.stringify(bad))
    assert.equal(`${body.error.details[0].path} ${body.error.details[0].code}`, fault)
  }
})
