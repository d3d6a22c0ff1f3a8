import { freeUnpaid } from '#modules/billing/index.ts'
import { isUnclaimed } from '#modules/payments/index.ts'
import { type Db, sql, type Tx } from '#platform/postgres/index.ts'
import { workLeaseS } from '#ports/registry.ts'
import type { MovingOrder } from './moves.ts'
import type { Order } from './order.ts'

const columns = sql`
  id, account_id as "accountId", key_id as "keyId", request_id as "requestId", kind, name, tld, years, status, cancelled_by as "cancelledBy", amount_kobo as "amountKobo",
  credit_kobo as "creditKobo", promo_code as "promoCode", promo_kobo as "promoKobo", card_kobo as "cardKobo", renewal_kobo as "renewalKobo", fee,
  client_email as "clientEmail", last_error as "lastError", stage, stage_message as "stageMessage", act_by as "actBy",
  created_at as "createdAt", paid_at as "paidAt", finished_at as "finishedAt", settled_at as "settledAt", expires_at as "expiresAt",
  contact, auto_renew as "autoRenew", nameservers, auth_code as "authCode", registrant_id as "registrantId", old_expiry as "oldExpiry",
  extract(epoch from app_now() - doubted_at)::float8 as "doubtedForS"`

export type NewOrder = Omit<
  Order,
  | 'createdAt'
  | 'paidAt'
  | 'finishedAt'
  | 'settledAt'
  | 'expiresAt'
  | 'cancelledBy'
  | 'cardKobo'
  | 'lastError'
  | 'actBy'
  | 'doubtedForS'
>

/**
 * Stores a new order. A paid order has its first step due now. An unpaid one expires in `unpaidHours`. The unique index allows one open order
 * per name.
 */
export async function insertOrder(tx: Tx, order: NewOrder, unpaidHours: number): Promise<Order> {
  const isPaid = order.status === 'processing'
  const { rows } = await sql<Order>`
    insert into orders (id, account_id, key_id, request_id, kind, name, tld, years, status, amount_kobo, credit_kobo, promo_code, promo_kobo, renewal_kobo,
      fee, client_email, stage, stage_message, paid_at, expires_at, contact, auto_renew, nameservers, auth_code, registrant_id, old_expiry, step_at)
    values (${order.id}, ${order.accountId}, ${order.keyId}, ${order.requestId}, ${order.kind}, ${order.name}, ${order.tld}, ${order.years}, ${order.status},
      ${order.amountKobo}, ${order.creditKobo}, ${order.promoCode}, ${order.promoKobo}, ${order.renewalKobo},
      ${order.fee && JSON.stringify(order.fee)}::jsonb, ${order.clientEmail}, ${order.stage}, ${order.stageMessage},
      case when ${isPaid} then app_now() end, case when ${!isPaid} then app_now() + make_interval(hours => ${unpaidHours}) end,
      ${order.contact && JSON.stringify(order.contact)}::jsonb, ${order.autoRenew}, ${[...order.nameservers]}, ${order.authCode},
      ${order.registrantId}, ${order.oldExpiry}, case when ${isPaid} then app_now() end)
    returning ${columns}`.execute(tx)
  if (isPaid) tx.wakeAfterCommit('orders_due')
  return rows[0] as Order
}

export async function readOrder(db: Db, id: string): Promise<Order | undefined> {
  const { rows } = await sql<Order>`select ${columns} from orders where id = ${id}`.execute(db)
  return rows[0]
}

/** Reads the order and locks its row, so that its transitions happen one after the other. */
export async function lockOrder(tx: Tx, id: string): Promise<Order | undefined> {
  const { rows } = await sql<Order>`select ${columns} from orders where id = ${id} for no key update`.execute(tx)
  return rows[0]
}

/** The changes by a transition or a step. Omitted members stay as they are. */
export interface OrderChange {
  readonly status?: Order['status']
  readonly cancelledBy?: Order['cancelledBy']
  readonly cardKobo?: number
  readonly lastError?: string
  readonly stage?: Order['stage']
  readonly stageMessage?: string
  readonly actBy?: Date | null
  readonly isPaid?: true
  /** Sets `finished_at`, once. */
  readonly isFinished?: true
  readonly isSettled?: true
  readonly registrantId?: string
  /** Whether a lookup just found its transfer neither in progress nor arrived. The time of the first of several of these lookups is kept. */
  readonly isDoubted?: boolean | undefined
  /** When the next step is due, in seconds from now; null: no next step. */
  readonly stepInS?: number | null | undefined
}

