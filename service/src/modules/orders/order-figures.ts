import { type Db, sql } from '#platform/postgres/index.ts'

const orders = {
  zonewright_orders_processing: 'Paid orders that are not finished.',
  zonewright_orders_action_required:
    'Orders that need attention because a bank requires details of the payer before it accepts a refund.',
  zonewright_order_oldest_due_seconds: 'How long the most overdue step of an order has waited for a worker.',
  zonewright_order_oldest_processing_seconds:
    'Time since payment of the oldest unfinished order that the registry has not accepted yet.',
  zonewright_order_oldest_pending_seconds:
    'Time since payment of the oldest order that waits for a decision of the registry or for the end of a transfer.',
  zonewright_registry_operations_unknown: 'Registry commands with an unknown outcome that were sent for orders.',
  zonewright_registry_operation_oldest_unknown_seconds:
    'Age of the oldest registry command with an unknown outcome that was sent for an order.',
}

/** Metrics of orders. */
export const orderFigures = { helps: orders, read: readOrders }

/** Finished orders have no next step: the index `orders_step` has only the others, and the metrics read only those. */
async function readOrders(db: Db) {
  const { rows } = await sql<Record<keyof typeof orders, number>>`
    select * from (
      select count(*) filter (where status = 'processing')::int as zonewright_orders_processing,
        ${sql.ageS(sql`min(step_at) filter (where step_at <= app_now())`)} as zonewright_order_oldest_due_seconds,
        ${sql.ageS(sql`min(paid_at) filter (where status = 'processing' and stage is distinct from 'registry_pending')`)}
            as zonewright_order_oldest_processing_seconds,
        ${sql.ageS(sql`min(paid_at) filter (where status = 'completed' or stage = 'registry_pending')`)}
            as zonewright_order_oldest_pending_seconds
      from orders where step_at is not null
    ) open, (
      -- Whatever has become of the order: a surplus payment's refund may wait, too.
      select count(distinct order_id)::int as zonewright_orders_action_required from payments where refund_state = 'needs_attention'
    ) waiting, (
      select count(*)::int as zonewright_registry_operations_unknown,
        ${sql.ageS(sql`min(sent_at)`)} as zonewright_registry_operation_oldest_unknown_seconds
      from registry_commands where order_id is not null and state in ('sending', 'unknown')
    ) operations`.execute(db)
  return rows[0]
}
