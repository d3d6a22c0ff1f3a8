import { type Db, sql, type Tx } from '#platform/postgres/index.ts'
import type { Failure } from './rules.ts'

/** How long a claimed email belongs to its worker: longer than an attempt (thirty seconds) and recording its outcome can take. */
const lease = sql`interval '60 s'`

export interface NewMail {
  readonly id: string
  readonly kind: string
  readonly to: string
  /** Sealed. */
  readonly content: Buffer
  readonly once: string | null
  readonly requestId: string | null
  readonly usefulForS: number
}

/** Writes an email that is due immediately. Returns false if an email with the same `once` exists. */
export async function insertMail(tx: Tx, mail: NewMail): Promise<boolean> {
  const { rows } = await sql`
    insert into mails (id, kind, to_address, content, once, request_id, give_up_at, due_at)
    values (${mail.id}, ${mail.kind}, ${mail.to}, ${mail.content}, ${mail.once}, ${mail.requestId},
      app_now() + make_interval(secs => ${mail.usefulForS}), app_now())
    on conflict (once) do nothing
    returning 1`.execute(tx)
  return rows.length > 0
}

/** A due email, for the worker that holds its lease. */
export interface DueMail {
  readonly id: string
  readonly kind: string
  readonly to: string
  readonly content: Buffer
  readonly queuedAt: Date
  readonly requestId: string | null
  /** Completed attempts. */
  readonly attempts: number
  readonly lease: string
}

export const isAnyDue = sql`(select min(due_at) from mails) <= app_now()`

/** Claims the emails that have been due longest. If a worker is killed, its emails are due again when their lease ends. */
export async function claimMails(tx: Tx, max: number): Promise<DueMail[]> {
  const { rows } = await sql<DueMail>`
    with due as (
      select id from mails where due_at <= app_now() and give_up_at > app_now()
      order by due_at limit ${max} for update skip locked
    )
    update mails m set lease = gen_random_uuid(), due_at = app_now() + ${lease}
    from due where m.id = due.id
    returning m.id, m.kind, m.to_address as "to", m.content, m.queued_at as "queuedAt", m.request_id as "requestId", m.attempts, m.lease`.execute(
    tx,
  )
  return rows
}

/** Records that an email was accepted, whoever holds its lease. Deletes its content. */
export async function recordSent(tx: Tx, { id }: DueMail): Promise<void> {
  await sql`
    update mails set sent_at = app_now(), due_at = null, lease = null, content = null, attempts = attempts + 1,
      failure = null, reply = null
    where id = ${id} and sent_at is null`.execute(tx)
}

/**
 * Records a failed attempt if the email still belongs to its worker. It is due again after `retryS` seconds, or given up if that is null or too late.
 * Returns whether it was given up now.
 */
export async function recordFailure(
  tx: Tx,
  { id, lease }: DueMail,
  { failure, reply, retryS }: { failure: Failure; reply: string | null; retryS: number | null },
): Promise<boolean> {
  const { rows } = await sql<{ givenUp: boolean }>`
    with next as (
      select case when app_now() + make_interval(secs => ${retryS}::int) < give_up_at
        then app_now() + make_interval(secs => ${retryS}::int) end as at
      from mails where id = ${id}
    )
    update mails set attempts = attempts + 1, failure = ${failure}, reply = ${reply}, lease = null, due_at = next.at,
      content = case when next.at is not null then content end
    from next where id = ${id} and lease = ${lease}
    returning due_at is null as "givenUp"`.execute(tx)
  return rows[0]?.givenUp ?? false
}

/** Releases an email that was not sent, so that it is due now. */
export async function releaseMail(tx: Tx, { id, lease }: DueMail): Promise<void> {
  await sql`update mails set due_at = app_now(), lease = null where id = ${id} and lease = ${lease}`.execute(tx)
}

/** Gives up emails that could not be sent while they were useful. */
export async function giveUpOverdue(db: Db): Promise<void> {
  await sql`
    update mails set due_at = null, lease = null, content = null, failure = coalesce(failure, 'too_late')
    where due_at is not null and give_up_at <= app_now()`.execute(db)
}

/** Deletes emails that are older than `days` days. */
export async function forgetMails(db: Db, days: number): Promise<void> {
  await sql`delete from mails where queued_at < app_now() - make_interval(days => ${days})`.execute(db)
}
