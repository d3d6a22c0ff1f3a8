import { type Db, sql } from '#platform/postgres/index.ts'

const lanes = {
  webhook_lanes_due: 'Webhook endpoints whose next delivery waits for a worker.',
  webhook_oldest_due_seconds: 'How long the most overdue lane has waited for a worker.',
  webhook_lanes_failing: 'Webhook endpoints whose latest deliveries have all failed.',
}

/** Metrics of the lanes of the whole installation. */
export const laneFigures = { helps: lanes, read: readLanes }

async function readLanes(db: Db) {
  const { rows } = await sql<Record<keyof typeof lanes, number>>`
    select count(*) filter (where due_at <= app_now())::int as webhook_lanes_due,
      ${sql.ageS(sql`min(due_at) filter (where due_at <= app_now())`)} as webhook_oldest_due_seconds,
      count(*) filter (where failing_since is not null)::int as webhook_lanes_failing
    from webhook_lanes`.execute(db)
  return rows[0]
}
