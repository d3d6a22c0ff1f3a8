import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { eventually } from '#testing/eventually.ts'
import { cloneDatabase } from '#testing/platform/test-database.ts'
import { createMetrics } from '../figures/metrics.ts'
import { sql } from '../postgres/index.ts'
import { startJobs } from './jobs.ts'

const database = await cloneDatabase()
const { db } = database

test('a job that throws is logged and counted once, and runs again at its next time, not before', async (t) => {
  const errors: unknown[] = []
  const log = pino(
    { level: 'error' },
    {
      write: (line) => {
        const { job, err } = JSON.parse(line)
        errors.push([job, err.message])
      },
    },
  )
  let runs = 0
  const breaking = {
    name: 'breaking',
    // Only the test makes it due.
    cron: '0 0 29 2 *',
    run: async () => {
      runs++
      throw new Error(`it broke, the ${runs}. time`)
    },
  }
  const work = async () => {
    const metrics = createMetrics()
    const jobs = await startJobs(database, [breaking], log, metrics)
    t.after(() => jobs.stop())
    return { jobs, failures: () => metrics.getSingleMetricAsString('zonewright_jobs_failed_total') }
  }
  const first = await work()
  assert.match(await first.failures(), /\{name="breaking"\} 0$/m)
  await first.jobs.stop()
  for (const time of [1, 2]) {
    await sql`insert into pgboss.job (name) values ('breaking')`.execute(db)
    // A worker checks for due jobs when it starts.
    const { jobs, failures } = await work()
    await eventually('it has run', async () => {
      const { rows } =
        await sql`select from pgboss.job where name = 'breaking' and state in ('created', 'active')`.execute(db)
      return rows.length === 0
    })
    await jobs.stop()
    assert.equal(runs, time)
    assert.equal(errors.length, time)
    assert.deepEqual(errors.at(-1), ['breaking', `it broke, the ${time}. time`])
    assert.match(await failures(), /\{name="breaking"\} 1$/m)
    const { rows } = await sql`select from pgboss.job where name = 'breaking' and state <> 'completed'`.execute(db)
    assert.equal(rows.length, 0, 'nothing is left to be tried before')
  }
})
