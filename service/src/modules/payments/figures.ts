import { type Db, sql } from '#platform/postgres/index.ts'

const payments = {
  zonewright_payment_oldest_due_seconds:
    'How long the most overdue request to the card gateway has waited for a worker.',
  zonewright_payment_oldest_unanswered_seconds:
    'Longest time that the service has waited for the card gateway to report the state of a payment.',
  zonewright_refund_oldest_wanted_seconds: 'Age of the oldest refund that the card gateway has not accepted yet.',
  zonewright_refund_oldest_posted_seconds:
    'Age of the oldest refund that the card gateway has accepted and the bank has not accepted yet.',
}

/** Metrics of card payments and refunds. */
export const paymentFigures = { helps: payments, read: readPayments }

/** Payments without open work have no next step: the index `payments_step` has only the others, and the metrics read only those. */
async function readPayments(db: Db) {
  const { rows } = await sql<Record<keyof typeof payments, number>>`
    select
      ${sql.ageS(sql`min(step_at) filter (where step_at <= app_now())`)} as zonewright_payment_oldest_due_seconds,
      ${sql.ageS(sql`min(coalesce(looked_at, created_at))
          filter (where status <> 'succeeded' and asked_at > coalesce(looked_at, created_at))`)}
          as zonewright_payment_oldest_unanswered_seconds,
      ${sql.ageS(sql`min(refund_wanted_at) filter (where refund_state = 'wanted')`)} as zonewright_refund_oldest_wanted_seconds,
      ${sql.ageS(sql`min(refund_wanted_at) filter (where refund_state = 'posted')`)} as zonewright_refund_oldest_posted_seconds
    from payments where step_at is not null`.execute(db)
  return rows[0]
}
