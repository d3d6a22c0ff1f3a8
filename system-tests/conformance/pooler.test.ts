// Debian's pgbouncer in front of a real PostgreSQL: the modes that the service supports.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startEmbeddedPostgres } from '@zonewright/service/embedded-postgres'
import { createLogger } from '@zonewright/service/log'
import { freePort } from '../../tools/local/addresses.ts'
import { serverUser } from '../../tools/local/debian-postgres.ts'
import { eventually, startHeard } from '../world/index.ts'

// The PostgreSQL server behind it, which has its own user, must be able to read the files in it.
const folder = mkdtempSync(join(tmpdir(), 'zonewright-pooler-'))
chmodSync(folder, 0o755)
const postgres = await startEmbeddedPostgres(folder, createLogger('test', 'silent'))
const { username, password, port } = new URL(postgres.url)
const poolers: ChildProcess[] = []
after(async () => {
  for (const pooler of poolers) pooler.kill('SIGKILL')
  await postgres.stop()
  await postgres.erase()
  rmSync(folder, { recursive: true })
})

/** Starts pgbouncer in a mode; returns its URL. */
async function pgbouncer(mode: string): Promise<string> {
  const listen = await freePort()
  const users = join(folder, `${mode}.users`)
  const settings = join(folder, `${mode}.ini`)
  writeFileSync(users, `"${username}" "${password}"\n`)
  writeFileSync(
    settings,
    `[databases]
zonewright = host=127.0.0.1 port=${port} dbname=zonewright
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listen}
unix_socket_dir =
auth_type = plain
auth_file = ${users}
pool_mode = ${mode}
ignore_startup_parameters = options
`,
  )
  poolers.push(spawn('pgbouncer', ['--quiet', settings], { ...serverUser(), stdio: 'ignore' }))
  await eventually(
    'pgbouncer listens',
    () =>
      new Promise<boolean>((resolve) => {
        const socket = connect(listen, '127.0.0.1')
        socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
        socket.once('connect', () => socket.destroy())
      }),
  )
  return `postgres://${username}:${password}@127.0.0.1:${listen}/zonewright`
}

async function started(url: string, script: string): Promise<{ code: number | null; said: string }> {
  const program = startHeard(['--disable-warning=ExperimentalWarning', script], {
    DATA_DIR: join(folder, 'service'),
    DATABASE_URL: url,
    METRICS_LISTEN: `127.0.0.1:${metrics}`,
  })
  const code = await program.end
  return { code, said: program.said() }
}

const metrics = await freePort()

test('in transaction and statement mode every process refuses to start, with a one-line message', async () => {
  for (const mode of ['transaction', 'statement']) {
    const url = await pgbouncer(mode)
    for (const script of ['service/bin/migrate.ts', 'service/bin/worker.ts']) {
      const { code, said } = await started(url, script)
      assert.equal(code, 1, said)
      assert.match(said, /^DATABASE_URL points to a transaction pooler: [^\n]*\n$/)
      assert.ok(!said.includes(password))
    }
  }
})

test('in session mode the schema is migrated with a warning', async () => {
  const { code, said } = await started(await pgbouncer('session'), 'service/bin/migrate.ts')
  assert.equal(code, 0, said)
  assert.match(said, /DATABASE_URL points to a pooler in session mode/)
})

test('in session mode a process of the service becomes ready', async () => {
  const program = startHeard(['--disable-warning=ExperimentalWarning', 'service/bin/worker.ts'], {
    DATA_DIR: join(folder, 'service'),
    DATABASE_URL: await pgbouncer('session'),
    METRICS_LISTEN: `127.0.0.1:${metrics}`,
  })
  const isReady = () =>
    fetch(`http://127.0.0.1:${metrics}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    )
  await eventually('it is ready', isReady).finally(() => program.process.kill('SIGTERM'))
  await program.end
})
