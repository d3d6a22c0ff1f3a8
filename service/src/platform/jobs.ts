import { PgBoss } from 'pg-boss'
import type { Database } from './db.ts'
import type { Logger } from './log.ts'

/** Something done again and again in the background, by one process at a time. */
export interface RecurringJob {
  readonly name: string
  /** When, as cron has it, in UTC. */
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
 * A job that throws is logged and tried again at its next time.
 */
export async function startJobs(database: Database, jobs: readonly RecurringJob[], log: Logger): Promise<Jobs> {
  const boss = new PgBoss({
    db: {
      // Scripts of several statements come without values, and only the simple protocol takes them.
      executeSql: (text, values) => (values?.length ? database.pool.query(text, values) : database.pool.query(text)),
    },
    createSchema: false,
    warningSlowQuerySeconds: 30,
  })
  boss.on('error', (error) => log.warn({ err: error }, 'a background job met an error'))
  await boss.start()
  for (const job of jobs) {
    await boss.createQueue(job.name)
    await boss.schedule(job.name, job.cron)
    // Cron's own unit is the minute: nothing is gained by looking more often than this.
    await boss.work(job.name, { pollingIntervalSeconds: 30 }, async () => {
      log.info({ job: job.name }, 'job')
      await job.run(database)
    })
  }
  return { stop: () => boss.stop({ graceful: true, timeout: 5_000 }) }
}
