import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { permissions } from '@zonewright/contract'
import { lockZone } from '#modules/zones/index.ts'
import { actorNamed } from '#platform/caller.ts'
import { type Db, sql } from '#platform/postgres/index.ts'
import { asAnotherProcess } from '#testing/platform/test-database.ts'
import { startTestApi, type TestAnswer } from '#testing/test-api.ts'
import { TestPerson } from '#testing/test-person.ts'
import { untilBlocked } from '#testing/until-blocked.ts'
import { createKey } from './create-key.ts'

const api = await startTestApi()
const { db } = api.database
const elsewhere = asAnotherProcess(api.database.url)
const person = await TestPerson.secured(api, 'owner@example.net')
const account: string = (await person.call('GET', '/account')).body.id
const stranger = await api.account('stranger@example.net')
const own = await api.zone(account, 'own.example.com')
const shared = await api.zone(stranger, 'shared.example.org')
const foreign = await api.zone(stranger, 'foreign.example.org')
await sql`insert into zone_managers (zone_id, account_id) values (${shared.id}, ${account})`.execute(db)

let names = 0
const wish = (more: object = {}) => ({
  name: `key ${++names}`,
  zones: 'all',
  permissions: ['records:read'],
  expires_in: 'never',
  ...more,
})
const create = (body: object, headers: Record<string, string> = {}) =>
  person.call('POST', '/api-keys', { body, headers })
/** The code that creates the first key. It is stored, because a code that is generated later may be from the next period. */
const used = person.code()
/** An unused backup code. */
const code = (): string => person.backupCodes.shift() ?? ''

/** The person's unused backup codes, as stored. */
async function sealedCodes(): Promise<string> {
  const { rows } = await sql<{ codes: string }>`
    select backup_codes as codes from account_two_factors where account_id = ${account}`.execute(db)
  return rows[0]?.codes ?? assert.fail('no second factor')
}

const keepCodes = (on: Db, codes: string) =>
  sql`update account_two_factors set backup_codes = ${codes} where account_id = ${account}`.execute(on)

async function keysMade(): Promise<number> {
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from api_keys where account_id = ${account}`.execute(db)
  return rows[0]?.n ?? 0
}

test('a new code creates a key, whose secret is shown once and works', async () => {
  const { status, body } = await create(
    wish({ name: 'deploy', zones: [own.name, shared.id], expires_in: '90d', code: used }),
  )
  assert.equal(status, 201)
  assert.deepEqual(body.zones, [
    { id: own.id, name: 'own.example.com', kind: 'zone' },
    { id: shared.id, name: 'shared.example.org', kind: 'zone' },
  ])
  assert.equal(body.state, 'live')
  assert.equal((await api.call('GET', '/zones/shared.example.org', { key: body.secret })).status, 200)
  assert.equal((await api.call('GET', '/api-keys/current', { key: body.secret })).body.id, body.id)
  const listed = (await person.call('GET', '/api-keys')).body.data.find(({ id }: { id: string }) => id === body.id)
  const { secret, ...rest } = body
  assert.deepEqual({ ...listed, last_used_at: null }, { ...rest, last_used_at: null })
  const { rows } = await sql<{ action: string; actor_name: string }>`
    select action, actor_name from audit_log where reference->>'key' = ${body.id}`.execute(db)
  assert.deepEqual(rows, [{ action: 'key.created', actor_name: person.email }])
  assert.ok(!JSON.stringify(listed).includes(secret))
})

test('a missing, wrong or used code creates nothing', async () => {
  const before = await keysMade()
  assert.equal((await create(wish())).body.error.code, 'code_required')
  assert.equal((await create(wish({ code: ' ' }))).body.error.code, 'code_required')
  assert.equal((await create(wish({ code: '000000' }))).body.error.code, 'code_wrong')
  assert.equal((await create(wish({ code: used }))).body.error.code, 'code_wrong', 'used by the key before')
  assert.equal((await create(wish({ code: 'nonsense' }))).body.error.code, 'validation_failed')
  assert.equal(await keysMade(), before)
  assert.equal((await create(wish({ code: code() }))).status, 201)
})

test('one code creates only one of several keys that are requested concurrently', async () => {
  const one = code()
  const answers = await Promise.all(Array.from({ length: 4 }, () => create(wish({ code: one }))))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 403, 403, 403])
})

test('a backup code that another process is using creates no key', async () => {
  const one = code()
  const unused = await sealedCodes()
  assert.equal((await create(wish({ code: one }))).status, 201)
  const used = await sealedCodes()
  await keepCodes(db, unused)
  let asked: Promise<TestAnswer> | undefined
  await elsewhere.transact(async (tx) => {
    await keepCodes(tx, used)
    asked = create(wish({ code: one }))
    await untilBlocked(db)
  })
  const answer = await asked
  assert.deepEqual([answer?.status, answer?.body.error?.code], [403, 'code_wrong'])
})

test('without two-factor authentication, no keys can be created', async () => {
  const plain = await TestPerson.signedIn(api, 'plain@example.net')
  const answer = await plain.call('POST', '/api-keys', { body: wish({ code: '123456' }) })
  assert.equal(answer.status, 403)
  assert.equal(answer.body.error.code, 'two_factor_required')
})

test('reports each invalid part of a key with its place, and the code stays valid', async () => {
  const one = code()
  const before = await keysMade()
  const faults = async (body: object): Promise<string[]> => {
    const answer = await create({ ...body, code: one })
    assert.equal(answer.status, 422)
    return answer.body.error.details.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`)
  }
  assert.deepEqual(await faults(wish({ name: '' })), ['/name invalid'])
  assert.deepEqual(await faults(wish({ name: 'x'.repeat(101) })), ['/name invalid'])
  const { body } = await create({ ...wish({ name: 'x'.repeat(1_001) }), code: one })
  assert.equal(body.error.details[0].message, 'A key needs a name of 1 to 100 characters.')
  assert.deepEqual(await faults(wish({ permissions: [] })), ['/permissions missing'])
  assert.deepEqual(await faults(wish({ zones: [own.id], permissions: [...permissions] })), [
    '/permissions all_zones_only',
    '/permissions all_zones_only',
    '/permissions all_zones_only',
  ])
  assert.deepEqual(await faults(wish({ zones: [own.id, foreign.id, 'nowhere.example', foreign.name] })), [
    '/zones/1 not_found',
    '/zones/2 not_found',
    '/zones/3 not_found',
  ])
  for (const more of [{ expires_in: '2y' }, { permissions: ['everything'] }, { zones: 'some' }, { owner: stranger }])
    assert.equal((await create(wish({ ...more, code: one }))).status, 422, JSON.stringify(more))
  assert.equal(await keysMade(), before)
  assert.equal((await create(wish({ code: one }))).status, 201)
})

