import { createMetrics } from '#platform/figures/metrics.ts'
import { createLogger, type Logger } from '#platform/log.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#platform/postgres/embedded-postgres.ts'
import { isWritable, openDatabase, Wake } from '#platform/postgres/index.ts'
import { LeaderHost } from '#platform/postgres/leader-host.ts'
import { migrate } from '#platform/postgres/migrate.ts'
import { SecretBox } from '#platform/secrets.ts'
import { type Configuration, readConfiguration } from '#platform/settings/configuration.ts'
import { briefly } from '#platform/work/briefly.ts'
import type { Registries } from '#ports/registry.ts'
import type { Parts } from './parts.ts'
import { registriesOf } from './registries.ts'

/** What every part of the service stands on: composed once a process. */
export interface Platform extends Parts {
  readonly configuration: Configuration
  /** Connects on first use. */
  readonly registries: Registries
  /** Whether the database answers. */
  isReady(): Promise<boolean>
  /** All that this process is for runs: from now on `/readyz` beside its figures says so. */
  started(): void
  close(): Promise<void>
}

/** The service's parts that run until they are stopped, and its two commands. */
export type ProcessName = 'all' | 'api' | 'worker' | 'primary' | 'admin' | 'migrate'

/** How old the database check in `/readyz` may be. */
const readyForMs = 500

/** Reads the configuration, brings the schema to this version, and opens the connections. */
export async function openPlatform(name: ProcessName): Promise<Platform> {
  const configuration = readConfiguration(process.env)
  const log = createLogger(name, configuration.logLevel)
  const registries = registriesOf(configuration, log)
  const { url, embedded } = await databaseOf(configuration, log)
  const leader = new LeaderHost(url, (sentence) => log.warn(sentence))
  const migrated = await migrate(leader, { serviceRole: name === 'migrate' ? configuration.databaseRole : undefined })
  if (migrated.length > 0) log.info({ migrations: migrated }, 'the schema was brought to this version')
  const wake = new Wake(leader, log)
  const onIdleError = (error: Error): void => log.warn({ err: error }, 'a database connection was lost')
  const onUnnamed = (statement: string): void =>
    log.warn({ statement }, 'too many different statements; PostgreSQL now plans new ones at each use')
  const database = openDatabase(leader, { application: `zonewright ${name}`, wake, onIdleError, onUnnamed })
  await wake.start()
  const metrics = createMetrics()
  // However many load balancers poll, and however often.
  const isReady = briefly(
    () => isWritable(database.pool).catch(() => false),
    () => readyForMs,
  )
  const listen = name === 'admin' || name === 'migrate' ? undefined : configuration.metricsListen
  let hasStarted = false
  const ready = async (): Promise<boolean> => hasStarted && (await isReady())
  // Fastify is loaded only where it is used: that takes an eighth of the processor time of an operator's command.
  const figures =
    listen &&
    (await import('#platform/http/operator-routes.ts').then(({ startOperatorServer }) =>
      startOperatorServer(listen, { metrics, ready }, log),
    ))
  return {
    configuration,
    log,
    metrics,
    database,
    wake,
    secrets: new SecretBox(configuration.secretKey),
    registries,
    isReady,
    started: () => {
      hasStarted = true
    },
    close: async () => {
      await figures?.stop()
      await registries.close()
      await wake.close()
      await database.close()
      // One found running belongs to another process: a command leaves it running, the service itself takes it over.
      if (embedded && (!embedded.adopted || name === 'all')) await embedded.stop()
    },
  }
}

/** The database of this configuration: the one that it names, or else the embedded one, which is running afterwards. */
export async function databaseOf(
  configuration: Configuration,
  log: Logger,
): Promise<{ url: string; embedded?: EmbeddedPostgres }> {
  if (configuration.databaseUrl !== undefined) return { url: configuration.databaseUrl }
  const embedded = await startEmbeddedPostgres(configuration.dataDir, log)
  return { url: embedded.url, embedded }
}
