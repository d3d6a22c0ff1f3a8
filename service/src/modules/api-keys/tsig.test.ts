// TSIG secrets of keys, through the API.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { tsigClients } from '@zonewright/contract'
import { sql } from '#platform/postgres/index.ts'
import { SecretBox, TsigBox, tsigSealingKey } from '#platform/secrets.ts'
import { startTestApi } from '#testing/test-api.ts'
import { TestPerson } from '#testing/test-person.ts'
import { tsigConfig } from './tsig-config.ts'
import { findSigners } from './tsig-store.ts'

const api = await startTestApi()
const { db } = api.database
const person = await TestPerson.secured(api, 'owner@example.net')
const account: string = (await person.call('GET', '/account')).body.id
await api.zone(account, 'example.com')
const code = (): string => person.backupCodes.pop() ?? assert.fail('no backup code is left')

async function newKey(options: Parameters<typeof api.key>[1] = {}): Promise<string> {
  await api.key(account, options)
  const [{ id }] = (await person.call('GET', '/api-keys?limit=1')).body.data
  return id
}
const shown = async (id: string) =>
  (await person.call('GET', '/api-keys')).body.data.find((key: { id: string }) => key.id === id)
const create = (id: string, body: object) => person.call('POST', `/api-keys/${id}/tsig`, { body })

test('only one response contains the secret, and the database contains it sealed; a repeated request does not show it', async () => {
  const id = await newKey()
  assert.equal((await shown(id)).tsig, null)
  const body = { code: code() }
  const headers = { 'idempotency-key': 'once' }
  const made = await person.call('POST', `/api-keys/${id}/tsig`, { body, headers })
  assert.equal(made.status, 201)
  const { name, algorithm, secret } = made.body
  assert.deepEqual([name, algorithm], [id.replace('_', '-'), 'hmac-sha256'])
  assert.equal(Buffer.from(secret, 'base64').length, 32)
  const repeat = await person.call('POST', `/api-keys/${id}/tsig`, { body, headers })
  assert.deepEqual([repeat.status, repeat.body.error.code], [409, 'idempotency_replayed'])
  const { tsig } = await shown(id)
  assert.deepEqual(Object.keys(tsig), ['name', 'created_at'])
  const { rows } = await sql<{ secret: Buffer }>`select secret from api_key_tsig where key_id = ${id}`.execute(db)
  const sealed = rows[0]?.secret ?? Buffer.alloc(0)
  assert.ok(!sealed.includes(Buffer.from(secret)) && !sealed.includes(Buffer.from(secret, 'base64')))
  assert.equal(api.parts.secrets.open('api_key_tsig.secret', id, sealed), secret)
  const { rows: mails } = await sql`select 1 from mails where kind = 'key_tsig_created'`.execute(db)
  assert.equal(mails.length, 1)
  const { rows: audit } = await sql`select summary from audit_log where action = 'key.tsig_created'`.execute(db)
  assert.equal(audit.length, 1)
  assert.ok(!JSON.stringify(audit).includes(secret))
})

test('creating a secret requires a new code, and another secret replaces it', async () => {
  const id = await newKey()
  assert.equal((await create(id, {})).body.error.code, 'code_required')
  assert.equal((await create(id, { code: 'abcde-fghij' })).body.error.code, 'code_wrong')
  const used = code()
  const first = await create(id, { code: used })
  assert.equal((await create(id, { code: used })).body.error.code, 'code_wrong')
  const second = await create(id, { code: code() })
  assert.notEqual(first.body.secret, second.body.secret)
  const { rows } = await sql`select 1 from api_key_tsig where key_id = ${id}`.execute(db)
  assert.equal(rows.length, 1)
})

