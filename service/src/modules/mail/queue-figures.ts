import { type Db, sql } from '#platform/postgres/index.ts'

const mails = {
  mails_waiting: 'Emails waiting to be sent.',
  mail_oldest_due_seconds: 'Time since the oldest waiting email was due.',
  mail_oldest_waiting_seconds:
    'Age of the oldest waiting email, however often it was tried. Emails whose last try was deferred are not counted, because a full mailbox can defer for days.',
}

/** Metrics of all mails that are not sent yet. */
export const mailFigures = { helps: mails, read: readMails }

async function readMails(db: Db) {
  const { rows } = await sql<Record<keyof typeof mails, number>>`
    select count(*)::int as mails_waiting,
      ${sql.ageS(sql`min(due_at) filter (where due_at <= app_now())`)} as mail_oldest_due_seconds,
      ${sql.ageS(sql`min(queued_at) filter (where failure is distinct from 'deferred')`)} as mail_oldest_waiting_seconds
    from mails where due_at is not null`.execute(db)
  return rows[0]
}
