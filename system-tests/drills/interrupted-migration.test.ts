// Every migration is interrupted: its program is killed, PostgreSQL is killed, and the disk is full. The next run brings the schema to what a new
// database has. Mounts a small disk, so it runs as root.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { migrate } from '@zonewright/service/migrate'
import { migrationNames } from '@zonewright/service/migration-files'
import { startTestServer } from '@zonewright/service/test-cluster'
import pg from 'pg'
import { readSchema } from '../releases/schema.ts'
import { eventually, type HeardProgram, startHeard } from '../world/index.ts'

const files = await migrationNames()
/** A database before 0.1.0 with rows in every table: most of the migrations move data. */
const old = readFileSync(new URL('../releases/18d4a2f.sql', import.meta.url), 'utf8')

const folder = mkdtempSync(join(tmpdir(), 'zonewright-drill-'))
const disk = join(folder, 'disk')
mkdirSync(disk)
// PostgreSQL runs as another user.
chmodSync(folder, 0o755)
execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=96m', 'tmpfs', disk])
const server = await startTestServer()
after(() => {
  execFileSync('umount', ['--lazy', disk])
  rmSync(folder, { recursive: true })
})
const fresh = await readSchema(await database('fresh', 'from a new one'))

/** Makes a database: an empty one, the old one, or one with the newest schema. */
async function database(
  name: string,
  content: 'empty' | 'old' | 'from a new one',
  tablespace = 'pg_default',
): Promise<string> {
  await server.run(`create database ${name} tablespace ${tablespace} template template0`)
  const url = server.url.replace(/[^/]+$/, name)
  if (content === 'old') await query(url, old)
  if (content === 'from a new one') await migrate(url)
  return url
}

/** Runs statements on a separate connection, because a dump leaves settings behind. */
async function query(url: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  return await client.query(text).finally(() => client.end())
}

async function ran(url: string): Promise<string[]> {
  const { rows } = await query(url, 'select name from public.schema_migrations order by name')
  return rows.map(({ name }) => name)
}

async function assertWhole(url: string): Promise<void> {
  assert.deepEqual(await ran(url), files)
  const schema = await readSchema(url)
  for (const kind of Object.keys(fresh)) assert.deepEqual(schema[kind], fresh[kind], kind)
}

/** Starts `service/bin/migrate.ts`. */
function startMigrate(url: string): HeardProgram {
  return startHeard(['--disable-warning=ExperimentalWarning', 'service/bin/migrate.ts'], {
    DATA_DIR: join(folder, 'service'),
    DATABASE_URL: url,
  })
}

/** Where a migration waits: after its first change of the schema, or after its last command, before it is recorded. */
type Place = 'its first change' | 'its end'

/** Makes a migration wait at a place, until `go`. */
async function hold(url: string, name: string, place: Place): Promise<void> {
  await go(url)
  await query(
    url,
    `create schema hold;
    create table hold.place (migrations bigint);
    insert into hold.place values (${files.indexOf(name)});
    create function hold.wait() returns void language plpgsql as $$ begin
      while (select migrations from hold.place) = (select count(*) from public.schema_migrations) loop perform pg_sleep(0.02); end loop;
    end $$;
    create function hold.at_end() returns trigger language plpgsql as $$ begin perform hold.wait(); return new; end $$;
    create function hold.at_change() returns event_trigger language plpgsql as $$ begin perform hold.wait(); end $$;
    create trigger hold before insert on public.schema_migrations for each row execute function hold.at_end();
    ${place === 'its end' ? '' : 'create event trigger hold on ddl_command_end execute function hold.at_change()'}`,
  )
}

/** Releases the waiting statements. */
async function go(url: string): Promise<void> {
  await query(
    url,
    `do $$ begin if to_regclass('hold.place') is not null then update hold.place set migrations = -1; end if; end $$`,
  )
  await eventually('nothing waits', async () => !(await isHeld(url)))
  await query(url, 'drop event trigger if exists hold; drop schema if exists hold cascade')
}

async function isHeld(url: string): Promise<boolean> {
  const { rows } = await query(
    url,
    `select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
  )
  return rows.length > 0
}

const makeHistory = `create table public.schema_migrations (
  name text primary key, sha256 text not null, breaks boolean not null, run_at timestamptz not null default now())`

for (const content of ['empty', 'old'] as const)
  test(`every migration survives a kill of the program and of PostgreSQL in its middle; the database was ${content}`, async (t) => {
    const url = await database(`killed_${content}`, content)
    if (content === 'empty') await query(url, makeHistory)
    const missing = files.slice((await ran(url)).length)
    assert.ok(missing.length > 3)
    for (const name of missing) {
      const before = files.slice(0, files.indexOf(name))
      await hold(url, name, 'its first change')
      const first = startMigrate(url)
      await eventually(`${name} waits`, () => isHeld(url))
      first.process.kill('SIGKILL')
      await first.end
      await hold(url, name, 'its end')
      assert.deepEqual(await ran(url), before, name)
      const second = startMigrate(url)
      await eventually(`${name} waits again`, () => isHeld(url))
      await server.kill()
      assert.equal(await second.end, 1)
      assert.match(second.said(), /^PostgreSQL went away before the schema was at this version \([^\n]+\n$/)
      await server.start()
      assert.deepEqual(await ran(url), before, name)
    }
    await go(url)
    assert.deepEqual(await migrate(url), files.slice(-1))
    await assertWhole(url)
    t.diagnostic(`${missing.length} migrations`)
  })

test('the second of two concurrent programs continues when the first is killed', async () => {
  const url = await database('two', 'old')
  const [name = ''] = files.slice((await ran(url)).length)
  await hold(url, name, 'its end')
  const first = startMigrate(url)
  await eventually('the first waits', () => isHeld(url))
  const second = startMigrate(url)
  await eventually('the second waits for the first', async () => {
    const { rows } = await query(url, `select from pg_locks where locktype = 'advisory' and not granted`)
    return rows.length > 0
  })
  first.process.kill('SIGKILL')
  await first.end
  await go(url)
  assert.equal(await second.end, 0, second.said())
  await assertWhole(url)
})

test('on a full disk, each attempt fails with one sentence, until there is room for the whole schema', async (t) => {
  const owner = statSync(join('/proc', String(await postmaster())))
  chownSync(disk, owner.uid, owner.gid)
  await server.run(`create tablespace small location '${disk}'`)
  const url = await database('small', 'old', 'small')
  await query(url, 'checkpoint')
  const filler = join(disk, 'filler')
  let failed = 0
  for (let roomKb = 0; ; roomKb += 256) {
    fill(filler, roomKb)
    const program = startMigrate(url)
    const code = await program.end
    rmSync(filler)
    if (code === 0) break
    failed++
    assert.match(program.said(), /^PostgreSQL has no room to bring the schema to this version \([^\n]+\n$/)
  }
  assert.ok(failed > 2, `${failed}`)
  await assertWhole(url)
  t.diagnostic(`${failed} attempts failed`)
})

async function postmaster(): Promise<number> {
  const { rows } = await server.run(`select split_part(pg_read_file('postmaster.pid'), chr(10), 1)::int as pid`)
  return rows[0]?.pid
}

/** Fills the disk except for this much. */
function fill(file: string, roomKb: number): void {
  const { bavail, bsize } = statfsSync(disk)
  writeFileSync(file, Buffer.alloc(bavail * bsize - roomKb * 1_024))
}