/** Changes an order whose row is locked, and returns the result. If its next step is due now, this wakes the workers. */
export async function updateOrder(tx: Tx, id: string, change: OrderChange): Promise<Order> {
  const sets = [
    change.status && sql`status = ${change.status}`,
    change.status && change.status !== 'pending_payment' && sql`expires_at = null`,
    change.cancelledBy && sql`cancelled_by = ${change.cancelledBy}`,
    change.cardKobo !== undefined && sql`card_kobo = ${change.cardKobo}`,
    change.lastError !== undefined && sql`last_error = ${change.lastError}`,
    change.stage !== undefined && sql`stage = ${change.stage}`,
    change.stageMessage !== undefined && sql`stage_message = ${change.stageMessage}`,
    change.actBy !== undefined && sql`act_by = ${change.actBy}`,
    change.isPaid && sql`paid_at = coalesce(paid_at, app_now())`,
    change.isFinished && sql`finished_at = coalesce(finished_at, app_now())`,
    change.isSettled && sql`settled_at = app_now()`,
    change.registrantId && sql`registrant_id = ${change.registrantId}`,
    change.isDoubted !== undefined &&
      sql`doubted_at = case when ${change.isDoubted} then coalesce(doubted_at, app_now()) end`,
    change.stepInS !== undefined && sql`step_at = app_now() + ${change.stepInS}::float8 * interval '1 second'`,
  ].filter((set) => typeof set === 'object')
  const { rows } = await sql<Order>`update orders set ${sql.join(sets)} where id = ${id} returning ${columns}`.execute(
    tx,
  )
  if (change.stepInS === 0) tx.wakeAfterCommit('orders_due')
  return rows[0] as Order
}

/** The ages of the orders that the key placed in the last hour, in seconds. The caller locks the key first. */
export async function orderAgesOfKey(tx: Tx, keyId: string): Promise<number[]> {
  const { rows } = await sql<{ age: number }>`
    select extract(epoch from app_now() - created_at)::float8 as age from orders
    where key_id = ${keyId} and created_at > app_now() - interval '1 hour'`.execute(tx)
  return rows.map(({ age }) => age)
}

/** Locks a key's row, so that its orders can be counted. False: the key was revoked or has expired in the meantime. */
export async function lockKey(tx: Tx, keyId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from api_keys where id = ${keyId} and revoked_at is null and coalesce(expires_at > app_now(), true) for no key update`.execute(
    tx,
  )
  return rows.length > 0
}

export async function openOrderNamed(db: Db, accountId: string, name: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from orders where account_id = ${accountId} and name = ${name} and status in ('pending_payment', 'processing')`.execute(
    db,
  )
  return rows[0]?.id
}

/** The number of unpaid orders of the account, counted up to `most`. */
export async function countUnpaid(db: Db, accountId: string, most: number): Promise<number> {
  const { rows } = await sql<{ unpaid: number }>`
    select count(*)::int as unpaid
    from (select from orders where account_id = ${accountId} and status = 'pending_payment' limit ${most}) o`.execute(
    db,
  )
  return rows[0]?.unpaid ?? 0
}

/** Whether an unpaid order of the account reserves the promo code. */
export async function hasUnpaidWithPromo(db: Db, accountId: string, promoCode: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from orders where account_id = ${accountId} and status = 'pending_payment' and promo_code = ${promoCode} limit 1`.execute(
    db,
  )
  return rows.length > 0
}

/**
 * Whether an order of the last day has renewed the account's domain from this expiry, because the registry may still show the earlier expiry.
 * Only one day counts, so that an order that was marked as done by mistake can be placed again.
 */
export async function wasRenewedFrom(
  db: Db,
  { accountId, name, oldExpiry }: Pick<Order, 'accountId' | 'name' | 'oldExpiry'>,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from orders where name = ${name} and old_expiry = ${oldExpiry} and kind = 'renew' and status = 'completed'
      and account_id = ${accountId} and settled_at > app_now() - interval '1 day' limit 1`.execute(db)
  return rows.length > 0
}

