import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { asAnotherProcess, cloneDatabase } from '#testing/platform/test-database.ts'
import { testPooler } from '#testing/platform/test-pooler.ts'
import { untilBlocked } from '#testing/until-blocked.ts'
import { type Statement, sql } from './db.ts'
import { LeaderHost } from './leader-host.ts'
import { DatabaseUnfit, migrate, oldestPostgres } from './migrate.ts'
import { checksumOf, migrationsFolder } from './migration-files.ts'
import { poolerBefore } from './pooler.ts'

const database = await cloneDatabase()
const files = readdirSync(new URL('../../../migrations/', import.meta.url))
  .filter((name) => name.endsWith('.sql'))
  .sort()

/** Empties the database: no table, no function, no history of migrations. */
async function empty(): Promise<void> {
  await sql`drop schema if exists pgboss cascade`.execute(database.db)
  await sql`drop schema public cascade`.execute(database.db)
  await sql`create schema public`.execute(database.db)
}

function unanalysed(table: Statement): Statement {
  return sql`array(select attname::text from pg_attribute where attrelid = ${table} and attnum > 0 and attstattarget = 0 order by 1)`
}

async function ran(): Promise<string[]> {
  return (await sql<{ name: string }>`select name from schema_migrations order by name`.execute(database.db)).rows.map(
    ({ name }) => name,
  )
}

const unfit = (message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof DatabaseUnfit)
  assert.match(error.message, message)
  assert.ok(!error.message.includes('\n'), 'one line')
  return true
}

test('an empty database gets every migration in order, and none twice', async () => {
  await empty()
  assert.deepEqual(await migrate(database.url), files)
  assert.deepEqual(await migrate(database.url), [])
  assert.deepEqual(await ran(), files)
})

test('a disk that fills up halfway is reported in a sentence; with room again, the remaining migrations run', async () => {
  await empty()
  await sql`create schema disk`.execute(database.db)
  await sql`create function disk.fills() returns event_trigger language plpgsql as
    $$ begin if to_regclass('mails') is not null then raise sqlstate '53100' using message = 'No space left on device'; end if; end $$`.execute(
    database.db,
  )
  await sql`create event trigger disk_fills on ddl_command_start execute function disk.fills()`.execute(database.db)
  await assert.rejects(
    migrate(database.url),
    unfit(
      /^PostgreSQL has no room to .* \(No space left on device\)\. Free space on its disk, then start this again\.$/,
    ),
  )
  await sql`drop event trigger disk_fills`.execute(database.db)
  await sql`drop schema disk cascade`.execute(database.db)
  const before = await ran()
  assert.ok(before.length > 0 && before.length < files.length)
  assert.deepEqual(await migrate(database.url), files.slice(before.length))
})

test('when several processes migrate at once, each migration runs once', async () => {
  await empty()
  const runs = await Promise.all(Array.from({ length: 4 }, () => migrate(database.url)))
  assert.deepEqual(runs.flat(), files)
  assert.deepEqual(await ran(), files)
})

