import assert from 'node:assert/strict'
import type { Database } from '#platform/postgres/index.ts'
import type { RecurringJob } from '#platform/work/jobs.ts'

/** Runs the job of this name now. */
export async function runJob(jobs: readonly RecurringJob[], name: string, database: Database): Promise<void> {
  const job = jobs.find((each) => each.name === name) ?? assert.fail(`no job ${name}`)
  await job.run(database)
}