test('refuses a zone that the account loses while the key is being created, and the code stays valid', async () => {
  const zone = await api.zone(stranger, 'taken.example.org')
  await sql`insert into zone_managers (zone_id, account_id) values (${zone.id}, ${account})`.execute(db)
  const [one, before] = [code(), await keysMade()]
  let asked: Promise<TestAnswer> | undefined
  await elsewhere.transact(async (tx) => {
    await lockZone(tx, zone.id)
    await sql`delete from zone_managers where zone_id = ${zone.id}`.execute(tx)
    asked = create(wish({ zones: [own.id, zone.id], code: one }))
    await untilBlocked(db)
  })
  const answer = await asked
  assert.deepEqual([answer?.status, answer?.body.error.details[0].path], [422, '/zones'])
  assert.equal(await keysMade(), before)
  assert.equal((await create(wish({ zones: [own.id], code: one }))).status, 201)
})

test('if an account loses a zone while a key is being created, the new key loses it too', async () => {
  const owner = await TestPerson.signedIn(api, 'takes@example.net')
  const zone = await api.zone((await owner.call('GET', '/account')).body.id, 'made-meanwhile.example.org')
  await sql`insert into zone_managers (zone_id, account_id) values (${zone.id}, ${account})`.execute(db)
  let asked: Promise<TestAnswer> | undefined
  const { id } = await elsewhere.transact(async (tx) => {
    const key = { ...wish(), zones: [zone.id], permissions: ['records:read'], expiresIn: 'never' } as const
    const made = await createKey(tx, actorNamed('operator', 'test'), account, key)
    asked = owner.call('DELETE', `/zones/${zone.id}/managers/${account}`)
    await untilBlocked(db)
    return made
  })
  assert.equal((await asked)?.status, 204)
  const { rows } = await sql`select from api_key_zones where key_id = ${id}`.execute(db)
  assert.equal(rows.length, 0)
})

test('a list of zones can be empty, and then covers nothing', async () => {
  const { body } = await create(wish({ zones: [], code: code() }))
  assert.deepEqual(body.zones, [])
  assert.deepEqual((await api.call('GET', '/zones', { key: body.secret })).body.data, [])
})

test('a name belongs to one active key; a revoked key releases its name and stays listed', async () => {
  const first = await create(wish({ name: 'twice', code: code() }))
  assert.equal((await create(wish({ name: 'twice', code: person.backupCodes[0] }))).body.error.code, 'conflict')
  assert.equal((await person.call('DELETE', `/api-keys/${first.body.id}`)).status, 204)
  assert.equal((await api.call('GET', '/zones', { key: first.body.secret })).status, 401)
  assert.equal((await person.call('DELETE', `/api-keys/${first.body.id}`)).status, 404, 'only once')
  assert.equal(
    (await create(wish({ name: 'twice', code: code() }))).status,
    201,
    'the conflict did not use the code up',
  )
  const listed = (await person.call('GET', '/api-keys?limit=200')).body.data.filter(
    ({ name }: { name: string }) => name === 'twice',
  )
  assert.deepEqual(
    listed.map(({ state }: { state: string }) => state),
    ['live', 'revoked'],
  )
})

test('a repeat with the same Idempotency-Key does not create a second key and does not return the secret again', async () => {
  const body = wish({ code: code() })
  const headers = { 'idempotency-key': 'once' }
  assert.equal((await create(body, headers)).status, 201)
  const before = await keysMade()
  const again = await create(body, headers)
  assert.equal(await keysMade(), before)
  assert.ok([403, 409].includes(again.status), String(again.status))
})

test('no one can revoke or list another account’s keys', async () => {
  const other = await TestPerson.secured(api, 'other@example.net')
  const { body } = await create(wish({ code: code() }))
  assert.equal((await other.call('DELETE', `/api-keys/${body.id}`)).status, 404)
  assert.deepEqual((await other.call('GET', '/api-keys')).body.data, [])
  assert.equal((await api.call('GET', '/zones', { key: body.secret })).status, 200)
})

test('two Authorization headers are refused like a malformed one', async () => {
  const bearer = `Bearer ${await api.key(account)}`
  const address = await api.server.fastify.listen({ host: '127.0.0.1', port: 0 })
  const status = (headers: string[]) =>
    new Promise<number | undefined>((resolve, reject) => {
      const sent = request(`${address}/api/v1/zones`, { headers: ['Host', 'localhost', ...headers] })
      sent
        .on('response', (answer) => resolve(answer.resume().statusCode))
        .on('error', reject)
        .end()
    })
  assert.equal(await status(['Authorization', bearer]), 200)
  assert.equal(await status(['Authorization', bearer, 'authorization', bearer]), 401)
})
