import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import pg from 'pg'
import { advisoryLocks, type Database, openDatabase } from '#platform/postgres/index.ts'
import { migrate } from '#platform/postgres/migrate.ts'

const template = 'zonewright_template'
const clonePrefix = 'zonewright_test_'

/** For tests that are not about an outage: even on a busy machine, none is reported. */
export const connectWithinMs = 60_000

/** A test file's database: a clone of the migrated template. */
export interface TestDatabase extends Database {
  readonly url: string
}

/** A clone of the template with a pool, which is closed after the file's tests. */
export async function cloneDatabase(): Promise<TestDatabase> {
  const url = await cloneTemplate()
  const database = openDatabase(url, { application: 'zonewright test', connectWithinMs })
  after(() => database.close())
  return { ...database, url }
}

/** Opens the same database as another process would, for a test that holds locks while this process works. Closed after the file's tests. */
export function asAnotherProcess(url: string): Database {
  const database = openDatabase(url, { application: 'zonewright another', connectWithinMs })
  after(() => database.close())
  return database
}

/**
 * Clones the template database on the test run's PostgreSQL (`ZONEWRIGHT_TEST_POSTGRES`, which `npm test` sets); returns its URL.
 *
 * Throws if it is not set: a test without its database fails and is not skipped. The clone stays until the run is
 * over, because on file systems that skip the inodes of recently deleted files, every drop makes the next clones slower.
 */
export function cloneTemplate(): Promise<string> {
  return createDatabase(`template ${template}`)
}

/** Creates an empty database on the test run's PostgreSQL and returns its URL. Otherwise like `cloneTemplate`. */
export function createEmptyDatabase(): Promise<string> {
  return createDatabase('template template0')
}

async function createDatabase(origin: string): Promise<string> {
  const server = process.env['ZONEWRIGHT_TEST_POSTGRES']
  if (server === undefined)
    throw new Error('ZONEWRIGHT_TEST_POSTGRES is not set: run the tests with `npm test`, which starts PostgreSQL.')
  const name = `${clonePrefix}${randomBytes(6).toString('hex')}`
  await onServer(server, (client) => client.query(`create database ${name} ${origin}`))
  return databaseUrl(server, name)
}

/** Creates the template that every test file clones. Called once per run, before the first test. */
export async function prepareTemplate(server: string): Promise<void> {
  // A killed run has left its databases.
  await dropTestDatabases(server)
  await onServer(server, (client) => client.query(`create database ${template}`))
  await migrate(databaseUrl(server, template))
}

/** Drops the template and all its clones, on a server that outlives the run. */
export async function dropTestDatabases(server: string): Promise<void> {
  await onServer(server, async (client) => {
    const { rows } = await client.query<{ datname: string }>(
      'select datname from pg_database where datname = $1 or starts_with(datname, $2)',
      [template, clonePrefix],
    )
    for (const { datname } of rows) await client.query(`drop database ${datname} with (force)`)
  })
}

function databaseUrl(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

async function onServer(server: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  // Two test files may clone at the same time, but PostgreSQL copies a template for only one at a time.
  await client.query('select pg_advisory_lock($1)', [advisoryLocks.cloneTestDatabase])
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
