import { type Db, sql } from '#platform/postgres/index.ts'

const operations = {
  zonewright_domain_act_oldest_due_seconds: 'How long the most overdue domain change has waited for a worker.',
  zonewright_domain_act_oldest_open_seconds:
    'Age of the oldest unfinished domain change that the registry has not accepted yet.',
  zonewright_domain_act_oldest_pending_seconds:
    'Age of the oldest domain change that waits for a decision of the registry.',
  zonewright_domain_operations_unknown: 'Registry commands with an unknown outcome that were sent for domain changes.',
  zonewright_domain_operation_oldest_unknown_seconds:
    'Age of the oldest registry command with an unknown outcome that was sent for a domain change.',
}

/** Metrics of domain changes at registries. */
export const domainFigures = { helps: operations, read: readOperations }

async function readOperations(db: Db) {
  const { rows } = await sql<Record<keyof typeof operations, number>>`
    select * from (
      select ${sql.ageS(sql`min(due_at) filter (where due_at <= app_now())`)} as zonewright_domain_act_oldest_due_seconds,
        ${sql.ageS(sql`min(created_at) filter (where not is_pending)`)} as zonewright_domain_act_oldest_open_seconds,
        ${sql.ageS(sql`min(created_at) filter (where is_pending)`)} as zonewright_domain_act_oldest_pending_seconds
      from (
        select due_at, created_at,
          exists (select from registry_commands o where o.change_id = a.id and o.state = 'pending') as is_pending
        from domain_acts a where state = 'open'
      ) open
    ) changes, (
      select count(*)::int as zonewright_domain_operations_unknown,
        ${sql.ageS(sql`min(sent_at)`)} as zonewright_domain_operation_oldest_unknown_seconds
      from registry_commands where change_id is not null and state in ('sending', 'unknown')
    ) operations`.execute(db)
  return rows[0]
}
