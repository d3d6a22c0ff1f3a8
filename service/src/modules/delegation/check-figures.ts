import { type Db, sql } from '#platform/postgres/index.ts'

const checks = {
  zonewright_delegation_oldest_due_seconds: 'How long the most overdue delegation check has waited for a worker.',
}

/** Metrics of the delegation checks of all zones. */
export const delegationFigures = { helps: checks, read: readChecks }

async function readChecks(db: Db) {
  const { rows } = await sql<Record<keyof typeof checks, number>>`
    select ${sql.ageS(sql`min(due_at)`)} as zonewright_delegation_oldest_due_seconds
    from zone_delegations where due_at <= app_now()`.execute(db)
  return rows[0]
}