/** An order that is not finished, or that has a payment whose refund is not finished. */
export interface UnfinishedOrder extends Order {
  /** A refund of the order itself, of a late payment, or of a surplus one. */
  readonly isMoneyGoingBack: boolean
}

/** Orders of an account that are not finished, or that have unfinished refunds, with their rows locked. The caller locks the account first. */
export async function lockUnfinished(tx: Tx, accountId: string): Promise<UnfinishedOrder[]> {
  const isRefunding = sql`exists (select from payments p where p.order_id = orders.id
    and p.refund_state in ('wanted', 'posted', 'needs_attention'))`
  const { rows } = await sql<UnfinishedOrder>`
    select ${columns}, status = 'failed' or ${isRefunding} as "isMoneyGoingBack"
    from orders where account_id = ${accountId} and (status in ('pending_payment', 'processing', 'failed')
      or (status = 'completed' and kind = 'transfer' and settled_at is null) or ${isRefunding})
    order by id for no key update`.execute(tx)
  return rows
}

/** Removes the personal data of the registrants and payers from an account's orders. Products and amounts stay. */
export async function forgetPeople(tx: Tx, accountId: string): Promise<void> {
  await sql`
    update orders set contact = null, client_email = '', auth_code = null where account_id = ${accountId}`.execute(tx)
  // Also if the refund is in progress: the gateway knows the payer, and is queried by the payment's reference.
  await sql`
    update payments set email = '' where order_id in (select id from orders where account_id = ${accountId})`.execute(
    tx,
  )
}

/** Up to `limit` + 1 orders of an account, newest first; `keyId`: only orders for domains that this key covers. */
export async function pageOfOrders(
  db: Db,
  accountId: string,
  wanted: {
    keyId: string | null
    status: string | undefined
    name: string | undefined
    before: string | undefined
    limit: number
  },
): Promise<Order[]> {
  const { rows } = await sql<Order>`
    select ${columns} from orders
    where account_id = ${accountId} and (${wanted.before ?? null}::text is null or id < ${wanted.before ?? null})
      and (${wanted.status ?? null}::text is null or status = ${wanted.status ?? null})
      and (${wanted.name ?? null}::text is null or name = ${wanted.name ?? null})
      and (${wanted.keyId}::text is null or ${coveredBy(wanted.keyId)})
    order by id desc limit ${wanted.limit + 1}`.execute(db)
  return rows
}

