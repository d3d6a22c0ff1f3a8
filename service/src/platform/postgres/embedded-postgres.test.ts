import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { createLogger } from '../log.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import { DatabaseUnfit } from './migrate.ts'
import { clusterPassword, hasCluster, postgresHome } from './postgres-home.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'zonewright-embedded-'))
const log = createLogger('test', 'silent')
const small = { settings: { shared_buffers: '16MB', max_connections: '20' } }
const servers: EmbeddedPostgres[] = []
after(async () => {
  for (const server of servers) {
    await server.stop()
    await server.erase()
  }
  rmSync(dataDir, { recursive: true, force: true })
})

async function start(): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres(dataDir, log, small)
  servers.push(server)
  return server
}

async function answers(url: string, query: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query({ text: query, rowMode: 'array' })
    return rows[0]?.[0]
  } finally {
    await client.end()
  }
}

test('creates its cluster, listens on loopback with a password, is adopted while it runs, and keeps its data', async () => {
  const first = await start()
  const port = new URL(first.url).port
  assert.equal(first.adopted, false)
  assert.match(String(await answers(first.url, 'show server_version')), /^18\./)
  assert.equal(await answers(first.url, 'show listen_addresses'), '127.0.0.1')
  assert.equal(await answers(first.url, 'show server_encoding'), 'UTF8')
  assert.equal(await answers(first.url, 'show fsync'), 'on')
  for (const host of [new URL(first.url).host, `127.0.0.1:${port}`])
    await assert.rejects(answers(`postgres://zonewright:guess@${host}/zonewright`, 'select 1'), { code: '28P01' }, host)
  await answers(first.url, 'create table kept as select 7 as n')

  assert.equal(hasCluster(dataDir), true)
  const adopted = await startEmbeddedPostgres(dataDir, log, small)
  assert.deepEqual([adopted.adopted, adopted.pid, adopted.url], [true, first.pid, first.url])

  process.kill(first.pid, 'SIGKILL')
  await Promise.all([first.ended, adopted.ended])
  const second = await start()
  assert.equal(second.adopted, false)
  assert.equal(await answers(second.url, 'select n from kept'), 7)
  await second.stop()
  await second.ended
  await assert.rejects(answers(second.url, 'select 1'), (error: NodeJS.ErrnoException) =>
    ['ECONNREFUSED', 'ENOENT'].includes(error.code ?? ''),
  )
  await second.stop()
})

test('a data directory created again at the same path starts without the data of the previous one', async () => {
  const before = await start()
  await answers(before.url, 'create table of_before as select 1')
  await before.stop()
  rmSync(dataDir, { recursive: true })
  mkdirSync(dataDir)
  const anew = await start()
  assert.equal(await answers(anew.url, "select to_regclass('of_before')"), null)
  await anew.stop()
})

test('a cluster with another password is reported with a remedy, and its server does not keep running', async () => {
  const server = await start()
  const { cluster } = await postgresHome(dataDir, clusterPassword(dataDir))
  const pidFile = join(cluster, 'postmaster.pid')
  assert.equal(Number.parseInt(readFileSync(pidFile, 'utf8'), 10), server.pid)
  await answers(server.url, "alter role zonewright password 'another'")
  await server.stop()
  await assert.rejects(start(), (error) => {
    assert.ok(error instanceof DatabaseUnfit)
    assert.match(error.message, /The password in .*postgres\.password is not .* Restore the file/)
    return true
  })
  assert.ok(!existsSync(pidFile))
})
