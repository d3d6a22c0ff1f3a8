import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import pg from 'pg'
import { advisoryLocks } from './advisory-locks.ts'
import { type Database, openDatabase } from './db.ts'
import { migrate } from './migrate.ts'

const template = 'zonewright_template'

/** For tests that are not about an outage: however busy the machine is, there is none. */
export const connectWithinMs = 60_000

/** A test file's own database: a clone of the migrated template, dropped when the file is done. */
export interface TestDatabase extends Database {
  readonly url: string
}

/**
 * Clones the template database on the test run's PostgreSQL (`ZONEWRIGHT_TEST_POSTGRES`, which `npm test` sets).
 *
 * Throws when there is none: a test without its database has failed, it is not skipped.
 */
export async function cloneDatabase(): Promise<TestDatabase> {
  const server = process.env['ZONEWRIGHT_TEST_POSTGRES']
  if (server === undefined)
    throw new Error('ZONEWRIGHT_TEST_POSTGRES is not set: run the tests with `npm test`, which starts PostgreSQL.')
  const name = `t_${randomBytes(6).toString('hex')}`
  await onServer(server, (client) => client.query(`create database ${name} template ${template}`))
  const url = databaseUrl(server, name)
  const database = openDatabase(url, { application: 'zonewright test', connectWithinMs })
  after(async () => {
    await database.close()
    await onServer(server, (client) => client.query(`drop database ${name} with (force)`))
  })
  return { ...database, url }
}

/** Makes the template that every test file clones; called once a run, before the first test. */
export async function prepareTemplate(server: string): Promise<void> {
  await onServer(server, async (client) => {
    await client.query(`drop database if exists ${template} with (force)`)
    await client.query(`create database ${template}`)
  })
  await migrate(databaseUrl(server, template))
}

function databaseUrl(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

async function onServer(server: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  // Two test files may clone at once; PostgreSQL copies a template for one at a time.
  await client.query('select pg_advisory_lock($1)', [advisoryLocks.cloneTestDatabase])
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
