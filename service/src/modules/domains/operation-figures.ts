import { type FigureSource, showFromDatabase } from '#platform/database-figures.ts'
import { type Db, sql } from '#platform/db.ts'

/** What `/metrics` tells of the changes of domains that registries were asked for. */
export function showDomainOperations(source: FigureSource): void {
  showFromDatabase(source, operations, readOperations)
}

const operations = {
  zonewright_domain_act_oldest_due_seconds:
    'For how long the change of a domain that has waited longest for a worker has been due.',
  zonewright_domain_operations_unknown: 'Commands of changes of domains of which nobody knows what came.',
  zonewright_domain_operation_oldest_unknown_seconds: 'Age of the oldest of these commands.',
}

async function readOperations(db: Db) {
  const { rows } = await sql<Record<keyof typeof operations, number>>`
    select zonewright_domain_act_oldest_due_seconds, zonewright_domain_operations_unknown,
      zonewright_domain_operation_oldest_unknown_seconds
    from (
      select coalesce(extract(epoch from app_now() - min(due_at)), 0)::float8 as zonewright_domain_act_oldest_due_seconds
      from domain_acts where state = 'open' and due_at <= app_now()
    ) acts, (
      select count(*)::int as zonewright_domain_operations_unknown,
        coalesce(extract(epoch from app_now() - min(sent_at)), 0)::float8 as zonewright_domain_operation_oldest_unknown_seconds
      from domain_operations where state in ('sending', 'unknown')
    ) operations`.execute(db)
  return rows[0]
}
