import { ageS, type FigureSource, showFromDatabase } from '#platform/figures/database-figures.ts'
import { type Db, sql } from '#platform/postgres/index.ts'

/** What `/metrics` tells of the delegation checks of all zones. */
export function showDelegationChecks(source: FigureSource): void {
  showFromDatabase(source, checks, readChecks)
}

const checks = {
  zonewright_delegation_oldest_due_seconds: 'Time since the oldest waiting delegation check was due.',
}

async function readChecks(db: Db) {
  const { rows } = await sql<Record<keyof typeof checks, number>>`
    select ${ageS(sql`min(due_at)`)} as zonewright_delegation_oldest_due_seconds
    from zone_delegations where due_at <= app_now()`.execute(db)
  return rows[0]
}
