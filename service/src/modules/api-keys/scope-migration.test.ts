import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import pg from 'pg'
import { sql } from '#platform/postgres/index.ts'
import { migrationsFolder } from '#platform/postgres/migration-files.ts'
import { startTestApi } from '#testing/test-api.ts'

const api = await startTestApi()
const { db } = api.database
const ada = await api.account('ada@example.net')
const bob = await api.account('bob@example.net')

/** Runs statements as migrations do: several at once. */
async function run(statements: string): Promise<void> {
  const client = new pg.Client({ connectionString: api.database.url })
  await client.connect()
  await client.query(statements).finally(() => client.end())
}

test('existing keys cover the domains with the names of their zones and no others', async () => {
  const names = ['own', 'zone-only', 'other', 'shared', 'foreign', 'gone', 'again', 'arriving', 'to-verify'].map(
    (label) => `${label}.test`,
  )
  const zones = await Promise.all(
    names.slice(0, -1).map((name) => api.zone(name.startsWith('shared') ? bob : ada, name)),
  )
  const pending = (await api.call('POST', '/zones', { key: await api.key(ada), body: { name: 'to-verify.test' } })).body
  const shared = zones.find(({ name }) => name === 'shared.test')
  await sql`insert into zone_managers (zone_id, account_id) values (${shared?.id}, ${ada})`.execute(db)
  const picked = zones.filter(({ name }) => name !== 'other.test').map(({ id }) => id)
  await api.key(ada, { zones: [...picked, pending.id], name: 'some', permissions: ['domains:read'] })
  await api.key(ada, { zones: picked.slice(0, 2), name: 'revoked', permissions: ['domains:read'] })
  await sql`update api_keys set revoked_at = app_now() where name = 'revoked'`.execute(db)
  await api.key(ada, { name: 'all' })
  await api.key(ada, { zones: [], name: 'none', permissions: ['domains:read'] })
  await api.key(bob, { zones: [shared?.id ?? ''], name: 'owner of the shared zone', permissions: ['domains:read'] })
  // The state before the migration: keys covered only zones.
  await run('drop table api_key_domains; alter table domains drop column public_id')
  const domain = (name: string, accountId: string, state = 'held') =>
    sql`insert into domains (name, tld, account_id, state, order_id, auto_renew)
      values (${name}, 'test', ${accountId}, ${state}, 'ord_1', false)`.execute(db)
  for (const name of ['own.test', 'other.test', 'to-verify.test', 'without-zone.test']) await domain(name, ada)
  await domain('shared.test', bob)
  await sql`insert into domain_managers (domain_id, account_id) select id, ${ada} from domains where name = 'shared.test'`.execute(
    db,
  )
  await domain('foreign.test', bob)
  await domain('gone.test', ada, 'gone')
  await domain('again.test', bob, 'gone')
  await domain('again.test', ada)
  await domain('arriving.test', ada, 'arriving')
  await run(await readFile(`${migrationsFolder}0024-key-scopes.sql`, 'utf8'))
  const { rows } = await sql<{ key: string; domain: string; state: string }>`
    select k.name as key, d.name as domain, d.state from api_key_domains kd
    join api_keys k on k.id = kd.key_id join domains d on d.id = kd.domain_id order by k.name, d.name`.execute(db)
  assert.deepEqual(
    rows.map(({ key, domain, state }) => `${key}: ${domain} ${state}`),
    [
      'owner of the shared zone: shared.test held',
      'revoked: own.test held',
      'some: again.test held',
      'some: arriving.test arriving',
      'some: own.test held',
      'some: shared.test held',
      'some: to-verify.test held',
    ],
  )
  const ids = (await sql<{ id: string }>`select public_id as id from domains`.execute(db)).rows.map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length)
  for (const id of ids) assert.match(id, /^dom_[0-9a-f]{32}$/)
})
