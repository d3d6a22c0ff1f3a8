import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/postgres/index.ts'
import { startTestApi } from '#testing/test-api.ts'
import { TestPerson } from '#testing/test-person.ts'

const api = await startTestApi()
const { db } = api.database
const person = await TestPerson.secured(api, 'owner@example.net')
const account: string = (await person.call('GET', '/account')).body.id
const stranger = await api.account('stranger@example.net')
const own = await api.zone(account, 'own.example.com')
const shared = await api.zone(stranger, 'shared.example.org')
await sql`insert into zone_managers (zone_id, account_id) values (${shared.id}, ${account})`.execute(db)

let names = 0
const wish = (more: object = {}) => ({
  name: `key ${++names}`,
  zones: 'all',
  permissions: ['records:read'],
  expires_in: 'never',
  ...more,
})
const create = (body: object) => person.call('POST', '/api-keys', { body })
/** An unused backup code. */
const code = (): string => person.backupCodes.shift() ?? assert.fail('all codes are used')

async function keysMade(): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from api_keys`.execute(db)
  return rows[0]?.n ?? 0
}

test('a key with limits shows them; all errors of limits are reported before the code is used', async () => {
  const limit = { zone: own.name, names: ['HOME', '*.lan'], types: ['a', 'TYPE28'] }
  const wanted = { zones: [own.name], permissions: ['records:read', 'records:write', 'acme:dns01'], limits: [limit] }
  const made = await create(wish({ ...wanted, code: code() }))
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const limits = [{ zone: own.name, names: ['home', '*.lan'], types: ['A', 'AAAA'] }]
  assert.deepEqual(made.body.limits, limits)
  const current = await api.call('GET', '/api-keys/current', { key: made.body.secret })
  assert.deepEqual(current.body.limits, limits)
  const listed = (await person.call('GET', '/api-keys')).body.data
  assert.deepEqual(listed.find(({ id }: { id: string }) => id === made.body.id).limits, limits)
  const unlimited = await api.call('GET', '/api-keys/current', { key: await api.key(account, { name: 'unlimited' }) })
  assert.equal(unlimited.body.limits, null)
  const before = await keysMade()
  for (const [more, fault] of [
    [{ zones: 'all' }, '/limits some_zones_only'],
    [{ zones: [own.name, shared.name] }, '/limits missing'],
    [{ zones: [shared.name] }, '/limits/0/zone not_found'],
    [{ zones: [] }, '/limits/0/zone not_found'],
    [{ zones: [{ kind: 'domain', name: own.name }] }, '/zones/0 unlimited_only'],
    [{ limits: [{ ...limit, zone: shared.name }, limit] }, '/limits/0/zone not_found'],
    [{ limits: [{ ...limit, names: ['home.example.org.'] }] }, '/limits/0/names/0 out_of_zone'],
    [{ limits: [{ ...limit, types: ['ANY'] }] }, '/limits/0/types/0 bad_type'],
    [{ permissions: ['records:read', 'domains:read'] }, '/permissions unlimited_only'],
    [{ permissions: ['zones:manage'] }, '/permissions unlimited_only'],
    [{ permissions: [] }, '/permissions missing'],
    [{ limits: [] }, '/limits too_small'],
    [{ limits: null }, '/limits wrong_type'],
    [{ limits: {} }, '/limits wrong_type'],
    [{ limits: [{ ...limit, names: [] }] }, '/limits/0/names too_small'],
    [{ limits: [{ ...limit, types: [] }] }, '/limits/0/types too_small'],
    [{ limits: [{ zone: own.name, names: ['a'] }] }, '/limits/0/types missing'],
    [{ limits: [{ zone: own.name, types: ['A'] }] }, '/limits/0/names missing'],
    [{ limits: [{ ...limit, ttl: 60 }] }, '/limits/0/ttl unknown_member'],
    [{ limits: [{ ...limit, names: Array.from({ length: 101 }, (_, i) => `n${i}`) }] }, '/limits/0/names too_large'],
    [{ limits: [limit, { ...limit, names: Array.from({ length: 99 }, (_, i) => `n${i}`) }] }, '/limits too_many'],
  ] as const) {
    const answer = await create(wish({ ...wanted, ...more }))
    assert.deepEqual([answer.status, answer.body.error.code], [422, 'validation_failed'], JSON.stringify(more))
    const { path, code: word } = answer.body.error.details[0]
    assert.equal(`${path} ${word}`, fault, JSON.stringify(answer.body.error))
  }
  assert.equal(await keysMade(), before)
})

test('for a key with limits, a name selects only zones', async () => {
  const name = 'with-domain.test'
  const zone = await api.zone(account, name)
  await sql`insert into domains (name, tld, account_id, state, order_id, auto_renew)
    values (${name}, 'test', ${account}, 'held', 'ord_1', false)`.execute(db)
  const limits = [{ zone: name, names: ['@'], types: ['A'] }]
  const made = await create(wish({ zones: [name], limits, code: code() }))
  assert.deepEqual(made.body.zones, [{ id: zone.id, name, kind: 'zone' }])
})
