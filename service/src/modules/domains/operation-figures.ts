import { ageS, type FigureSource, showFromDatabase } from '#platform/figures/database-figures.ts'
import { type Db, sql } from '#platform/postgres/index.ts'

/** What `/metrics` tells of the changes of domains that registries were asked for. */
export function showDomainOperations(source: FigureSource): void {
  showFromDatabase(source, operations, readOperations)
}

const operations = {
  zonewright_domain_act_oldest_due_seconds:
    'For how long the change of a domain that has waited longest for a worker has been due.',
  zonewright_domain_act_oldest_open_seconds:
    'Age of the oldest change of a domain that is not done, and that its registry has not taken on either.',
  zonewright_domain_act_oldest_pending_seconds: 'Age of the oldest change of a domain that its registry decides about.',
  zonewright_domain_operations_unknown: 'Commands of changes of domains of which nobody knows what came.',
  zonewright_domain_operation_oldest_unknown_seconds: 'Age of the oldest of these commands.',
}

async function readOperations(db: Db) {
  const { rows } = await sql<Record<keyof typeof operations, number>>`
    select * from (
      select ${ageS(sql`min(due_at) filter (where due_at <= app_now())`)} as zonewright_domain_act_oldest_due_seconds,
        ${ageS(sql`min(created_at) filter (where not is_pending)`)} as zonewright_domain_act_oldest_open_seconds,
        ${ageS(sql`min(created_at) filter (where is_pending)`)} as zonewright_domain_act_oldest_pending_seconds
      from (
        select due_at, created_at,
          exists (select from domain_operations o where o.act_id = a.id and o.state = 'pending') as is_pending
        from domain_acts a where state = 'open'
      ) open
    ) acts, (
      select count(*)::int as zonewright_domain_operations_unknown,
        ${ageS(sql`min(sent_at)`)} as zonewright_domain_operation_oldest_unknown_seconds
      from domain_operations where state in ('sending', 'unknown')
    ) operations`.execute(db)
  return rows[0]
}