test('a secret can be deleted and ends with its key', async () => {
  const id = await newKey()
  await create(id, { code: code() })
  const signs = async () => (await findSigners(db, [{ keyId: id, mac: randomBytes(32) }]))[0] !== undefined
  assert.equal(await signs(), true)
  assert.equal((await person.call('DELETE', `/api-keys/${id}/tsig`)).status, 204)
  assert.equal((await person.call('DELETE', `/api-keys/${id}/tsig`)).status, 404)
  assert.deepEqual([await signs(), (await shown(id)).tsig], [false, null])
  await create(id, { code: code() })
  await person.call('DELETE', `/api-keys/${id}`)
  assert.equal(await signs(), false)
  assert.equal((await create(id, { code: code() })).status, 404, 'a revoked key')
})

test('requests for the TSIG secret of another account’s key return 404', async () => {
  const stranger = await TestPerson.secured(api, 'stranger@example.net')
  const id = await newKey()
  const attempts = [
    stranger.call('POST', `/api-keys/${id}/tsig`, { body: { code: stranger.backupCodes[0] } }),
    stranger.call('DELETE', `/api-keys/${id}/tsig`),
    stranger.call('GET', `/api-keys/${id}/tsig/config?for=bind`),
  ]
  for (const { status } of await Promise.all(attempts)) assert.equal(status, 404)
})

test('each client’s configuration names the key, the door and the algorithm, and does not contain the secret', async () => {
  const id = await newKey({ picks: ['example.com'], permissions: ['records:write'] })
  const { secret } = (await create(id, { code: code() })).body
  for (const client of tsigClients) {
    const { status, body, headers } = await person.call('GET', `/api-keys/${id}/tsig/config?for=${client}`)
    assert.deepEqual([status, headers['content-type']], [200, 'text/plain; charset=utf-8'], client)
    assert.ok(body.includes(id.replace('_', '-')) && body.includes('127.0.0.1') && body.includes('5305'), client)
    assert.match(body, /hmac-?sha256/i, client)
    assert.ok(!body.includes(secret), client)
    if (!['cert-manager', 'terraform'].includes(client)) assert.match(body, /example\.com/, client)
  }
  assert.equal((await person.call('GET', `/api-keys/${id}/tsig/config?for=telnet`)).status, 422)
  assert.equal((await person.call('GET', `/api-keys/${id}/tsig/config`)).status, 422)
})

test('a configuration starts with the chosen zone, if the key covers it', async () => {
  await api.zone(account, 'example.org')
  const stranger = await api.account('chooser@example.net')
  const shared = await api.zone(stranger, 'shared.example')
  await sql`insert into zone_managers (zone_id, account_id) values (${shared.id}, ${account})`.execute(db)
  await api.zone(stranger, 'other.example')
  const forAll = await newKey()
  const write = { permissions: ['records:write'] } as const
  const forOne = await newKey({ picks: ['example.com'], ...write })
  const read = (id: string, zone: string) =>
    person.call('GET', `/api-keys/${id}/tsig/config?for=certbot&zone=${encodeURIComponent(zone)}`)
  for (const zone of ['example.org', 'EXAMPLE.org.'])
    assert.match((await read(forAll, zone)).body, / -d example\.org\n/, zone)
  const { id } = (await person.call('GET', '/zones/example.org')).body
  assert.match((await read(forAll, id)).body, / -d example\.org\n/)
  assert.match((await read(forOne, 'example.com')).body, / -d example\.com\n/)
  const limits = [{ zone: 'example.com', names: ['_acme-challenge.www'], types: ['TXT'] }]
  const forName = await newKey({ picks: ['example.com'], permissions: ['acme:dns01'], limits })
  assert.match((await read(forName, 'example.com')).body, / -d www\.example\.com\n/)
  const forTwo = await newKey({ picks: ['example.com', 'example.org'], ...write })
  assert.match((await read(forTwo, 'example.org')).body, / -d example\.org\n/)
  const ofBind = (await person.call('GET', `/api-keys/${forTwo}/tsig/config?for=bind&zone=example.org`)).body
  assert.deepEqual(
    [...ofBind.matchAll(/^zone "(.*)"/gm)].map(([, zone]) => zone),
    ['example.org', 'example.com'],
  )
  for (const [key, zone] of [
    [forOne, 'example.org'],
    [forAll, 'shared.example'],
  ] as const) {
    const { status, body } = await read(key, zone)
    assert.deepEqual([status, body.error.details[0].code], [422, 'not_covered'], zone)
  }
  for (const zone of ['other.example', 'nobody.example', '-d x', 'x'.repeat(1_000)])
    assert.equal((await read(forAll, zone)).status, 404, zone)
  assert.equal((await read(forAll, 'x'.repeat(1_001))).status, 422)
})

