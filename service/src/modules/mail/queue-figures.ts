import { type Db, sql } from '#platform/postgres/index.ts'

const mails = {
  mails_waiting: 'Emails that are waiting to be sent.',
  mail_oldest_due_seconds: 'How long the most overdue email has waited for a worker.',
  mail_oldest_waiting_seconds:
    'Age of the oldest unsent email. Emails that the mail server deferred at the last attempt do not count, because a full mailbox can defer an email for days.',
}

/** Metrics of all emails that have not been sent yet. */
export const mailFigures = { helps: mails, read: readMails }

async function readMails(db: Db) {
  const { rows } = await sql<Record<keyof typeof mails, number>>`
    select count(*)::int as mails_waiting,
      ${sql.ageS(sql`min(due_at) filter (where due_at <= app_now())`)} as mail_oldest_due_seconds,
      ${sql.ageS(sql`min(queued_at) filter (where failure is distinct from 'deferred')`)} as mail_oldest_waiting_seconds
    from mails where due_at is not null`.execute(db)
  return rows[0]
}
