// The limits of stored data: rows that would grow without limit if an account kept creating them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/postgres/index.ts'
import { maxSessions } from '../modules/accounts/auth-rules.ts'
import { accountJobs } from '../modules/accounts/index.ts'
import { createKey } from '../modules/api-keys/create-key.ts'
import { maxLiveKeys } from '../modules/api-keys/rules.ts'
import { orderJobs } from '../modules/orders/jobs.ts'
import { maxUnpaidOrders } from '../modules/orders/rules.ts'
import { actorNamed } from '../platform/caller.ts'
import { runJob } from './run-job.ts'
import { startSandboxRegistry } from './sandbox-registry.ts'
import { startTestApi } from './test-api.ts'
import { testContact } from './test-contact.ts'
import { codeOf } from './test-zones.ts'

const registry = await startSandboxRegistry()
const api = await startTestApi({ registry })
const { database } = api
const { db } = database

async function counted(table: 'account_sessions' | 'quotes', accountId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from ${sql.ref(table)} where account_id = ${accountId}`.execute(db)
  return rows[0]?.n ?? 0
}

test('an account keeps its newest sessions, and no more than it may have', async () => {
  const [many, few] = [await api.account('many-sessions@example.net'), await api.account('few-sessions@example.net')]
  for (const [account, sessions] of [
    [many, maxSessions + 50],
    [few, 3],
  ] as const)
    await sql`
      insert into account_sessions (id, account_id, token, expires_at, created_at, updated_at)
      select gen_random_uuid(), ${account}::uuid, ${account}::text || n, app_now() + interval '14 days', app_now() - n * interval '1 minute', app_now()
      from generate_series(1, ${sessions}::int) n`.execute(db)
  await runJob(accountJobs, 'forget-sign-ins', database)
  assert.deepEqual([await counted('account_sessions', many), await counted('account_sessions', few)], [maxSessions, 3])
  const { rows } = await sql<{ newest: boolean }>`
    select bool_and(created_at >= app_now() - ${maxSessions + 1} * interval '1 minute') as newest from account_sessions where account_id = ${many}`.execute(
    db,
  )
  assert.equal(rows[0]?.newest, true)
})

test('quotes are kept for a day', async () => {
  const account = await api.account('quotes@example.net')
  const key = await api.key(account)
  const fresh = await api.call('POST', '/quotes', { key, body: { kind: 'register', name: 'fresh.test' } })
  assert.equal(fresh.status, 201)
  await sql`
    insert into quotes select (jsonb_populate_record(q, jsonb_build_object('id', 'quo_old' || n, 'created_at', app_now() - interval '25 hours'))).*
    from quotes q cross join generate_series(1, 12000) n where q.id = ${fresh.body.id}`.execute(db)
  assert.equal(await counted('quotes', account), 12_001)
  await runJob(orderJobs, 'drop-old-quotes', database)
  assert.equal(await counted('quotes', account), 1)
})

test('a person can create a limited number of live keys; an operator can give the account more', async () => {
  const account = await api.account('keys@example.net')
  await sql`
    insert into api_keys (id, account_id, name, hint, secret_sha256, all_zones, permissions)
    select 'key_many' || n, ${account}, 'key ' || n, 'none', sha256(('many' || n)::bytea), true, '{records:read}'
    from generate_series(2, ${maxLiveKeys}::int) n`.execute(db)
  const make = (name: string, kind: 'session' | 'operator') =>
    database.transact((tx) =>
      createKey(tx, { ...actorNamed('operator', 'keys@example.net'), kind }, account, {
        name,
        zones: 'all',
        permissions: ['records:read'],
        expiresIn: 'never',
      }),
    )
  await make('the last one', 'session')
  await assert.rejects(make('one too many', 'session'), { code: 'conflict', message: /5000 live keys/ })
  await make('by an operator', 'operator')
  await sql`update api_keys set revoked_at = app_now() where id in ('key_many2', 'key_many3')`.execute(db)
  await make('again', 'session')
  await assert.rejects(make('one too many again', 'session'), { code: 'conflict' })
  await sql`update api_keys set expires_at = app_now() where id = 'key_many4'`.execute(db)
  await make('in place of an expired one', 'session')
})

test('an account has a limited number of unpaid orders', async () => {
  const account = await api.account('orders@example.net')
  const key = await api.key(account)
  await sql`
    insert into orders (id, account_id, kind, name, tld, years, status, amount_kobo, credit_kobo, promo_code, promo_kobo, renewal_kobo,
      client_email, auto_renew, nameservers, expires_at)
    select 'ord_unpaid' || n, ${account}, 'register', 'unpaid' || n || '.test', 'test', 1, 'pending_payment', 1250000, 0, '', 0, 1400000,
      '', false, '{}', app_now() + interval '1 day' from generate_series(2, ${maxUnpaidOrders}::int) n`.execute(db)
  const contact = await api.call('POST', '/contacts', { key, body: testContact })
  const order = async (name: string) => {
    const quote = await api.call('POST', '/quotes', { key, body: { kind: 'register', name } })
    const body = { quote_id: quote.body.id, contact_id: contact.body.id }
    return api.call('POST', '/orders', { key, body })
  }
  const last = await order('last-unpaid.test')
  assert.equal(last.status, 201, JSON.stringify(last.body))
  assert.deepEqual(codeOf(await order('one-too-many.test')), [409, 'conflict'])
  assert.equal((await api.call('POST', `/orders/${last.body.id}/cancel`, { key })).status, 200)
  assert.equal((await order('one-too-many.test')).status, 201)
})
