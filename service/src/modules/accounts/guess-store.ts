import { type Db, sql, type Tx } from '#platform/postgres/index.ts'
import type { GuessKind } from './guess-rules.ts'

/** The key of a row, without its kind. */
interface Place {
  readonly subject: string
  readonly source: string
}

export interface CountedGuesses extends Place {
  /** Failures, including guesses whose outcome is not known yet. They are halved every day, so this is not always a whole number. */
  readonly failures: number
  /** Seconds until a guess is evaluated; 0: now. */
  readonly waitS: number
}

const places = sql.recordset('p', 'subject text, source text')
const counts = sql.recordset('c', 'subject text, source text, failures float8, "delayS" integer')

/** Locks the counters, and creates those that are missing. Always in the same order, to avoid deadlocks. */
export async function lockGuesses(tx: Tx, kind: GuessKind, wanted: readonly Place[]): Promise<CountedGuesses[]> {
  // Two statements: the second sees what concurrent guesses wrote while the first waited for them.
  const [, { rows }] = await Promise.all([
    sql`insert into account_guesses (subject, kind, source)
      select subject, ${kind}, source from ${places(wanted)} order by subject, source on conflict do nothing`.execute(
      tx,
    ),
    sql<CountedGuesses>`
      select g.subject, g.source,
        g.failures * power(0.5, extract(epoch from app_now() - g.last_at)::float8 / 86400) as failures,
        greatest(0, ceil(extract(epoch from g.free_at - app_now())))::int as "waitS"
      from account_guesses g
      where g.kind = ${kind} and (g.subject, g.source) in (select subject, source from ${places(wanted)})
      order by g.subject, g.source for update of g`.execute(tx),
  ])
  return rows
}

/** Writes the number of failures, and how long the next guess must wait. */
export async function setGuesses(
  tx: Tx,
  kind: GuessKind,
  counted: readonly (Place & { readonly failures: number; readonly delayS: number })[],
): Promise<void> {
  await sql`
    update account_guesses g set failures = c.failures, last_at = app_now(), free_at = app_now() + make_interval(secs => c."delayS")
    from ${counts(counted)} where g.subject = c.subject and g.kind = ${kind} and g.source = c.source`.execute(tx)
}

/** Removes one failure and its delay, because the guess was right. */
export async function uncountGuess(db: Db, kind: GuessKind, { subject, source }: Place): Promise<void> {
  await sql`
    update account_guesses set failures = greatest(0, failures - 1), free_at = app_now()
    where subject = ${subject} and kind = ${kind} and source = ${source}`.execute(db)
}

/** Removes the earlier failures, because a guess was right. */
export async function dropGuesses(db: Db, kind: GuessKind, { subject, source }: Place): Promise<void> {
  await sql`delete from account_guesses where subject = ${subject} and kind = ${kind} and source = ${source}`.execute(
    db,
  )
}

/**
 * Records a failure. Returns whether to send the owner an email now: `most` guesses have failed within an hour, and no such email was sent for a day.
 */
export async function noteFailure(tx: Tx, subject: string, what: string, most: number): Promise<boolean> {
  const { rows } = await sql<{ failures: number }>`
    insert into account_guesses as g (subject, kind, source, recent)
    values (${subject}, ${`failed ${what}`}, '', array[app_now()])
    on conflict (subject, kind, source) do update set last_at = app_now(), recent = app_now() || array(
      select at from unnest(g.recent) at where at > app_now() - interval '1 hour' order by at desc limit ${most - 1})
    returning cardinality(recent) as failures`.execute(tx)
  return (rows[0]?.failures ?? 0) >= most && (await takeTurnToTell(tx, subject))
}

/** Returns true at most once a day for each account. */
async function takeTurnToTell(tx: Tx, subject: string): Promise<boolean> {
  const { rows } = await sql`
    insert into account_guesses as g (subject, kind, source, free_at) values (${subject}, 'told', '', app_now() + interval '1 day')
    on conflict (subject, kind, source) do update set last_at = app_now(), free_at = excluded.free_at where g.free_at <= app_now()
    returning 1`.execute(tx)
  return rows.length > 0
}

/** Failures of an account by network and device, to subtract from the networks' totals. */
export async function guessesOf(
  tx: Tx,
  accountId: string,
): Promise<{ readonly kind: GuessKind; readonly source: string; readonly failures: number }[]> {
  const { rows } = await sql<{ kind: GuessKind; source: string; failures: number }>`
    select kind, source, failures from account_guesses where subject = ${accountId} and failures > 0 and source <> ''`.execute(
    tx,
  )
  return rows
}

const forgiven = sql.recordset('f', 'kind text, source text, failures float8')

/** Subtracts failures from the totals of networks, and ends the networks' waits. */
export async function forgiveNetworks(
  tx: Tx,
  networks: readonly { readonly kind: string; readonly source: string; readonly failures: number }[],
): Promise<void> {
  await sql`
    with f as (
      select g.kind, g.source, f.failures from account_guesses g join ${forgiven(networks)} on f.kind = g.kind and f.source = g.source
      where g.subject = '' order by g.kind, g.source for update of g
    )
    update account_guesses g set failures = greatest(0, g.failures - f.failures), free_at = app_now()
    from f where g.subject = '' and g.kind = f.kind and g.source = f.source`.execute(tx)
}

/** Deletes all failures of an account, except its total of wrong codes, whose delay ends, and the time of the last email to the owner. */
export async function forgetGuesses(tx: Tx, accountId: string): Promise<void> {
  await sql`
    update account_guesses set free_at = app_now() where subject = ${accountId} and kind = 'code' and source = ''`.execute(
    tx,
  )
  await sql`
    delete from account_guesses
    where subject = ${accountId} and kind <> 'told' and not (kind = 'code' and source = '')`.execute(tx)
}

/** For an account that is erased, or an address that gets an account. */
export async function eraseGuesses(tx: Tx, subject: string): Promise<void> {
  await sql`delete from account_guesses where subject = ${subject}`.execute(tx)
}

/** Cleanup: after a week, less than a hundredth of the failures is left. */
export async function dropOldGuesses(db: Db): Promise<void> {
  await sql`
    delete from account_guesses where last_at < app_now() - interval '7 days' and free_at < app_now()`.execute(db)
}
