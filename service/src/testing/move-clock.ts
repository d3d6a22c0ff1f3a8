import { type Database, sql } from '#platform/postgres/index.ts'

/** Moves the database's clock, because `app_now()` decides every deadline of the service. `ahead` is an interval, `25 hours`. */
export async function moveClock({ db }: Database, ahead: string): Promise<void> {
  await sql`create or replace function app_now() returns timestamptz language sql stable parallel safe
    return statement_timestamp() + interval ${sql.lit(ahead)}`.execute(db)
  // The clock skips hours in which the job would have created partitions.
  await sql`select ensure_all_partitions()`.execute(db)
}

const beginning = new Date().toISOString()

/** Stops the database's clock at this interval after the test's beginning, so that no time passes between two requests, even on a slow machine. */
export async function stopClock({ db }: Database, after = '0 seconds'): Promise<void> {
  await sql`create or replace function app_now() returns timestamptz language sql stable parallel safe
    return timestamptz ${sql.lit(beginning)} + interval ${sql.lit(after)}`.execute(db)
}
