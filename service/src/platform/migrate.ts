import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { advisoryLocks } from './advisory-locks.ts'
import { CannotStart } from './cannot-start.ts'

const folder = fileURLToPath(new URL('../../migrations/', import.meta.url))
export const oldestPostgres = 15

/** The database cannot serve this version of the code; the message is one line for a person. */
export class DatabaseUnfit extends CannotStart {}

/**
 * Brings the schema to this version: runs each `migrations/NNNN-*.sql` not yet run, in order, each in a transaction.
 *
 * Forward only. A file that has run must never change: its checksum is kept and compared. Two processes may call this at
 * once; the second waits. Returns the names that were run now.
 */
export async function migrate(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'zonewright migrate' })
  await client.connect().catch((error: Error) => {
    throw new DatabaseUnfit(`The database cannot be reached: ${error.message || String(error)}`)
  })
  try {
    await refuseUnfit(client)
    await client.query('select pg_advisory_lock($1)', [advisoryLocks.migrate])
    const run = await runMissing(client)
    await client.query('select ensure_all_partitions()')
    return run
  } finally {
    await client.end()
  }
}

async function refuseUnfit(client: pg.Client): Promise<void> {
  const version = await client.query<{ server_version_num: string }>('show server_version_num')
  const major = Math.floor(Number(version.rows[0]?.server_version_num) / 10_000)
  if (major < oldestPostgres)
    throw new DatabaseUnfit(`PostgreSQL ${major} is too old: ${oldestPostgres} or newer is needed.`)
  // A transaction pooler hands each statement to another server process: session state would be lost between these two.
  await client.query("set application_name = 'zonewright pooler check'")
  const kept = await client.query<{ application_name: string }>('show application_name')
  if (kept.rows[0]?.application_name !== 'zonewright pooler check')
    throw new DatabaseUnfit('DATABASE_URL leads through a transaction pooler: a direct connection is needed.')
}

async function runMissing(client: pg.Client): Promise<string[]> {
  await client.query(
    'create table if not exists schema_migrations (name text primary key, sha256 text not null, run_at timestamptz not null default now())',
  )
  const known = new Map(
    (await client.query<{ name: string; sha256: string }>('select name, sha256 from schema_migrations')).rows.map(
      (row) => [row.name, row.sha256],
    ),
  )
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const newer = [...known.keys()].find((name) => !files.includes(name))
  if (newer !== undefined) throw new DatabaseUnfit(`The database is newer than this code: it has run ${newer}.`)
  const run: string[] = []
  for (const name of files) {
    const text = await readFile(folder + name, 'utf8')
    const sha256 = createHash('sha256').update(text).digest('hex')
    if (known.get(name) === sha256) continue
    if (known.has(name)) throw new DatabaseUnfit(`Migration ${name} was changed after it had run.`)
    await client.query('begin')
    await client.query(text)
    await client.query('insert into schema_migrations (name, sha256) values ($1, $2)', [name, sha256])
    await client.query('commit')
    run.push(name)
  }
  return run
}
