import { type Db, sql } from '#platform/postgres/index.ts'

/** Counts one more attempt; starts a new window if the previous one is over. */
export async function addTry(
  db: Db,
  kind: string,
  subject: string,
  minutes: number,
): Promise<{ tries: number; secondsLeft: number }> {
  const { rows } = await sql<{ tries: number; secondsLeft: number }>`
    insert into account_tries as t (kind, subject, tries) values (${kind}, ${subject}, 1)
    on conflict (kind, subject) do update set
      tries = case when t.began_at <= app_now() - make_interval(mins => ${minutes}) then 1 else t.tries + 1 end,
      began_at = case when t.began_at <= app_now() - make_interval(mins => ${minutes}) then app_now() else t.began_at end
    returning tries, greatest(1, ceil(extract(epoch from began_at + make_interval(mins => ${minutes}) - app_now())))::int as "secondsLeft"`.execute(
    db,
  )
  return rows[0] ?? { tries: 1, secondsLeft: 0 }
}

/** Cleanup: windows that ended long ago. */
export async function dropOldTries(db: Db): Promise<void> {
  await sql`delete from account_tries where began_at < app_now() - interval '1 day'`.execute(db)
}
