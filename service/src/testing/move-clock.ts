import { type Database, sql } from '#platform/postgres/index.ts'

/** Moves the database's clock: every deadline of the service is decided by `app_now()`. `ahead` is an interval, `25 hours`. */
export async function moveClock({ db }: Database, ahead: string): Promise<void> {
  await sql`create or replace function app_now() returns timestamptz language sql stable parallel safe
    return statement_timestamp() + interval ${sql.lit(ahead)}`.execute(db)
  // Hours in which its job would have run have passed in a moment.
  await sql`select ensure_all_partitions()`.execute(db)
}

const beginning = new Date().toISOString()

/** Stops the database's clock, so long after the test's beginning: however slow the machine is, no time passes between two requests. */
export async function stopClock({ db }: Database, after = '0 seconds'): Promise<void> {
  await sql`create or replace function app_now() returns timestamptz language sql stable parallel safe
    return timestamptz ${sql.lit(beginning)} + interval ${sql.lit(after)}`.execute(db)
}