test('the partitions of today and the coming days exist', async () => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from pg_inherits where inhparent = 'events'::regclass
      and right(inhrelid::regclass::text, 8) >= to_char((app_now() at time zone 'utc')::date, 'YYYYMMDD')`.execute(
    database.db,
  )
  assert.equal(rows[0]?.n, 8)
})

test('a starting process creates the partitions of released events, however long none existed', async () => {
  await sql`
    insert into event_outbox (type, recipients, data, id, created_at)
    values ('ping', '{}', '{}', 'evt_old', app_now() - interval '20 days')`.execute(database.db)
  await migrate(database.url)
  const { rows } = await sql<{ is: boolean }>`
    select to_regclass('events_' || to_char((app_now() at time zone 'utc')::date - 20, 'YYYYMMDD')) is not null as is`.execute(
    database.db,
  )
  assert.deepEqual(rows, [{ is: true }])
})

test('columns that a table excludes from ANALYZE are also excluded in its partitions', async () => {
  const { rows } = await sql<{ own: string[]; inherited: string[] }>`
    select ${unanalysed(sql`i.inhparent`)} as own, ${unanalysed(sql`i.inhrelid`)} as inherited
    from pg_inherits i where i.inhparent = any('{audit_log, events, webhook_deliveries, webhook_attempts}'::regclass[])`.execute(
    database.db,
  )
  assert.ok(rows.length > 3)
  for (const { own, inherited } of rows) {
    assert.deepEqual(inherited, own)
    assert.notDeepEqual(own, [])
  }
})

test('a migration that was changed after it ran is refused', async () => {
  await sql`update schema_migrations set sha256 = 'other' where name = ${files[1]}`.execute(database.db)
  await assert.rejects(migrate(database.url), unfit(/^Migration 0002-\S+ was changed after it had run\.$/))
  await empty()
  await migrate(database.url)
})

test('a database that a later version has migrated is accepted, unless that version breaks older code', async () => {
  await sql`insert into schema_migrations (name, sha256, breaks) values ('9999-later.sql', 'x', false)`.execute(
    database.db,
  )
  assert.deepEqual(await migrate(database.url), [])
  await sql`update schema_migrations set breaks = true where name = '9999-later.sql'`.execute(database.db)
  await assert.rejects(migrate(database.url), unfit(/newer than this code \(migration 9999-later\.sql\)/))
  await sql`delete from schema_migrations where name = '9999-later.sql'`.execute(database.db)
})

test('a migration that fails leaves nothing behind, and runs completely the next time', async () => {
  await empty()
  await sql`create table zones (in_the_way int)`.execute(database.db)
  await assert.rejects(migrate(database.url), { code: '42P07' })
  assert.deepEqual(await ran(), files.slice(0, 1))
  await sql`drop table zones`.execute(database.db)
  assert.deepEqual(await migrate(database.url), files.slice(1))
})

/** Runs several statements, as `migrate` does. */
async function runAll(text: string): Promise<void> {
  const client = await database.connectApart()
  await client.query(text).finally(() => client.end())
}

/** Creates the table as `migrate` does. */
const makeHistory = `create table schema_migrations (
  name text primary key, sha256 text not null, breaks boolean not null, run_at timestamptz not null default now())`

/** Which of a migration's commands ends the session that sends it. */
type Ending = 'the first command' | 'the record'

/** Ends a session that runs the migration with this index, at its first change of the schema, or when all of it has run. */
async function endSessionsIn(index: number, ending: Ending): Promise<void> {
  await runAll(
    `drop schema if exists ending cascade;
    create schema ending;
    create function ending.session() returns void language plpgsql as $$
      begin if (select count(*) = ${index} from schema_migrations) then perform pg_terminate_backend(pg_backend_pid()); end if; end $$;
    create function ending.of_record() returns trigger language plpgsql as $$ begin perform ending.session(); return new; end $$;
    create function ending.of_command() returns event_trigger language plpgsql as $$ begin perform ending.session(); end $$;
    create trigger ending before insert on schema_migrations for each row execute function ending.of_record();
    ${ending === 'the record' ? '' : 'create event trigger ending on ddl_command_end execute function ending.of_command()'}`,
  )
}

test('a session that ends in any migration is reported in one line, and the migration runs completely the next time', async () => {
  await empty()
  await runAll(makeHistory)
  for (const index of files.keys())
    for (const ending of ['the first command', 'the record'] as const) {
      await endSessionsIn(index, ending)
      await assert.rejects(
        migrate(database.url),
        unfit(
          /^PostgreSQL went away before the schema was at this version \(.+\)\. Start this again when it is back\.$/,
        ),
      )
      assert.deepEqual(await ran(), files.slice(0, index), `${files[index]}, ${ending}`)
    }
  await sql`drop schema ending cascade`.execute(database.db)
  assert.deepEqual(await migrate(database.url), files.slice(-1))
})

/** Migrates an empty database with the migrations before this one. */
async function migrateBefore(first: string): Promise<void> {
  await empty()
  await runAll(makeHistory)
  for (const name of files.filter((file) => file < first)) {
    const text = readFileSync(migrationsFolder + name, 'utf8')
    await runAll(text)
    await sql`insert into schema_migrations (name, sha256, breaks) values (${name}, ${checksumOf(text)}, false)`.execute(
      database.db,
    )
  }
}

test('a migration that waits for a lock does not block later statements for long, and runs once the lock is free', async (t) => {
  const needing = '0031-event-ids.sql'
  await migrateBefore(needing)
  const other = asAnotherProcess(database.url)
  const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>()
  const { promise: isFree, resolve: free } = Promise.withResolvers<void>()
  t.after(() => free())
  const reading = other.transact(async (tx) => {
    await sql`select from event_outbox`.execute(tx)
    locked()
    await isFree
  })
  await isLocked
  await assert.rejects(
    migrate(database.url, { lockAttempts: 1 }),
    unfit(/^The migration 0031-event-ids\.sql needs a lock, and another session holds one .+ End that session, /),
  )
  const migrating = migrate(database.url)
  await untilBlocked(database.db)
  // The statement_timeout of 30 s would end it.
  await sql`select from event_outbox`.execute(database.db)
  free()
  await reading
  assert.deepEqual(
    await migrating,
    files.filter((file) => file >= needing),
  )
})

test('an unreachable database is reported in one line', async () => {
  await assert.rejects(
    migrate('postgres://nobody@127.0.0.1:1/none'),
    unfit(/^The database cannot be reached: .*ECONNREFUSED/),
  )
  const nowhere = new URL(database.url)
  nowhere.pathname = '/not_there'
  await assert.rejects(migrate(nowhere.href), unfit(/cannot be reached: database "not_there" does not exist/))
})

/** A server with just enough of PostgreSQL's protocol to answer every simple query with one row of one text. */
async function serverThatSays(answerTo: (query: string) => string) {
  const message = (type: string, ...parts: (string | Buffer | number)[]): Buffer => {
    const body = Buffer.concat(
      parts.map((part) => {
        if (typeof part !== 'number') return Buffer.from(part)
        const bytes = Buffer.alloc(4)
        bytes.writeInt32BE(part)
        return bytes
      }),
    )
    const head = Buffer.alloc(5)
    head.write(type)
    head.writeInt32BE(body.length + 4, 1)
    return Buffer.concat([head, body])
  }
  const int16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255])
  const ready = message('Z', 'I')
  const server = createServer((socket) => {
    let started = false
    socket
      .on('error', () => undefined)
      .on('data', (data) => {
        if (!started) {
          started = true
          return void socket.write(Buffer.concat([message('R', 0), ready]))
        }
        if (data[0] !== 0x51) return void socket.end()
        const query = data.toString('utf8', 5, data.length - 1)
        const name = query.split(' ').at(-1) ?? ''
        const answer = answerTo(query)
        const row = message('T', int16(1), `${name}\0`, 0, int16(0), 25, int16(-1 & 0xffff), -1, int16(0))
        socket.write(Buffer.concat([row, message('D', int16(1), answer.length, answer), message('C', 'SHOW\0'), ready]))
      })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `postgres://x@127.0.0.1:${(server.address() as AddressInfo).port}/x`,
    close: () => once(server.close(), 'close'),
  }
}

