import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { CannotStart } from '../cannot-start.ts'
import { hostText } from '../settings/database-url.ts'
import { advisoryLocks } from './advisory-locks.ts'
import { readOnly, readOnlyState, reasonOf } from './ask-host.ts'
import { grantDoctor, grantDoor, grantService } from './grant-service.ts'
import { LeaderHost } from './leader-host.ts'
import { checksumOf, migrationNames, migrationsFolder } from './migration-files.ts'
import { isFull, isOutage, stateOf } from './outage.ts'
import { poolerBefore, sessionPooler, transactionPooler } from './pooler.ts'
import { isWritableHere } from './writable.ts'

export const oldestPostgres = 15

/** The database cannot serve this version of the code; the message is one line for the operator. */
export class DatabaseUnfit extends CannotStart {}

/**
 * Brings the schema to this version: runs each `migrations/NNNN-*.sql` not yet run, in order, each in a transaction.
 *
 * Forward only. A file that has run must never change, because its checksum is stored and compared. Two processes may call this at once; the second
 * one waits. A database that a later version has migrated is accepted, unless one of the later migrations has `-- breaks older code` in its first
 * line. Returns the names of the migrations that were run now.
 *
 * Processes that serve in the meantime wait at most half a second for a migration (`lockAttempts`).
 */
export async function migrate(
  address: string | LeaderHost,
  { serviceRole, doorRole, doctorRole, lockAttempts = 30 }: MigrateOptions = {},
): Promise<string[]> {
  const leader = LeaderHost.of(address)
  const client = new leader.Client({ application_name: 'zonewright migrate' })
  await client.connect().catch(refuseUnreachable)
  try {
    await refuseOld(client)
    await refuseReadOnly(client)
    await refusePooler(client, leader)
    await client.query('select pg_advisory_lock($1)', [advisoryLocks.migrate])
    const run = await runMissing(client, lockAttempts)
    await client.query('select ensure_all_partitions()')
    if (serviceRole !== undefined) await grantService(client, serviceRole)
    if (doorRole !== undefined) await grantDoor(client, doorRole)
    if (doctorRole !== undefined) await grantDoctor(client, doctorRole)
    return run
  } catch (error) {
    throw unfinished(error as Error) ?? error
  } finally {
    await client.end()
  }
}

interface MigrateOptions {
  /** Gets the rights that the service's processes need, and no more (see `grantService`). */
  readonly serviceRole?: string | undefined
  /** Gets the rights of a DNS door in a separate process (see `grantDoor`). */
  readonly doorRole?: string | undefined
  /** Gets the rights of the doctor (see `grantDoctor`). */
  readonly doctorRole?: string | undefined
  /**
   * How many times a migration that waits for a lock is tried, every two seconds. This is a minute, and the service's transactions end within half of
   * it.
   */
  readonly lockAttempts?: number
}

/** A migration runs completely or not at all. Earlier migrations stay. Undefined if the error is not from the server. */
function unfinished(error: Error): DatabaseUnfit | undefined {
  if (isFull(error))
    return new DatabaseUnfit(
      `PostgreSQL has no room to bring the schema to this version (${error.message}). Free space on its disk, then start this again.`,
    )
  if (isOutage(error))
    return new DatabaseUnfit(
      `PostgreSQL went away before the schema was at this version (${error.message}). Start this again when it is back.`,
    )
  return undefined
}

/** How the schema differs from this version: migrations that have not run, and those that this version does not know. */
export async function migrationsOf(client: pg.Client): Promise<{ missing: string[]; unknown: string[] }> {
  const { rows } = await client.query<{ name: string }>(`select name from schema_migrations order by name`)
  const run = rows.map(({ name }) => name)
  const files = await migrationNames()
  return {
    missing: files.filter((name) => !run.includes(name)),
    unknown: run.filter((name) => !files.includes(name)),
  }
}

function refuseUnreachable(error: unknown): never {
  if (error instanceof CannotStart) throw error
  // PostgreSQL accepts connections long before it is restored.
  throw stateOf(error) === readOnlyState
    ? unfitToRead(reasonOf(error))
    : new DatabaseUnfit(`The database cannot be reached: ${reasonOf(error)}`)
}

function unfitToRead(why: string): DatabaseUnfit {
  return new DatabaseUnfit(
    `The database is read-only: PostgreSQL is still being restored, or it is a standby (${why}). Wait until deploy/backup/until-restored.sh has finished, or correct DATABASE_URL.`,
  )
}

