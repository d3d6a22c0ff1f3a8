import { createMetrics, type Metrics } from '#platform/figures/metrics.ts'
import { createLogger, type Logger } from '#platform/log.ts'
import { standardError } from '#platform/log-lines.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#platform/postgres/embedded-postgres.ts'
import {
  type Database,
  maxConnections,
  openDatabase,
  type Readiness,
  Wake,
  type Writes,
} from '#platform/postgres/index.ts'
import { LeaderHost } from '#platform/postgres/leader-host.ts'
import { migrate } from '#platform/postgres/migrate.ts'
import { SecretBox, TsigBox } from '#platform/secrets.ts'
import { type Configuration, readConfiguration } from '#platform/settings/configuration.ts'
import type { Registries } from '#ports/registry.ts'
import type { Parts } from './parts.ts'
import { registriesOf } from './registries.ts'

/** What every part of the service depends on, composed once for each process. */
export interface Platform extends Parts {
  readonly configuration: Configuration
  /** Opens TSIG secrets in a DNS door that does not know SECRET_KEY. If undefined, `secrets` opens them. */
  readonly tsigSecrets: TsigBox | undefined
  /** Connects on first use. */
  readonly registries: Registries
  /** The state of the database, from memory. Undefined while it does not respond. */
  readiness(): Readiness | undefined
  /** Everything that this process is for is running. From now on, `/readyz` next to its metrics reports this. */
  started(): void
  close(): Promise<void>
}

/** The service's parts that run until they are stopped, and its two commands. */
export type ProcessName = 'all' | 'api' | 'worker' | 'primary' | 'dns-door' | 'admin' | 'migrate'

/** Reads the configuration, brings the schema to this version, and opens the connections. */
export async function openPlatform(name: ProcessName): Promise<Platform> {
  const configuration = readConfiguration(process.env, { isDoor: name === 'dns-door' })
  const log = createLogger(name, configuration.logLevel)
  const registries = registriesOf(configuration, log)
  const { url, embedded } = await databaseOf(configuration, log)
  const leader = new LeaderHost(url, (sentence) => log.warn(sentence))
  const { databaseRole: serviceRole, databaseDoorRole: doorRole, databaseDoctorRole: doctorRole } = configuration
  const migrated = await migrate(leader, name === 'migrate' ? { serviceRole, doorRole, doctorRole } : {})
  // What `migrate` found at the start must stay true.
  leader.refusesPoolers = true
  if (migrated.length > 0) log.info({ migrations: migrated }, 'the schema was brought to this version')
  const wake = new Wake(leader, log)
  const onIdleError = (error: Error): void => log.warn({ err: error }, 'a database connection was lost')
  const onUnnamed = (statement: string): void =>
    log.warn({ statement }, 'too many different statements; PostgreSQL now plans new ones at each use')
  const database = openDatabase(leader, {
    application: `zonewright ${name}`,
    connections: name === 'primary' || name === 'all' ? maxConnections - 3 : maxConnections - 2,
    wake,
    onIdleError,
    onUnnamed,
  })
  await wake.start()
  const metrics = createMetrics()
  const isCommand = name === 'admin' || name === 'migrate'
  showLog(metrics)
  if (!isCommand) watchHealth(database, metrics, log)
  const readiness = (): Readiness | undefined => database.health.readiness
  const listen = isCommand ? undefined : configuration.metricsListen
  let hasStarted = false
  const ready = (): Readiness | undefined => (hasStarted ? readiness() : undefined)
  // Fastify is loaded only where it is used, because loading it takes an eighth of the processor time of an operator's command.
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
    secrets: new SecretBox(configuration.secretKey, configuration.secretKeyFallback),
    tsigSecrets: configuration.doorKeys && new TsigBox(...configuration.doorKeys),
    registries,
    readiness,
    started: () => {
      hasStarted = true
    },
    close: async () => {
      await figures?.stop()
      await registries.close()
      await wake.close()
      await database.health.stop()
      await database.close()
      // An embedded PostgreSQL that was already running belongs to another process. A command leaves it running; the service itself takes it over.
      if (embedded && (!embedded.adopted || name === 'all')) await embedded.stop()
    },
  }
}

function showLog(metrics: Metrics): void {
  metrics.counter({
    name: 'zonewright_log_lines_dropped_total',
    help: 'Lines of the log that could not be written, because the disk is full or no one reads them.',
    collect() {
      this.reset()
      this.inc(standardError().dropped)
    },
  })
}

/** Watches whether the database responds and commits, and reports it in the log and the metrics. */
function watchHealth({ health, pool, connectApart: connect }: Database, metrics: Metrics, log: Logger): void {
  const failing = metrics.gauge({
    name: 'zonewright_database_writes_failing',
    help: '1 while writes to the database fail in this way: commits hang, the disk is full, or the database is read-only.',
    labelNames: ['state'],
  })
  const show = (writes: Writes): void => {
    for (const state of ['hang', 'disk_full', 'read_only']) failing.set({ state }, state === writes ? 1 : 0)
  }
  show('ok')
  health.watch({
    pool,
    connect,
    onChange: (writes) => {
      show(writes)
      if (writes === 'ok') log.info('the database stores changes again')
      else log.error({ writes }, 'the database does not store changes')
    },
  })
}

/** The database of this configuration: the one that it names, otherwise the embedded one, which is running afterwards. */
export async function databaseOf(
  configuration: Configuration,
  log: Logger,
): Promise<{ url: string; embedded?: EmbeddedPostgres }> {
  if (configuration.databaseUrl !== undefined) return { url: configuration.databaseUrl }
  const embedded = await startEmbeddedPostgres(configuration.dataDir, log)
  return { url: embedded.url, embedded }
}
