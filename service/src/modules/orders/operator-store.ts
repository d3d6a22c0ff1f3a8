import { mayBeHurried } from '#modules/payments/index.ts'
import { type Db, sql, type Tx } from '#platform/postgres/index.ts'

/** An order as an operator sees it, if the order or a refund should have been finished by now. */
export interface StuckOrder {
  readonly id: string
  readonly kind: string
  readonly name: string
  readonly status: string
  readonly stage: string | null
  readonly paid_at: Date | null
  readonly next_step_at: Date | null
  /** The state of the last command, and the registry's response. */
  readonly command: string | null
  readonly state: string | null
  readonly cl_trid: string | null
  readonly reply: string | null
  /** The refund that cannot reach its card. */
  readonly refund: string | null
}

/** A transfer can take a week. `doctor` and the alert also warn after this time. */
const transferDays = 10

export async function stuckOrders(db: Db, minutes: number): Promise<StuckOrder[]> {
  const { rows } = await sql<StuckOrder>`
    select o.id, o.kind, o.name, o.status, o.stage, o.paid_at, o.step_at as next_step_at, r.command, r.state, r.cl_trid,
      nullif(concat_ws(' ', r.reply_code, r.reply), '') as reply,
      (select refund_state from payments p where p.order_id = o.id and refund_state is not null
        order by refund_state = 'needs_attention' desc, id desc limit 1) as refund
    from (select id from orders where status in ('processing', 'failed') and paid_at <= app_now() - make_interval(mins => ${minutes})
      union select id from orders where status = 'completed' and step_at is not null
        and paid_at <= app_now() - greatest(make_interval(mins => ${minutes}), make_interval(days => ${transferDays}))
      union select order_id from payments where refund_state = 'needs_attention') stuck
    join orders o on o.id = stuck.id
    left join lateral (select * from registry_commands where order_id = o.id order by id desc limit 1) r on true
    order by o.paid_at, o.id limit 1000`.execute(db)
  return rows
}

/** The number of steps of an order and its payments that are due or in progress. */
export async function stepNow(tx: Tx, id: string): Promise<number> {
  const { rows } = await sql`
    with p as (update payments set step_at = case when ${mayBeHurried} then app_now() else step_at end
        where order_id = ${id} and step_at is not null returning 1),
      o as (update orders set step_at = app_now() where id = ${id} and step_at is not null returning 1)
    select 1 from p union all select 1 from o`.execute(tx)
  tx.wakeAfterCommit('orders_due')
  tx.wakeAfterCommit('payments_due')
  return rows.length
}