async function refuseReadOnly(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ is: boolean }>(`select ${isWritableHere} as is`)
  if (rows[0]?.is !== true) throw unfitToRead(`${hostText(client)} ${readOnly}`)
}

async function refuseOld(client: pg.Client): Promise<void> {
  const version = await client.query<{ server_version_num: string }>('show server_version_num')
  const major = Math.floor(Number(version.rows[0]?.server_version_num) / 10_000)
  if (major < oldestPostgres) throw new DatabaseUnfit(`PostgreSQL ${major} is too old. Use ${oldestPostgres} or newer.`)
}

async function refusePooler(client: pg.Client, leader: LeaderHost): Promise<void> {
  const pooler = await poolerBefore(client, (settings) => new leader.Client(settings))
  if (pooler === 'transaction') throw new DatabaseUnfit(transactionPooler)
  if (pooler === 'session') leader.warn(sessionPooler)
}

async function runMissing(client: pg.Client, lockAttempts: number): Promise<string[]> {
  const known = await readRun(client)
  const files = await migrationNames()
  const breaking = [...known].find(([name, { breaks }]) => breaks && !files.includes(name))
  if (breaking !== undefined)
    throw new DatabaseUnfit(
      `The database is newer than this code (migration ${breaking[0]}). Deploy the newer version.`,
    )
  const run: string[] = []
  for (const name of files) {
    const text = await readFile(migrationsFolder + name, 'utf8')
    const sha256 = checksumOf(text)
    if (known.get(name)?.sha256 === sha256) continue
    if (known.has(name)) throw new DatabaseUnfit(`Migration ${name} was changed after it had run.`)
    await runOne(client, { name, text, sha256 }, lockAttempts)
    run.push(name)
  }
  return run
}

interface Run {
  readonly sha256: string
  /** Code that does not know this migration cannot work with it. */
  readonly breaks: boolean
}

/** The migrations that have run. The service's role may read this table, but not create it. */
async function readRun(client: pg.Client): Promise<Map<string, Run>> {
  try {
    const { rows: found } = await client.query<{ is: boolean }>(
      `select to_regclass('schema_migrations') is not null as is`,
    )
    if (found[0]?.is !== true)
      await client.query(`create table schema_migrations (
        name text primary key, sha256 text not null, breaks boolean not null, run_at timestamptz not null default now())`)
    const { rows } = await client.query<Run & { name: string }>('select name, sha256, breaks from schema_migrations')
    return new Map(rows.map(({ name, ...run }) => [name, run]))
  } catch (error) {
    if (stateOf(error) !== insufficientPrivilege) throw error
    throw new DatabaseUnfit(
      'The database is empty, or this role has no rights in it. Run service/bin/migrate.ts as the owner of the schema, with this role in DATABASE_ROLE.',
    )
  }
}

interface Migration {
  readonly name: string
  readonly text: string
  readonly sha256: string
}

/** Runs a migration. A migration that waits for a lock blocks all later statements, so it gives up and is retried. */
async function runOne(client: pg.Client, migration: Migration, lockAttempts: number): Promise<void> {
  for (let left = lockAttempts; ; left--)
    try {
      return await attempt(client, migration)
    } catch (error) {
      const state = stateOf(error)
      if (state === insufficientPrivilege)
        throw new DatabaseUnfit(
          `The database is older than this code. Run the migration ${migration.name} as the owner of the schema (service/bin/migrate.ts).`,
        )
      if (state === undefined || !lockStates.has(state)) throw error
      if (left === 1)
        throw new DatabaseUnfit(
          `The migration ${migration.name} needs a lock, and another session holds one in a transaction that stays open. End that session, and start this again.`,
        )
      await client.query('rollback')
      await delay(lockPauseMs)
    }
}

async function attempt(client: pg.Client, { name, text, sha256 }: Migration): Promise<void> {
  await client.query('begin')
  await client.query(`set local lock_timeout = ${lockWithinMs}`)
  await client.query(text)
  const breaks = text.startsWith('-- breaks older code')
  await client.query('insert into schema_migrations (name, sha256, breaks) values ($1, $2, $3)', [name, sha256, breaks])
  await client.query('commit')
}

/** Less than `deadlock_timeout` (1 s): in a deadlock with a transaction of the service, the migration gives up. */
const lockWithinMs = 500
const lockPauseMs = 1_500

/** PostgreSQL's `lock_not_available` and `deadlock_detected`. */
const lockStates = new Set(['55P03', '40P01'])
const insufficientPrivilege = '42501'
