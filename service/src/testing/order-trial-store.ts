import type { PaymentOfOrder } from '#modules/payments/index.ts'
import { lockPayment } from '#modules/payments/store.ts'
import { type Database, type Db, sql } from '#platform/postgres/index.ts'

/** Indexes that only trials need. Without them, each check would read the rows of all previous trials. */
export async function indexForTrials(db: Db): Promise<void> {
  await sql`create index on event_outbox ((data -> 'order' ->> 'id'))`.execute(db)
  await sql`create index on orders (promo_code)`.execute(db)
  for (const table of ['payments', 'quotes', 'cards'])
    await sql`create index on ${sql.table(table)} (account_id)`.execute(db)
}

/** Claims what is due for one account, as a worker does: for two minutes. */
export async function claimOf(db: Db, accountId: string, table: 'orders' | 'payments'): Promise<string[]> {
  const lease = sql`app_now() + interval '120 seconds'`
  const { rows } = await sql<{ id: string }>`
    update ${sql.table(table)} set step_at = ${lease} ${table === 'payments' ? sql`, held_until = ${lease}` : sql``}
    where account_id = ${accountId} and step_at <= app_now() returning id`.execute(db)
  return rows.map(({ id }) => id)
}

export async function duePayments(database: Database, ids: readonly string[]): Promise<PaymentOfOrder[]> {
  return (await Promise.all(ids.map((id) => database.transact((tx) => lockPayment(tx, id))))).filter(
    (payment) => payment !== undefined,
  )
}

/** Moves time for one account only: its orders' past times move back and their due times come sooner by this much. */
export async function letTimePass(db: Db, accountId: string, seconds: number): Promise<void> {
  const by = sql`make_interval(secs => ${seconds})`
  const ofOrders = sql`order_id in (select id from orders where account_id = ${accountId})`
  await sql`
    with o as (update orders set created_at = created_at - ${by}, step_at = step_at - ${by}, expires_at = expires_at - ${by},
          doubted_at = doubted_at - ${by}
        where account_id = ${accountId}),
      p as (update payments set created_at = created_at - ${by}, step_at = step_at - ${by}, looked_at = looked_at - ${by},
          asked_at = asked_at - ${by}, held_until = held_until - ${by}, charged_at = charged_at - ${by}
        where account_id = ${accountId}),
      q as (update quotes set expires_at = expires_at - ${by} where account_id = ${accountId})
    update registry_commands set sent_at = sent_at - ${by}, missed_at = missed_at - ${by} where ${ofOrders}`.execute(db)
}