test('a PostgreSQL that is too old is refused with the required version', async () => {
  const old = await serverThatSays((query) => (query.includes('server_version_num') ? '140011' : ''))
  await assert.rejects(
    migrate(old.url),
    unfit(new RegExp(`^PostgreSQL 14 is too old\\. Use ${oldestPostgres} or newer\\.$`)),
  )
  await old.close()
})

test('a read-only database, such as one that is still being restored, is refused', async () => {
  const name = new URL(database.url).pathname.slice(1)
  await sql.raw(`alter database ${name} set default_transaction_read_only = on`).execute(database.db)
  await assert.rejects(
    migrate(database.url),
    unfit(/is read-only: .* \(.* is read-only\)\. .*deploy\/backup\/until-restored\.sh/),
  )
  await sql.raw(`alter database ${name} reset default_transaction_read_only`).execute(database.db)
})

test('a pooler in transaction mode is refused, and one in session mode is reported', async (t) => {
  const [transaction, session] = await Promise.all([
    testPooler(database.url, 'transaction'),
    testPooler(database.url, 'session'),
  ])
  t.after(() => Promise.all([transaction.close(), session.close()]))
  await assert.rejects(migrate(transaction.url), unfit(/^DATABASE_URL points to a transaction pooler: /))
  const said: string[] = []
  const warn = (sentence: string) => said.push(sentence)
  assert.deepEqual(await migrate(new LeaderHost(session.url, warn)), [])
  assert.match(said.join('\n'), /^DATABASE_URL points to a pooler in session mode: [^\n]*$/)
  assert.deepEqual(await migrate(new LeaderHost(database.url, warn)), [])
  assert.equal(said.length, 1)

  const { Client } = new LeaderHost(session.url)
  const client = new Client()
  await client.connect()
  t.after(() => client.end())
  assert.equal(await poolerBefore(client, (settings) => new Client(settings)), 'session')
  const { rows } = await client.query('select pg_listening_channels()')
  assert.deepEqual([rows, client.listenerCount('notification')], [[], 0])
})
