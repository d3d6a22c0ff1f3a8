import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actorNamed } from '#platform/caller.ts'
import { sql } from '#platform/postgres/index.ts'
import { moveClock } from '#testing/move-clock.ts'
import { asAnotherProcess } from '#testing/platform/test-database.ts'
import { startTestApi } from '#testing/test-api.ts'
import { untilBlocked } from '#testing/until-blocked.ts'
import { createKey, type NewKey, revokeKeyNamed } from './create-key.ts'

const api = await startTestApi()
const { database } = api
const elsewhere = asAnotherProcess(database.url)
const actor = actorNamed('operator', 'root@host')
const account = await api.account('owner@example.net')

const wish = (key: Partial<NewKey>): NewKey => ({
  name: 'deploy',
  zones: 'all',
  permissions: ['records:read'],
  expiresIn: 'never',
  ...key,
})
const create = (key: Partial<NewKey>) => database.transact((tx) => createKey(tx, actor, account, wish(key)))

const revoke = (name: string) => database.transact((tx) => revokeKeyNamed(tx, actor, account, name))

test('the secret is in the response and not in the database', async () => {
  const { id, secret } = await create({ name: 'secretive' })
  const { rows } = await sql<{ dump: string }>`
    select string_agg(t, ' ') as dump from (
      select k::text as t from api_keys k union all select a::text from audit_log a union all select i::text from idempotency_keys i) all_rows`.execute(
    database.db,
  )
  const dump = String(rows[0]?.dump)
  assert.ok(dump.includes(id))
  assert.ok(!dump.includes(secret.slice(9, 41)))
  assert.ok(!dump.includes(Buffer.from(secret).toString('hex')))
})

test('creating and revoking a key both write an audit entry that names the key', async () => {
  const { id } = await create({ name: 'audited' })
  await revoke('audited')
  const { rows } = await sql<Record<string, unknown>>`
    select action, summary, actor_kind, actor_name, reference from audit_log where reference->>'key' = ${id} order by id`.execute(
    database.db,
  )
  assert.deepEqual(rows, [
    {
      action: 'key.created',
      summary: 'API key "audited" was created',
      actor_kind: 'operator',
      actor_name: 'root@host',
      reference: { key: id },
    },
    {
      action: 'key.revoked',
      summary: 'API key "audited" was revoked',
      actor_kind: 'operator',
      actor_name: 'root@host',
      reference: { key: id },
    },
  ])
})

test('a name is unique among active keys and free again after a revocation or an expiry', async () => {
  await create({ name: 'unique', expiresIn: '30d' })
  await assert.rejects(create({ name: 'unique' }), { code: 'conflict' })
  assert.equal(await revoke('unique'), true)
  assert.equal(await revoke('unique'), false)
  await create({ name: 'unique', expiresIn: '30d' })
  await moveClock(database, '31 days')
  await create({ name: 'unique' })
  await moveClock(database, '0 seconds')
})

test('of two concurrent keys with the same name, the second waits for the first and is refused', async () => {
  let second: Promise<unknown> | undefined
  await elsewhere.transact(async (tx) => {
    await createKey(tx, actor, account, wish({ name: 'racing' }))
    second = assert.rejects(create({ name: 'racing' }), { code: 'conflict' })
    await Promise.race([untilBlocked(database.db), second])
  })
  await second
})

test('a key with errors is refused with all errors at once', async () => {
  await assert.rejects(
    create({ name: '', zones: [], permissions: ['webhooks:manage'] }),
    (error: { code: string; details: unknown[] }) => {
      assert.deepEqual([error.code, error.details.length], ['validation_failed', 2])
      return true
    },
  )
})

test('a key expires after 30 days, 90 days, a year or never', async () => {
  for (const [expiresIn, days] of [
    ['30d', 30],
    ['90d', 90],
    ['1y', 365],
    ['never', null],
  ] as const) {
    const { id } = await create({ name: `for ${expiresIn}`, expiresIn })
    const { rows } = await sql<{ days: number | null }>`
      select extract(day from date_trunc('day', expires_at) - date_trunc('day', created_at))::int as days from api_keys where id = ${id}`.execute(
      database.db,
    )
    assert.equal(rows[0]?.days, days)
  }
})

test('a key can read itself: its name, scope, permissions and expiry, but not its secret', async () => {
  const zone = await api.zone(account, 'example.com')
  const secret = await api.key(account, {
    name: 'reader',
    zones: [zone.id],
    permissions: ['records:read'],
    expiresIn: '90d',
  })
  const { status, body } = await api.call('GET', '/api-keys/current', { key: secret })
  const { id, created_at, expires_at, last_used_at, ...rest } = body
  assert.equal(status, 200)
  assert.match(id, /^key_[0-9a-f]{32}$/)
  assert.deepEqual(rest, {
    name: 'reader',
    hint: secret.slice(-4),
    zones: [{ id: zone.id, name: 'example.com', kind: 'zone' }],
    permissions: ['records:read'],
    limits: null,
    addresses: null,
    tsig: null,
    state: 'live',
  })
  assert.ok(Date.parse(expires_at) > Date.parse(created_at))
  assert.ok(last_used_at === null || Date.parse(last_used_at) >= Date.parse(created_at))
  const all = await api.call('GET', '/api-keys/current', { key: await api.key(account, { expiresIn: 'never' }) })
  assert.deepEqual([all.body.zones, all.body.expires_at], ['all', null])
})
