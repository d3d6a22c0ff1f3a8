import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { CannotStart } from './cannot-start.ts'
import { openDatabase, sql } from './db.ts'
import { housekeeping } from './housekeeping.ts'
import { startJobs } from './jobs.ts'
import { createLogger } from './log.ts'
import { createMetrics } from './metrics.ts'
import { migrate } from './migrate.ts'
import { cloneDatabase } from './test-database.ts'

const owner = await cloneDatabase()
const role = `service_${new URL(owner.url).pathname.slice(1)}`
await sql.raw(`create role ${role} login password 'of the service'`).execute(owner.db)
await migrate(owner.url, { serviceRole: role })
const url = new URL(owner.url)
url.username = role
url.password = 'of the service'
const service = openDatabase(url.href, { application: 'zonewright test' })
after(async () => {
  await service.close()
  // The database stays until the run is over; the role, which is the server's, does not.
  const client = new pg.Client({ connectionString: owner.url })
  await client.connect()
  await client.query(`drop owned by ${role}; drop role ${role}`).finally(() => client.end())
})

const denied = { code: '42501' }
const run = (text: string) => sql.raw(text).execute(service.db)

test('the service’s role reads and writes rows, and finds the schema at its version', async () => {
  assert.deepEqual(await migrate(url.href), [])
  await run(`insert into accounts (email) values ('rights@example.net')`)
  await run(`update accounts set name = 'Rights' where email = 'rights@example.net'`)
  await run(`delete from accounts where email = 'rights@example.net'`)
})

test('it adds to what is append-only, and changes and removes nothing of it', async () => {
  for (const table of ['audit_log', 'ledger_entries']) {
    await run(`select count(*) from ${table}`)
    await assert.rejects(run(`update ${table} set at = at`), denied, table)
    await assert.rejects(run(`delete from ${table}`), denied, table)
    await assert.rejects(run(`truncate ${table}`), denied, table)
  }
  await assert.rejects(run(`select drop_partitions('audit_log', '2100-01-01')`), /audit_log is append-only/)
})

test('it cannot change the schema, nor reach round a table by its partitions', async () => {
  for (const text of [
    'create table mine (a int)',
    'drop table zones',
    'alter table zones add column mine int',
    'alter table audit_log disable trigger all',
    `create or replace function app_now() returns timestamptz language sql return now()`,
    `insert into schema_migrations (name, sha256, breaks) values ('x', 'x', false)`,
  ])
    await assert.rejects(run(text), denied, text)
  const { rows } = await sql<{ name: string }>`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = 'audit_log'::regclass limit 1`.execute(
    owner.db,
  )
  await assert.rejects(run(`delete from ${rows[0]?.name}`), denied)
})

test('its jobs make the coming partitions, and have pg-boss’s tables to themselves', async () => {
  const jobs = await startJobs(service, housekeeping, createLogger('test', 'silent'), createMetrics())
  await jobs.stop()
  await run('select ensure_all_partitions()')
  const { rows } = await run(`select 1 from pgboss.schedule where name = 'ensure-partitions'`)
  assert.equal(rows.length, 1)
})

test('a missing migration, and a role that is not there, are told in one line', async () => {
  await sql`update schema_migrations set name = '0001-older.sql' where name = '0001-foundations.sql'`.execute(owner.db)
  await assert.rejects(
    migrate(url.href),
    /^Error: The database is older than this code: 0001-foundations\.sql is to be run by the schema's owner/,
  )
  await sql`update schema_migrations set name = '0001-foundations.sql' where name = '0001-older.sql'`.execute(owner.db)
  await assert.rejects(migrate(owner.url, { serviceRole: 'nobody at all' }), (error: Error) => {
    assert.ok(error instanceof CannotStart)
    assert.equal(error.message, 'DATABASE_ROLE: there is no role "nobody at all".')
    return true
  })
})
