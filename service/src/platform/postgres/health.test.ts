import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { eventually } from '#testing/eventually.ts'
import { createLogger } from '../log.ts'
import { openDatabase, sql, withOutagesInDoubt } from './db.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import type { Writes } from './health.ts'
import { isOutage } from './outage.ts'

// A separate server, because this test affects all databases of the server.
const dataDir = mkdtempSync(join(tmpdir(), 'zonewright-health-'))
const server = await startEmbeddedPostgres(dataDir, createLogger('test', 'silent'), {
  settings: { shared_buffers: '16MB', max_connections: '40', fsync: 'off' },
})
const owner = openDatabase(server.url, { application: 'owner' })
const database = openDatabase(server.url, { application: 'zonewright test', connections: 4 })
const { health } = database
const told: Writes[] = []
health.watch({
  pool: database.pool,
  connect: database.connectApart,
  onChange: (writes) => told.push(writes),
})
after(async () => {
  await health.stop()
  await Promise.all([database.close(), owner.close()])
  await server.stop()
  await server.erase()
  rmSync(dataDir, { recursive: true, force: true })
})
await sql`create table notes (note text primary key)`.execute(owner.db)

const write = (note: string) =>
  database.transact(async (tx) => {
    await sql`insert into notes values (${note})`.execute(tx)
  })
const reads = async () => (await sql<{ one: number }>`select 1 as one`.execute(database.db)).rows[0]?.one === 1
const becomes = (writes: Writes, withinMs = 60_000) =>
  eventually(`writes: ${writes}`, () => health.readiness?.writes === writes, withinMs)

async function set(setting: string, value: string): Promise<void> {
  await sql.raw(`alter system set ${setting} = ${value}`).execute(owner.db)
  await sql`select pg_reload_conf()`.execute(owner.db)
}

/** Every process of the server. */
function serverPids(): number[] {
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(server.pid)], { encoding: 'utf8' })
  return [server.pid, ...children.trim().split(/\s+/).map(Number)]
}

test('hanging commits are detected within two seconds; reads continue, and no write waits', async (t) => {
  await write('before')
  // No standby has this name, so every commit waits.
  await set('synchronous_standby_names', `'nobody'`)
  t.after(() => set('synchronous_standby_names', `''`))
  const beganMs = performance.now()
  // Commit until one hangs, because the setting takes effect slightly later.
  const began = new Set<string>()
  const hanging = Promise.allSettled(
    ['a', 'b', 'c', 'd'].map(async (who) => {
      for (let i = 0; ; i++) {
        began.add(`${who}${i}`)
        await write(`${who}${i}`)
      }
    }),
  )
  await becomes('hang', 10_000)
  const tookMs = performance.now() - beganMs
  assert.ok(tookMs < 3_000, `${Math.round(tookMs)} ms`)
  // They hold every connection of the pool until they are ended.
  for (const outcome of await hanging) {
    assert.ok(outcome.status === 'rejected')
    assert.deepEqual([outcome.reason.code, outcome.reason.headers], ['unavailable', { 'retry-after': '2' }])
    assert.match(outcome.reason.message, /unknown whether the change was made/)
  }
  assert.equal(await reads(), true)
  const refusedMs = performance.now()
  await assert.rejects(write('refused'), { code: 'unavailable', headers: { 'retry-after': '5' } })
  assert.ok(performance.now() - refusedMs < 100)
  const later = withOutagesInDoubt(() => write('refused'))
  await assert.rejects(later, { code: 'unavailable', message: /unknown whether the change was made/ })
  assert.equal(health.readiness?.reads, 'ok')

  await set('synchronous_standby_names', `''`)
  await becomes('ok')
  await write('after')
  const { rows } = await sql<{ note: string }>`select note from notes`.execute(database.db)
  // The commits in doubt were kept, although PostgreSQL does not guarantee this.
  assert.deepEqual(new Set(rows.map(({ note }) => note)), new Set(['before', 'after', ...began]))
  assert.deepEqual(told.splice(0), ['hang', 'ok'])
})

test('a statement that fails for lack of room is 503, and this is remembered until a large commit succeeds', async () => {
  for (const state of ['53100', '53200', '58030']) {
    const fails = database.transact((tx) => sql.raw(`do $$ begin raise sqlstate '${state}'; end $$`).execute(tx))
    await assert.rejects(fails, { code: 'unavailable', headers: { 'retry-after': '10' } }, state)
    assert.equal(health.readiness?.writes, 'disk_full', state)
  }
  const { since } = health.readiness ?? {}
  await write('small')
  assert.deepEqual(health.readiness, { reads: 'ok', writes: 'disk_full', since })
  await becomes('ok')
  assert.deepEqual(told.splice(0), ['disk_full', 'ok'])
})

test('a limit for temporary files does not prolong the full-disk state', async (t) => {
  await set('temp_file_limit', '1024')
  t.after(() => set('temp_file_limit', '-1'))
  await assert.rejects(
    database.transact((tx) => sql.raw(`do $$ begin raise sqlstate '53100'; end $$`).execute(tx)),
    { code: 'unavailable' },
  )
  await becomes('ok')
  assert.deepEqual(told.splice(0), ['disk_full', 'ok'])
})

test('a database that becomes read-only is reported, and so is its return to writable', async () => {
  const client = await owner.connectApart()
  const setReadOnly = async (value: string): Promise<void> => {
    await client.query('set default_transaction_read_only = off')
    await client.query(`alter system set default_transaction_read_only = ${value}`)
    await client.query('select pg_reload_conf()')
  }
  await setReadOnly('on')
  await becomes('read_only')
  await assert.rejects(write('refused'), { code: 'unavailable' })
  await setReadOnly('off')
  await becomes('ok')
  await client.end()
  await write('again')
  assert.deepEqual(told.splice(0), ['read_only', 'ok'])
})

test('while PostgreSQL is frozen, neither the readiness check nor a new statement waits; afterwards everything works', async () => {
  const frozen = serverPids()
  for (const pid of frozen) process.kill(pid, 'SIGSTOP')
  const frozenMs = performance.now()
  await eventually('reads fail', () => health.readiness === undefined, 10_000)
  assert.ok(performance.now() - frozenMs < 5_000)
  const askedMs = performance.now()
  await assert.rejects(reads(), (error) => isOutage(error))
  await assert.rejects(write('frozen'), { code: 'unavailable' })
  assert.ok(performance.now() - askedMs < 1_000)
  for (const pid of frozen) process.kill(pid, 'SIGCONT')
  await becomes('ok')
  assert.equal(await reads(), true)
})
