import { type Db, sql } from '#platform/postgres/index.ts'

/** The clock of a test's database: `app_now()` is replaced in that database only. */
export interface TestClock {
  /** Lets time pass, as an interval of PostgreSQL: `'29 s'`, `'3 days'`. */
  pass(interval: string): Promise<void>
}

/** Installs a clock in a cloned database. It runs with the real one, and can be moved forward. */
export async function installTestClock(db: Db): Promise<TestClock> {
  await sql`create table test_clock (ahead interval not null)`.execute(db)
  await sql`insert into test_clock values ('0')`.execute(db)
  await sql`create or replace function app_now() returns timestamptz language sql stable parallel safe
    return statement_timestamp() + (select ahead from test_clock)`.execute(db)
  return {
    pass: async (interval) => {
      await sql`update test_clock set ahead = ahead + ${interval}::interval`.execute(db)
      await sql`select ensure_all_partitions()`.execute(db)
    },
  }
}
