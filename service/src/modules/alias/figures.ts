import { type Db, sql } from '#platform/postgres/index.ts'

const helps = {
  zonewright_alias_targets: 'Targets of ALIAS records.',
  zonewright_alias_targets_failing: 'Targets of ALIAS records whose last lookup failed.',
  zonewright_alias_oldest_due_seconds: 'How long the most overdue lookup of a target has waited for a worker.',
}

/** Metrics of the targets of all zones. */
export const aliasFigures = { helps, read: readFigures }

async function readFigures(db: Db) {
  const { rows } = await sql<Record<keyof typeof helps, number>>`
    select count(*)::int as zonewright_alias_targets, count(failing_since)::int as zonewright_alias_targets_failing,
      ${sql.ageS(sql`min(due_at) filter (where due_at <= app_now())`)} as zonewright_alias_oldest_due_seconds
    from alias_targets`.execute(db)
  return rows[0]
}
