import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/postgres/index.ts'
import { startTestApi } from '#testing/test-api.ts'
import { TestPerson } from '#testing/test-person.ts'

const api = await startTestApi()
const { db } = api.database
const person = await TestPerson.signedIn(api, 'owner@example.net')
const owner: string = (await person.call('GET', '/account')).body.id
const stranger = await api.account('stranger@example.net')
await api.zone(owner, 'example.com')
await api.zone(owner, 'example.org')
await api.zone(stranger, 'other.example.net')

let keys = 0
type NewKey = NonNullable<Parameters<typeof api.key>[1]>
async function keyId(options: NewKey = {}, accountId = owner): Promise<string> {
  const name = `acme key ${++keys}`
  await api.key(accountId, { permissions: ['acme:dns01'], ...options, name })
  const { rows } = await sql<{ id: string }>`select id from api_keys where name = ${name}`.execute(db)
  return rows[0]?.id ?? assert.fail()
}
const print = (id: string, body: object) => person.call('POST', `/api-keys/${id}/acme-dns`, { body })
const limits = (names: string[], types = ['TXT']): NewKey => ({
  picks: ['example.com'],
  limits: [{ zone: 'example.com', names, types }],
})

test('the account file contains everything except the secret', async () => {
  const id = await keyId(limits(['_acme-challenge.www']))
  const { status, body } = await print(id, { zone: 'example.com', label: 'www' })
  assert.equal(status, 200)
  assert.deepEqual(body, {
    'www.example.com': {
      fulldomain: '_acme-challenge.www.example.com',
      subdomain: 'www.example.com',
      username: id,
      password: 'svc_live_YOUR_KEY',
      server_url: 'http://dashboard.test/acme-dns',
      allowfrom: [],
    },
  })
})

test('accepts a label in several spellings', async () => {
  const id = await keyId()
  const cases: [label: string, subdomain: string][] = [
    ['www', 'www.example.com'],
    ['WWW', 'www.example.com'],
    ['www.', 'www.example.com'],
    ['www.example.com', 'www.example.com'],
    ['_acme-challenge.www', 'www.example.com'],
    ['_acme-challenge.www.example.com.', 'www.example.com'],
    ['a.b', 'a.b.example.com'],
    ['@', 'example.com'],
    ['', 'example.com'],
    ['example.com', 'example.com'],
  ]
  for (const [label, subdomain] of cases)
    assert.deepEqual(Object.keys((await print(id, { zone: 'example.com', label })).body), [subdomain], label)
  for (const label of ['*', '*.www', 'a b', 'a..b', '.www', 'www/x', 'x'.repeat(64), `${'x'.repeat(60)}.`.repeat(4)]) {
    const { status, body } = await print(id, { zone: 'example.com', label })
    assert.deepEqual([status, body.error.details[0].code], [422, 'bad_name'], label)
  }
})

test('a key that cannot change the record gets no file', async () => {
  const cases: [what: string, id: string, status: number][] = [
    ['all zones', await keyId(), 200],
    ['records:write', await keyId({ permissions: ['records:write'] }), 200],
    ['records:read', await keyId({ permissions: ['records:read'] }), 422],
    ['this zone', await keyId({ picks: ['example.com'] }), 200],
    ['another zone', await keyId({ picks: ['example.org'] }), 422],
    ['this name', await keyId(limits(['_acme-challenge.www'])), 200],
    ['names below', await keyId(limits(['*.www'])), 200],
    ['names below another', await keyId(limits(['*._acme-challenge.www'])), 422],
    ['another name', await keyId(limits(['_acme-challenge.mail'])), 422],
    ['another type', await keyId(limits(['_acme-challenge.www'], ['A'])), 422],
    ['another account', await keyId({}, stranger), 404],
    ['no key', 'key_00000000000000000000000000', 404],
  ]
  for (const [what, id, status] of cases)
    assert.equal((await print(id, { zone: 'example.com', label: 'www' })).status, status, what)
  const revoked = await keyId()
  await person.call('DELETE', `/api-keys/${revoked}`)
  assert.equal((await print(revoked, { zone: 'example.com', label: 'www' })).status, 404)
  for (const zone of ['other.example.net', 'example.invalid', '-'])
    assert.equal((await print(await keyId(), { zone, label: 'www' })).status, 404, zone)
})
