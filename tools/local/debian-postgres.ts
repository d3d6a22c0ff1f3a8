import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
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
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from './addresses.ts'
import { librariesIn, rootOf, unpackPackages } from './debian-programs.ts'

/** The oldest PostgreSQL that the service supports: that of Debian 12. */
const version = '15'
const programs = `usr/lib/postgresql/${version}/bin`
const superuser = 'zonewright'
const password = 'conformance'

/** Debian's PostgreSQL, below a separate folder. */
export interface DebianPostgres {
  /** The URL of the superuser, at the database `postgres`. */
  readonly url: string
  /** The folder with all of its files, which is deleted when the work is done. */
  readonly place: string
  /** Runs a program as the server's user, with PostgreSQL's own programs in the PATH and this server as their default. */
  run(program: string, ...args: readonly string[]): string
  /** Stops it in PostgreSQL's "fast" way. */
  stop(): Promise<void>
  /** Starts it on a cluster below `place`, at its port. */
  start(cluster: string): Promise<void>
}

/**
 * Runs Debian's PostgreSQL 15, with a fresh cluster, while `work` runs. Nothing of it remains.
 *
 * @param settings - in addition to the usual ones; `PLACE` in a value represents the server's folder
 *
 * @throws ProgramsMissing
 */
export async function withDebianCluster<T>(
  folder: string,
  settings: Readonly<Record<string, string>>,
  work: (server: DebianPostgres) => Promise<T>,
): Promise<T> {
  // The server does not run as root, and what belongs to its user must be where that user can read it.
  const place = mkdtempSync(join(tmpdir(), 'zonewright-postgres-'))
  chmodSync(place, 0o755)
  const runAs = serverUser()
  if (runAs) chownSync(place, runAs.uid, runAs.gid)
  try {
    const programs = postgresPrograms(folder, place)
    const port = await freePort()
    const url = `postgres://${superuser}:${password}@127.0.0.1:${port}/postgres`
    makeCluster(programs, place)
    let child: ChildProcess | undefined
    const stop = async (): Promise<void> => {
      if (child === undefined || child.exitCode !== null) return
      const ended = new Promise((resolve) => child?.once('exit', resolve))
      child.kill('SIGINT')
      await ended
    }
    const start = async (cluster: string): Promise<void> => {
      const all = Object.entries({ ...usualSettings, ...settings, port: String(port) })
      const flags = all.flatMap(([name, value]) => ['-c', `${name}=${value.replaceAll('PLACE', place)}`])
      const options = { ...runAs, env: programs.env, cwd: '/', stdio: 'ignore' } as const
      const started = spawn(join(programs.bin, 'postgres'), ['-D', cluster, ...flags], options)
      child = started
      await untilTaken(url, () => started.exitCode === null)
    }
    const env = {
      ...programs.env,
      PATH: [programs.bin, programs.env['PATH']].join(delimiter),
      ...{ PGHOST: '127.0.0.1', PGPORT: String(port), PGUSER: superuser, PGPASSWORD: password },
    }
    const run = (program: string, ...args: readonly string[]): string =>
      execFileSync(program, args, { ...runAs, env, cwd: place, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
    try {
      await start(join(place, 'cluster'))
      return await work({ url, place, run, stop, start })
    } finally {
      await stop()
    }
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

/**
 * The programs of Debian's PostgreSQL: the machine's own, or else a copy in `place` of those that are unpacked below the folder.
 *
 * @throws ProgramsMissing
 */
export function postgresPrograms(folder: string, place: string): PostgresPrograms {
  const root = findRoot(folder)
  return root === '/' ? installed : readableCopy(root, place)
}

/** The machine's own, or else those that are unpacked below the folder. */
function findRoot(folder: string): string {
  const has = (root: string): boolean => existsSync(join(root, programs, 'postgres'))
  if (has('/')) return '/'
  if (!has(rootOf(folder))) unpackPackages([`postgresql-${version}`], folder)
  return rootOf(folder)
}

/** Their folder, and the environment in which they run. */
export interface PostgresPrograms {
  readonly bin: string
  readonly env: Readonly<Record<string, string>>
}

const usualEnv = { LC_ALL: 'C', PATH: process.env['PATH'] ?? '' }
const installed: PostgresPrograms = { bin: join('/', programs), env: usualEnv }

/** Everything except the compiler of queries, which is larger than the rest together and is turned off. */
function readableCopy(root: string, place: string): PostgresPrograms {
  for (const part of [`usr/lib/postgresql/${version}`, `usr/share/postgresql/${version}`])
    cpSync(join(root, part), join(place, part), { recursive: true, verbatimSymlinks: true })
  const libraries = join(place, 'lib')
  mkdirSync(libraries)
  for (const from of librariesIn(join(root, 'usr/lib')))
    for (const name of readdirSync(from).filter((name) => /\.so/.test(name) && !/llvm/i.test(name)))
      cpSync(join(from, name), join(libraries, name), { verbatimSymlinks: true, recursive: true })
  return { bin: join(place, programs), env: { ...usualEnv, LD_LIBRARY_PATH: libraries } }
}

/** The user that it runs as if we are root: the user that `npm test` has made. */
export function serverUser(): { uid: number; gid: number } | undefined {
  const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres']))
  return process.getuid?.() === 0 ? { uid: id('-u'), gid: id('-g') } : undefined
}

function makeCluster({ bin, env }: PostgresPrograms, place: string): void {
  const runAs = serverUser()
  const cluster = join(place, 'cluster')
  const passwordFile = join(place, 'password')
  mkdirSync(cluster)
  writeFileSync(passwordFile, password)
  if (runAs) for (const path of [cluster, passwordFile]) chownSync(path, runAs.uid, runAs.gid)
  const access = ['--username', superuser, '--pwfile', passwordFile, '--auth', 'scram-sha-256']
  const options = { ...runAs, env, cwd: '/', stdio: 'ignore' } as const
  execFileSync(join(bin, 'initdb'), ['-D', cluster, ...access, '--encoding', 'UTF8', '--locale', 'C'], options)
}

const usualSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '120',
  jit: 'off',
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