test('lego’s configuration omits an email address that has a meaning in a shell', () => {
  const emailIn = (email: string) => {
    const use = { keyName: 'key-1', door: { host: '2001:db8::53', port: 53 }, zones: ['example.com'], email }
    const config = tsigConfig('lego', use)
    assert.match(config, /^export RFC2136_NAMESERVER=\[2001:db8::53\]:53$/m)
    return /--email (\S+) --dns/.exec(config)?.[1]
  }
  assert.equal(emailIn('ada.l+dns@example.org'), 'ada.l+dns@example.org')
  for (const email of ["o'brien@example.org", '$(id)@example.org', '`id`@x', '-a@example.org', 'a b@c', ''])
    assert.equal(emailIn(email), 'you@example.net', email)
})

test('a certificate is for the zone, or for the name whose challenge the key’s limits allow', () => {
  const nameIn = (client: 'certbot' | 'lego', names: string[] | null, types = ['TXT'], zone = 'example.com') => {
    const limits = names && [{ zone, names, types }]
    const use = { keyName: 'key-1', door: { host: '192.0.2.53', port: 53 }, zones: ['example.com'], limits }
    return / (?:-d|--domains) (\S+)/.exec(tsigConfig(client, use))?.[1]
  }
  for (const client of ['certbot', 'lego'] as const) {
    assert.equal(nameIn(client, null), 'example.com')
    assert.equal(nameIn(client, ['_acme-challenge.www']), 'www.example.com')
    assert.equal(nameIn(client, ['home', '_acme-challenge.a.b', '_acme-challenge.www']), 'a.b.example.com')
    for (const names of [['_acme-challenge.www', '_acme-challenge'], ['_acme-challenge.www', '*'], ['*.www'], ['home']])
      assert.equal(nameIn(client, names), 'example.com', names.join())
    for (const name of ['$(id)', '-x', 'a b', '*', '`id`'])
      assert.equal(nameIn(client, [`_acme-challenge.${name}`]), 'example.com', name)
    assert.equal(nameIn(client, ['_acme-challenge.www'], ['A']), 'example.com')
    assert.equal(nameIn(client, ['_acme-challenge.www'], ['TXT'], 'example.org'), 'example.com')
  }
})

test('only the key derived for TSIG secrets opens them; SECRET_KEY itself does not', () => {
  const secretKey = randomBytes(32)
  const box = new SecretBox(secretKey)
  const sealed = box.seal('api_key_tsig.secret', 'key_1', 'of a test')
  const door = new TsigBox(tsigSealingKey(secretKey))
  assert.equal(door.open('api_key_tsig.secret', 'key_1', sealed), 'of a test')
  assert.throws(() => door.open('api_key_tsig.secret', 'key_2', sealed))
  assert.throws(() => new TsigBox(secretKey).open('api_key_tsig.secret', 'key_1', sealed))
  assert.throws(() =>
    new SecretBox(tsigSealingKey(secretKey)).open('mails.content', 'm', box.seal('mails.content', 'm', 'x')),
  )
  const [old, replacement] = [new SecretBox(secretKey), new SecretBox(randomBytes(32), secretKey)]
  const renewed = replacement.renewed('api_key_tsig.secret', 'key_1', old.seal('api_key_tsig.secret', 'key_1', 'kept'))
  assert.throws(() => door.open('api_key_tsig.secret', 'key_1', renewed))
  assert.equal(replacement.open('api_key_tsig.secret', 'key_1', renewed), 'kept')
})
