import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import pg from 'pg'
import { createLogger } from '#platform/log.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#platform/postgres/embedded-postgres.ts'
import { clusterMark, passwordFile, postgresHome } from '#platform/postgres/postgres-home.ts'
import { eventually } from '#testing/eventually.ts'

const small = { shared_buffers: '16MB', max_connections: '40', max_wal_size: '128MB' }
const log = createLogger('test', 'silent')

/** A PostgreSQL server of a test, on a loopback port that it keeps across restarts. It is removed after the file's tests. */
export interface TestServer {
  /** `127.0.0.1:port`, for a list of hosts. */
  readonly host: string
  /** For the superuser, at `host`. */
  readonly url: string
  /** Runs a statement as the superuser. */
  run(text: string): Promise<pg.QueryResult>
  start(): Promise<void>
  /** Stops it cleanly, so that its standbys have everything that it wrote. */
  stop(): Promise<void>
  /** SIGKILL. */
  kill(): Promise<void>
  /** Makes a standby from a copy of the cluster, which is stopped in the meantime. */
  addStandby(): Promise<TestServer>
  promote(): Promise<void>
  /** Makes a stopped server follow another one of its cluster from its next start. */
  follow(leader: TestServer): Promise<void>
  /** The same with a copy of the leader, which must be stopped. For a killed server, which may have written what no other server has. */
  copy(leader: TestServer): Promise<void>
  /** Its data directory. */
  readonly cluster: string
}

/** The password of all servers, because a list of hosts has only one. */
const password = 'of-a-test'

/** Starts a server with a new, empty cluster and these settings, which only a restart can change. */
export function startTestServer(settings: Readonly<Record<string, string>> = {}): Promise<TestServer> {
  return serverIn(newFolder(), settings)
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-cluster-'))
  writeFileSync(join(folder, passwordFile), password, { mode: 0o600 })
  return folder
}

/** `postgres://…` with these hosts, in this order; the password is the first one's. */
export function listOf(first: TestServer, ...others: readonly (TestServer | string)[]): string {
  const hosts = [first, ...others].map((each) => (typeof each === 'string' ? each : each.host))
  return first.url.replace(first.host, hosts.join(','))
}

async function serverIn(dataDir: string, settings: Readonly<Record<string, string>> = {}): Promise<TestServer> {
  let following = settings
  let server = await startEmbeddedPostgres(dataDir, log, { settings: { ...small, ...following } })
  const { port, username } = new URL(server.url)
  after(async () => {
    await server.stop()
    await server.erase()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const host = `127.0.0.1:${port}`
  const url = `postgres://${username}:${password}@${host}/zonewright`
  const { cluster } = await postgresHome(dataDir, password)
  const self: TestServer = {
    host,
    url,
    cluster,
    run: async (text) => {
      const client = new pg.Client({ connectionString: url })
      client.on('error', () => undefined)
      await client.connect()
      return client.query(text).finally(() => client.end())
    },
    start: async () => {
      // The child processes of a killed server may hold its memory for a moment.
      server = await eventually('the server starts', () =>
        restarted(dataDir, Number(port), following).catch((error: Error) => {
          if (!/did not start/.test(error.message)) throw error
          return undefined
        }),
      )
    },
    stop: () => server.stop(),
    kill: async () => {
      process.kill(server.pid, 'SIGKILL')
      await server.ended
    },
    addStandby: async () => {
      const copy = newFolder()
      const target = (await postgresHome(copy, password)).cluster
      await server.stop()
      execFileSync('cp', ['-a', cluster, target])
      makeStandby(target)
      await self.start()
      return serverIn(copy, followed(url))
    },
    promote: async () => {
      await self.run('select pg_promote()')
    },
    follow: async (leader) => {
      makeStandby(cluster)
      following = followed(leader.url)
    },
    copy: async (leader) => {
      rmSync(cluster, { recursive: true })
      execFileSync('cp', ['-a', leader.cluster, cluster])
      await self.follow(leader)
    },
  }
  return self
}

function restarted(
  dataDir: string,
  port: number,
  settings: Readonly<Record<string, string>>,
): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres(dataDir, log, { port, settings: { ...small, ...settings } })
}

/** Copied, so that the server's user owns it. */
function makeStandby(cluster: string): void {
  execFileSync('cp', ['-a', join(cluster, clusterMark), join(cluster, 'standby.signal')])
}

function followed(leaderUrl: string): Record<string, string> {
  return { primary_conninfo: leaderUrl, recovery_target_timeline: 'latest' }
}