/** Whether a key for particular zones and domains covers the domain of this order. */
export async function keyCoversOrder(db: Db, keyId: string, orderId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from orders where id = ${orderId} and ${coveredBy(keyId)}`.execute(db)
  return rows.length > 0
}

function coveredBy(keyId: string | null) {
  return sql`orders.name in (select d.name from api_key_domains kd join domains d on d.id = kd.domain_id
    where kd.key_id = ${keyId} and d.state <> 'gone')`
}

/** Whether an order's next step is due. */
export const isAnyStepDue = sql`(select min(step_at) from orders) <= app_now()`

/** Claims due orders, except those of names under these TLDs, each for `workLeaseS`. Other workers leave them alone until then. */
export async function claimOrders(tx: Tx, max: number, exceptTlds: readonly string[] = []): Promise<Order[]> {
  const { rows } = await sql<Order>`
    update orders set step_at = app_now() + make_interval(secs => ${workLeaseS})
    where id = any(array(select id from orders where step_at <= app_now() and tld <> all(${exceptTlds}::text[])
      order by step_at limit ${max} for update skip locked))
    returning ${columns}`.execute(tx)
  return rows
}

/** Keeps an unpaid order from expiring before this time. */
export async function keepWaiting(tx: Tx, id: string, until: Date): Promise<void> {
  await sql`
    update orders set expires_at = greatest(expires_at, ${until}) where id = ${id} and status = 'pending_payment'`.execute(
    tx,
  )
}

/** Whether an unpaid order has expired. */
export const isAnyExpiryDue = sql`(select min(expires_at) from orders where status = 'pending_payment') <= app_now()`

/**
 * Whether an order has a payment that may have been made: the gateway has not reported it as unpaid since the order's expiry, or since now if
 * that is earlier. Payments that were given up do not count.
 */
const isPerhapsPaid = sql`exists (select from payments p where p.order_id = orders.id and p.status in ('open', 'failed') and p.step_at is not null
  and (p.looked_at is null or p.looked_at < least(orders.expires_at, app_now())))`

/**
 * Makes an unpaid order expire now if it may have been paid. It is cancelled once the gateway has said that it was not. False: it has no payment
 * to query. The caller has locked its row.
 */
export async function expireIfPerhapsPaid(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql`
    update orders set expires_at = least(expires_at, app_now())
    where id = ${id} and status = 'pending_payment' and ${isPerhapsPaid} returning 1`.execute(tx)
  return rows.length > 0
}

/**
 * Brings forward the last query to the gateway about expired orders, which comes before they are cancelled. It does so once for each
 * payment, and not within a minute of the previous query: a gateway that does not respond is queried at the usual times.
 *
 * Payments that another transaction has locked are left for the next time, so that two transactions never wait for each other.
 */
export async function hurryLastLooks(tx: Tx): Promise<void> {
  await sql`
    update payments set step_at = app_now() where id = any(array(
      select p.id from payments p join orders o on o.id = p.order_id
      where o.status = 'pending_payment' and o.expires_at <= app_now()
        and p.status in ('open', 'failed') and p.step_at > app_now() + interval '60 seconds' and ${isUnclaimed}
        and (p.looked_at is null or p.looked_at < o.expires_at)
        and (p.asked_at is null or p.asked_at < least(o.expires_at, app_now() - interval '60 seconds'))
      for no key update of p skip locked))`.execute(tx)
}

/** Expired unpaid orders that have no payment that may have been made, oldest first. */
export async function findExpired(tx: Tx, max: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from orders where status = 'pending_payment' and expires_at <= app_now() and not ${isPerhapsPaid}
    order by expires_at limit ${max}`.execute(tx)
  return rows.map(({ id }) => id)
}

/**
 * The orders of this list that have expired and have no payment that may have been made, with their rows locked, except those that are locked by
 * others. The query finds them by id only. With an additional condition on the status, PostgreSQL would scan all unpaid orders if it estimates
 * that they are few.
 */
export async function lockExpired(tx: Tx, ids: readonly string[]): Promise<(MovingOrder & { readonly id: string })[]> {
  const { rows } = await sql<MovingOrder & { id: string }>`
    select id, kind, status, cancelled_by as "cancelledBy", amount_kobo as "amountKobo", promo_kobo as "promoKobo", credit_kobo as "creditKobo",
      card_kobo as "cardKobo", settled_at is not null as "isSettled"
    from orders where id = any(${[...ids]}) and expires_at <= app_now() and not ${isPerhapsPaid}
    order by id for no key update skip locked`.execute(tx)
  return rows
}

/** Cancels unpaid orders, which are locked. Releases their promo codes and their reserved credit. */
export async function cancelExpired(tx: Tx, ids: readonly string[]): Promise<Order[]> {
  const [{ rows }] = await Promise.all([
    sql<Order>`
      update orders set status = 'cancelled', cancelled_by = 'expiry', stage = null, stage_message = '', expires_at = null, step_at = null,
        finished_at = coalesce(finished_at, app_now())
      where id = any(${[...ids]}) returning ${columns}`.execute(tx),
    freeUnpaid(tx, ids),
  ])
  return rows
}

/** Makes the checks of open orders for a name, and of its started transfers, due now. */
export async function hurryOrders(tx: Tx, name: string): Promise<void> {
  const { rows } = await sql`
    update orders set step_at = least(step_at, app_now())
    where name = ${name} and step_at is not null and (status = 'processing' or (status = 'completed' and settled_at is null)) returning 1`.execute(
    tx,
  )
  if (rows.length > 0) tx.wakeAfterCommit('orders_due')
}
