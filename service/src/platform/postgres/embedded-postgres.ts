import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from '../log.ts'
import { DatabaseUnfit } from './migrate.ts'
import {
  clusterMark,
  clusterPassword,
  initialise,
  type PostgresHome,
  passwordFile,
  postgresHome,
  superuser,
} from './postgres-home.ts'

const database = 'zonewright'

/** A running PostgreSQL of our own. */
export interface EmbeddedPostgres {
  readonly url: string
  readonly pid: number
  /** The server was already running, because another process started it. */
  readonly adopted: boolean
  /** Settles when the server has exited or was killed. */
  readonly ended: Promise<void>
  /** Stops it in PostgreSQL's "fast" way and waits for it. */
  stop(): Promise<void>
  /** Removes the cluster and all its data. The server must be stopped. */
  erase(): Promise<void>
}

export interface EmbeddedOptions {
  /** Server settings beyond our defaults, such as `commit_delay`. */
  readonly settings?: Readonly<Record<string, string>>
  /** The port to listen on. Default: a free port. */
  readonly port?: number
}

/**
 * Starts the PostgreSQL from npm on a free loopback port, with its cluster below the data directory.
 *
 * PostgreSQL refuses to run as root. If root starts it, it runs as the user `postgres`, which is created if it is missing. The binaries and the
 * cluster are then in `/var/lib/zonewright`, because this user cannot read a clone in root's home. A running cluster of a killed parent is adopted.
 */
export async function startEmbeddedPostgres(
  dataDir: string,
  log: Logger,
  options: EmbeddedOptions = {},
): Promise<EmbeddedPostgres> {
  const password = clusterPassword(dataDir)
  const home = await postgresHome(dataDir, password)
  if (!existsSync(join(home.cluster, clusterMark))) await initialise(home, password, log)
  const adopted = await runningServer(home.cluster)
  const server = adopted ?? (await launch(home, options, log))
  if (adopted) log.info({ pid: adopted.pid }, 'using the PostgreSQL that was already running')
  const url = `postgres://${superuser}:${password}@${hostOf(home, server)}:${server.port}`
  try {
    await createDatabase(`${url}/postgres`)
  } catch (error) {
    // The caller gets an error instead of the server, and could not stop it.
    if (!adopted) await stopServer(server)
    throw (error as { code?: string }).code === wrongPassword ? strangeCluster(home, dataDir) : error
  }
  return {
    url: `${url}/${database}`,
    pid: server.pid,
    adopted: adopted !== undefined,
    ended: server.ended,
    stop: () => stopServer(server),
    erase: () => rm(home.cluster, { recursive: true, force: true }),
  }
}

/** PostgreSQL's `invalid_password`. */
const wrongPassword = '28P01'

function strangeCluster({ cluster }: PostgresHome, dataDir: string): DatabaseUnfit {
  const file = join(dataDir, passwordFile)
  return new DatabaseUnfit(
    `The password in ${file} is not the one of the PostgreSQL cluster ${cluster}. Restore the file that belongs to the cluster, or move the cluster away to start without data.`,
  )
}

/** The maximum length of a socket path in bytes, including the final zero (sockaddr_un). */
const maxSocketPathBytes = 107

/** The URL of the cluster's Unix socket. A round trip costs a third less than over loopback TCP. */
function hostOf({ cluster }: PostgresHome, { port }: Server): string {
  const fits = Buffer.byteLength(join(cluster, `.s.PGSQL.${port}`)) <= maxSocketPathBytes
  return fits && process.platform !== 'win32' ? encodeURIComponent(cluster) : '127.0.0.1'
}

interface Server {
  readonly pid: number
  readonly port: number
  readonly ended: Promise<void>
}

/** The server in postmaster.pid, if it is running. */
async function runningServer(cluster: string): Promise<Server | undefined> {
  const lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  const pid = Number(lines[0])
  const port = Number(lines[3])
  // The pid may belong to another program by now. Only a server of this cluster counts.
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid) || !(await ownsCluster(pid, cluster))) return undefined
  return { pid, port, ended: endOf(pid) }
}

async function ownsCluster(pid: number, cluster: string): Promise<boolean> {
  if (process.platform !== 'linux') return true
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return command.split('\0').includes(cluster)
}

async function launch(home: PostgresHome, options: EmbeddedOptions, log: Logger): Promise<Server> {
  const port = options.port ?? (await freePort())
  const all = { ...defaultSettings, unix_socket_directories: home.cluster, ...options.settings, port: String(port) }
  const args = ['-D', home.cluster, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
  // Detached, so that a Ctrl-C at the terminal reaches this process first, and the service stops before its database.
  const child = spawn(join(home.bin, 'postgres'), args, {
    ...home.runAs,
    cwd: home.cluster,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { LC_ALL: 'C', PATH: process.env['PATH'] },
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-2_000)
    log.debug({ postgres: text.trim() }, 'postgres')
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()).once('error', () => resolve()))
  let gone = false
  ended.then(() => {
    gone = true
  })
  const deadline = Date.now() + startTimeoutMs
  while (!(await isReady(home.cluster, child.pid))) {
    if (gone) throw new DatabaseUnfit(`PostgreSQL did not start: ${lastLine(said)}`)
    if (Date.now() > deadline)
      throw new DatabaseUnfit(`PostgreSQL did not start within ${startTimeoutMs / 1000} s: ${lastLine(said)}`)
    await delay(20)
  }
  return { pid: child.pid ?? -1, port, ended }
}

const startTimeoutMs = 60_000
const defaultSettings = {
  listen_addresses: '127.0.0.1',
  shared_buffers: '256MB',
  max_connections: '120',
  max_wal_size: '2GB',
  // PostgreSQL keeps plans, and the tables of a new installation grow quickly. So statements planned for few rows are planned again within seconds.
  autovacuum_naptime: '10s',
  // At this frequency, a fifth of the usual sample is sufficient.
  default_statistics_target: '20',
  log_min_messages: 'warning',
}

/** The eighth line of postmaster.pid shows whether the server accepts connections. A killed server leaves the file behind. */
async function isReady(cluster: string, pid: number | undefined): Promise<boolean> {
  const lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready'
}

async function createDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rowCount } = await client.query('select from pg_database where datname = $1', [database])
  if (rowCount === 0) await client.query(`create database ${database}`)
  await client.end()
}

async function stopServer(server: Server): Promise<void> {
  if (isAlive(server.pid)) process.kill(server.pid, 'SIGINT') // "fast": clients are sent away, the cluster is closed cleanly
  await server.ended
}

/** Settles once a process that is not a child of this one has ended. */
async function endOf(pid: number): Promise<void> {
  while (isAlive(pid)) await delay(200)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  // A zombie process still accepts signals.
  return !existsSync(`/proc/${pid}/stat`) || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
}

/** Below the range of ports for outgoing connections, so that none of these takes the port first. */
const portRange = { from: 10_000, to: 15_000 }

async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(portRange.from, portRange.to)
    const isFree = await new Promise<boolean>((resolve) => {
      const probe = createServer().once('error', () => resolve(false))
      probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
    })
    if (isFree) return port
  }
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? ''
}
