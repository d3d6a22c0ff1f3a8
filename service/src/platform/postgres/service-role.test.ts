import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { housekeeping } from '#http/housekeeping.ts'
import { eventually } from '#testing/eventually.ts'
import { cloneDatabase, cloneTemplate, createEmptyDatabase } from '#testing/platform/test-database.ts'
import { CannotStart } from '../cannot-start.ts'
import { createMetrics } from '../figures/metrics.ts'
import { createLogger } from '../log.ts'
import { startJobs } from '../work/jobs.ts'
import { type Database, openDatabase, sql } from './db.ts'
import { migrate } from './migrate.ts'

const server = await cloneDatabase()
const name = `roles_of_${new URL(server.url).pathname.slice(1)}`
const [schemasOwner, role] = [`owner_${name}`, `service_${name}`]
const asServer = (text: string) => sql.raw(text).execute(server.db)
for (const each of [schemasOwner, role]) await asServer(`create role ${each} login password 'of a test'`)
await asServer(`create database ${name} owner ${schemasOwner}`)
const owner = open(schemasOwner)
await migrate(owner.url)
// Like an installation with one role for everything: pg-boss's tables belong to the owner.
await runJobs(owner)
await migrate(owner.url, { serviceRole: role })
const service = open(role)
after(async () => {
  await Promise.all([owner.close(), service.close()])
  // Roles belong to the server, so they would outlive the run.
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  for (const each of [`database ${name}`, `role ${schemasOwner}`, `role ${role}`]) await client.query(`drop ${each}`)
  await client.end()
})

function open(user: string) {
  const url = new URL(server.url)
  url.pathname = name
  url.username = user
  url.password = 'of a test'
  return { ...openDatabase(url.href, { application: 'zonewright test' }), url: url.href }
}

const denied = { code: '42501' }
const run = (text: string) => sql.raw(text).execute(service.db)

test('the service’s role reads and writes rows, and sees that the schema is up to date', async () => {
  assert.deepEqual(await migrate(service.url), [])
  await run(`insert into accounts (email) values ('rights@example.net')`)
  await run(`update accounts set name = 'Rights' where email = 'rights@example.net'`)
  await run(`delete from accounts where email = 'rights@example.net'`)
})

test('it adds rows to append-only tables, but cannot change or remove them', async () => {
  for (const table of ['audit_log', 'ledger_entries']) {
    await run(`select count(*) from ${table}`)
    await assert.rejects(run(`update ${table} set at = at`), denied, table)
    await assert.rejects(run(`delete from ${table}`), denied, table)
    await assert.rejects(run(`truncate ${table}`), denied, table)
  }
  await assert.rejects(run(`select drop_partitions('audit_log', '2100-01-01')`), /audit_log is append-only/)
})

test('it cannot change the schema, or bypass a table through its partitions', async () => {
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

test('it takes over pg-boss’s tables from the owner: its recurring jobs are scheduled, run, and create partitions', async () => {
  await runJobs(service)
  const { rows } = await run(`select 1 from pgboss.schedule where name = 'ensure-partitions'`)
  assert.equal(rows.length, 1)
  let runs = 0
  await run(`insert into pgboss.job (name) values ('ensure-partitions')`)
  const counted = housekeeping.map((job) => ({
    ...job,
    run: async (database: Database) => {
      await job.run(database)
      runs++
    },
  }))
  await runJobs(service, counted, () => runs === 1)
})

test('migrating again keeps its jobs', async () => {
  await run(`insert into pgboss.job (name) values ('ensure-partitions')`)
  const jobs = async () => (await run(`select id from pgboss.job order by id`)).rows
  const before = await jobs()
  assert.ok(before.length > 0)
  await migrate(owner.url, { serviceRole: role })
  assert.deepEqual(await jobs(), before)
})

test('the owner gets pg-boss’s tables back by becoming the service’s role', async () => {
  await assert.rejects(runJobs(owner), denied)
  await migrate(owner.url, { serviceRole: schemasOwner })
  await runJobs(owner)
  await migrate(owner.url, { serviceRole: role })
  await runJobs(service)
})

test('a missing migration and a missing role are each reported in one line', async () => {
  await sql`update schema_migrations set name = '0001-older.sql' where name = '0001-foundations.sql'`.execute(owner.db)
  await assert.rejects(
    migrate(service.url),
    /^Error: The database is older than this code\. Run the migration 0001-foundations\.sql as the owner of the schema/,
  )
  await sql`update schema_migrations set name = '0001-foundations.sql' where name = '0001-older.sql'`.execute(owner.db)
  await assert.rejects(migrate(owner.url, { serviceRole: 'nobody at all' }), (error: Error) => {
    assert.ok(error instanceof CannotStart)
    assert.equal(error.message, 'DATABASE_ROLE: the role "nobody at all" does not exist.')
    return true
  })
  await assert.rejects(migrate(owner.url, { doctorRole: 'nobody at all' }), (error: Error) => {
    assert.ok(error instanceof CannotStart)
    assert.equal(error.message, 'DATABASE_DOCTOR_ROLE: the role "nobody at all" does not exist.')
    return true
  })
})

test('on the schema of any earlier version this code does not start, and says in one line what to run', async () => {
  const { rows } = await sql<{ name: string }>`select name from schema_migrations order by name`.execute(owner.db)
  for (const { name } of rows) {
    const later = sql`from schema_migrations where name >= ${name}`
    const kept = await sql<{
      name: string
      sha256: string
      breaks: boolean
    }>`select name, sha256, breaks ${later}`.execute(owner.db)
    await sql`delete ${later}`.execute(owner.db)
    await assert.rejects(migrate(service.url), (error: Error) => {
      assert.ok(error instanceof CannotStart, `${name}: ${error}`)
      const says = `The database is older than this code. Run the migration ${name} as the owner of the schema (service/bin/migrate.ts).`
      assert.equal(error.message, says)
      return true
    })
    for (const row of kept.rows)
      await sql`insert into schema_migrations (name, sha256, breaks) values (${row.name}, ${row.sha256}, ${row.breaks})`.execute(
        owner.db,
      )
  }
})

test('on an empty database, or one where its role has no rights, it does not start, and says in one line what to run', async () => {
  for (const without of [await createEmptyDatabase(), await cloneTemplate()]) {
    const url = new URL(without)
    url.username = role
    url.password = 'of a test'
    await assert.rejects(migrate(url.href), (error: Error) => {
      assert.ok(error instanceof CannotStart, String(error))
      const says =
        'The database is empty, or this role has no rights in it. Run service/bin/migrate.ts as the owner of the schema, with this role in DATABASE_ROLE.'
      assert.equal(error.message, says)
      return true
    })
  }
})

/** Runs a worker's jobs until a condition holds. */
async function runJobs(database: Database, jobs = housekeeping, condition = () => true): Promise<void> {
  const running = await startJobs(database, jobs, createLogger('test', 'silent'), createMetrics())
  await eventually('it is so', condition).finally(() => running.stop())
}
