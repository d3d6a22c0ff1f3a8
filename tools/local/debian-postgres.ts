import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from './addresses.ts'
import { librariesIn, rootOf, unpackPackages } from './debian-programs.ts'

/** The oldest PostgreSQL that the service takes, as Debian 12 has it. */
const version = '15'
const programs = `usr/lib/postgresql/${version}/bin`
const superuser = 'zonewright'
const password = 'conformance'

/**
 * Runs Debian's PostgreSQL 15, with a fresh cluster, while `work` is done with its URL; nothing of it stays.
 *
 * @throws ProgramsMissing
 */
export async function withDebianPostgres<T>(folder: string, work: (url: string) => Promise<T>): Promise<T> {
  const root = findRoot(folder)
  // The server does not run as root, and what belongs to its user must be where that user can read it.
  const place = mkdtempSync(join(tmpdir(), 'zonewright-postgres-'))
  chmodSync(place, 0o755)
  try {
    const server = root === '/' ? installed : readableCopy(root, place)
    const port = await freePort()
    const child = start(server, place, port)
    try {
      const url = `postgres://${superuser}:${password}@127.0.0.1:${port}/postgres`
      await untilTaken(url, () => child.exitCode === null)
      return await work(url)
    } finally {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGINT')
      await ended
    }
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

/** The machine's own, or else what is unpacked below the folder. */
function findRoot(folder: string): string {
  const has = (root: string): boolean => existsSync(join(root, programs, 'postgres'))
  if (has('/')) return '/'
  if (!has(rootOf(folder))) unpackPackages([`postgresql-${version}`], folder)
  return rootOf(folder)
}

interface Server {
  readonly bin: string
  readonly env: Readonly<Record<string, string>>
}

const usualEnv = { LC_ALL: 'C', PATH: process.env['PATH'] ?? '' }
const installed: Server = { bin: join('/', programs), env: usualEnv }

/** Everything but the compiler of queries, which is larger than the rest together and is turned off. */
function readableCopy(root: string, place: string): Server {
  for (const part of [`usr/lib/postgresql/${version}`, `usr/share/postgresql/${version}`])
    cpSync(join(root, part), join(place, part), { recursive: true, verbatimSymlinks: true })
  const libraries = join(place, 'lib')
  mkdirSync(libraries)
  for (const from of librariesIn(join(root, 'usr/lib')))
    for (const name of readdirSync(from).filter((name) => /\.so/.test(name) && !/llvm/i.test(name)))
      cpSync(join(from, name), join(libraries, name), { verbatimSymlinks: true, recursive: true })
  return { bin: join(place, programs), env: { ...usualEnv, LD_LIBRARY_PATH: libraries } }
}

/** Whom it runs as when we are root: the user that `npm test` has made. */
function serverUser(): { uid: number; gid: number } | undefined {
  const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres']))
  return process.getuid?.() === 0 ? { uid: id('-u'), gid: id('-g') } : undefined
}

function start({ bin, env }: Server, place: string, port: number) {
  const runAs = serverUser()
  const cluster = join(place, 'cluster')
  const passwordFile = join(place, 'password')
  mkdirSync(cluster)
  writeFileSync(passwordFile, password)
  if (runAs) for (const path of [cluster, passwordFile]) chownSync(path, runAs.uid, runAs.gid)
  const access = ['--username', superuser, '--pwfile', passwordFile, '--auth', 'scram-sha-256']
  const options = { ...runAs, env, cwd: '/', stdio: 'ignore' } as const
  execFileSync(join(bin, 'initdb'), ['-D', cluster, ...access, '--encoding', 'UTF8', '--locale', 'C'], options)
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '120',
    jit: 'off',
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return spawn(join(bin, 'postgres'), ['-D', cluster, ...flags], options)
}

async function untilTaken(url: string, runs: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline && runs(); await delay(50)) {
    const client = new pg.Client({ connectionString: url })
    const isTaken = await client.connect().then(
      () => true,
      () => false,
    )
    await client.end().catch(() => undefined)
    if (isTaken) return
  }
  throw new Error(`PostgreSQL ${version} of Debian did not take connections.`)
}
