import { PgBoss } from 'pg-boss'
import type { Metrics } from '../figures/metrics.ts'
import type { Logger } from '../log.ts'
import type { Database } from '../postgres/index.ts'

/** A recurring task in the background, run by one process at a time. */
export interface RecurringJob {
  readonly name: string
  /** The schedule, as a cron expression in UTC. */
  readonly cron: string
  run(database: Database): Promise<void>
}

/** The background jobs of a worker process. */
export interface Jobs {
  stop(): Promise<void>
}

/**
 * Runs the recurring jobs on pg-boss, over the service's own pool (design: architecture, "Connections").
 *
 * A job that throws is logged, counted, and tried again at its next time.
 */
export async function startJobs(
  database: Database,
  jobs: readonly RecurringJob[],
  log: Logger,
  metrics: Metrics,
): Promise<Jobs> {
  const failures = metrics.counter({
    name: 'zonewright_jobs_failed_total',
    help: 'Failed runs of recurring jobs, by the name of the job.',
    // Not `job`: Prometheus uses that itself.
    labelNames: ['name'],
  })
  const boss = new PgBoss({
    db: {
      // Scripts of several statements come without values, and only the simple protocol accepts them.
      executeSql: (text, values) => (values?.length ? database.pool.query(text, values) : database.pool.query(text)),
    },
    createSchema: false,
    warningSlowQuerySeconds: 30,
  })
  boss.on('error', (error) => log.warn({ err: error }, 'a background job reported an error'))
  await boss.start()
  for (const job of jobs) {
    // Starts at zero, so that the first failure is also an increase.
    failures.inc({ name: job.name }, 0)
    await boss.createQueue(job.name)
    await boss.schedule(job.name, job.cron)
    // Cron's own unit is the minute: nothing is gained by checking more often than this.
    await boss.work(job.name, { pollingIntervalSeconds: 30 }, async () => {
      log.info({ job: job.name }, 'job')
      // If this rejected, pg-boss would report it nowhere and retry at once.
      await job.run(database).catch((error: Error) => {
        failures.inc({ name: job.name })
        log.error({ err: error, job: job.name }, 'a recurring job failed')
      })
    })
  }
  return { stop: () => boss.stop({ graceful: true, timeout: 5_000 }) }
}
