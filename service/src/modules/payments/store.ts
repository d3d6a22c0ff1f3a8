import { type Db, sql, type Tx } from '#platform/postgres/index.ts'

/** An attempt to pay an order by card. */
export interface PaymentOfOrder {
  readonly id: string
  readonly reference: string
  readonly orderId: string
  readonly accountId: string
  readonly email: string
  readonly amountKobo: number
  readonly status: 'open' | 'succeeded' | 'failed'
  readonly countedAs: 'order' | 'surplus' | null
  readonly paidKobo: number | null
  readonly checkoutUrl: string | null
  readonly refundState: 'wanted' | 'posted' | 'processed' | 'failed' | 'needs_attention' | null
  readonly refundId: string | null
  readonly tries: number
  /** The gateway's reason why the last card was declined; null: none was. */
  readonly declineReason: string | null
  /** The payer wants the card saved. */
  readonly saveCard: boolean
  /** The saved card that is charged without its owner taking part; null: a person pays on the gateway's page. */
  readonly cardId: string | null
  /**
   * The progress of the charge of a saved card: it may be sent, it may have been sent, or the bank wants the owner of the card to confirm it.
   * The value no longer changes after the payment has ended.
   */
  readonly charge: 'wanted' | 'sent' | 'confirm' | null
  /** Seconds since the charge was last sent. */
  readonly chargedForS: number | null
  readonly createdAt: Date
}

/** An attempt that has no page at the gateway yet. */
export type Attempt = Pick<
  PaymentOfOrder,
  'id' | 'reference' | 'orderId' | 'accountId' | 'email' | 'amountKobo' | 'saveCard'
>

const columns = sql`
  id, reference, order_id as "orderId", account_id as "accountId", email, amount_kobo as "amountKobo", status, counted_as as "countedAs",
  paid_kobo as "paidKobo", checkout_url as "checkoutUrl", refund_state as "refundState", refund_id as "refundId", tries,
  decline_reason as "declineReason", save_card as "saveCard", card_id as "cardId", charge,
  extract(epoch from app_now() - charged_at)::float8 as "chargedForS", created_at as "createdAt"`

export async function paymentsOf(db: Db, orderId: string): Promise<PaymentOfOrder[]> {
  const { rows } = await sql<PaymentOfOrder>`
    select ${columns} from payments where order_id = ${orderId} order by created_at, id`.execute(db)
  return rows
}

/** Marks the payment of an order to be refunded. */
export async function wantRefund(tx: Tx, orderId: string): Promise<void> {
  await sql`
    update payments set refund_state = 'wanted', refund_wanted_at = app_now(), tries = 0, step_at = app_now()
    where order_id = ${orderId} and counted_as = 'order' and refund_state is null`.execute(tx)
  tx.wakeAfterCommit('payments_due')
}

/** The process that stores an attempt holds it until its page is open, or until the gateway is queried about it. */
export async function insertPayment(tx: Tx, payment: Attempt, firstLookS: number): Promise<void> {
  await sql`
    insert into payments (id, reference, order_id, account_id, email, amount_kobo, status, save_card, step_at, held_until)
    values (${payment.id}, ${payment.reference}, ${payment.orderId}, ${payment.accountId}, ${payment.email}, ${payment.amountKobo}, 'open',
      ${payment.saveCard}, app_now() + make_interval(secs => ${firstLookS}), app_now() + make_interval(secs => ${firstLookS}))`.execute(
    tx,
  )
}

/** Stores a charge of a saved card, which a worker then sends. */
export async function insertCharge(
  tx: Tx,
  charge: Omit<Attempt, 'saveCard'> & { readonly cardId: string },
): Promise<void> {
  await sql`
    insert into payments (id, reference, order_id, account_id, email, amount_kobo, status, card_id, charge, step_at)
    values (${charge.id}, ${charge.reference}, ${charge.orderId}, ${charge.accountId}, ${charge.email}, ${charge.amountKobo}, 'open',
      ${charge.cardId}, 'wanted', app_now())`.execute(tx)
  tx.wakeAfterCommit('payments_due')
}

/** The gateway's page is open; null: it could not be opened, and another attempt may be made. */
export async function noteCheckoutUrl(tx: Tx, id: string, url: string | null): Promise<void> {
  await sql`update payments set checkout_url = ${url}, held_until = null where id = ${id}`.execute(tx)
}

export async function lockPayment(tx: Tx, id: string): Promise<PaymentOfOrder | undefined> {
  const { rows } =
    await sql<PaymentOfOrder>`select ${columns} from payments where id = ${id} for no key update`.execute(tx)
  return rows[0]
}

/**
 * An attempt of the last hour for the same amount, whose page can be shown again; without a `checkoutUrl`, the page is just being opened, or a
 * saved card is being charged.
 */
export async function openPayment(
  db: Db,
  wanted: { orderId: string; email: string; amountKobo: number; saveCard: boolean },
): Promise<PaymentOfOrder | undefined> {
  const { rows } = await sql<PaymentOfOrder>`
    select ${columns} from payments where order_id = ${wanted.orderId} and status = 'open' and (charge in ('wanted', 'sent')
      or (charge is null and email = ${wanted.email} and amount_kobo = ${wanted.amountKobo} and save_card = ${wanted.saveCard}
        and (checkout_url is not null or held_until > app_now()) and created_at > app_now() - interval '1 hour'))
    order by charge is null, checkout_url is null, created_at desc limit 1`.execute(db)
  return rows[0]
}

/** Changes of a payment. Missing members stay unchanged. */
export interface PaymentChange {
  readonly status?: PaymentOfOrder['status']
  readonly countedAs?: 'order' | 'surplus'
  readonly paidKobo?: number
  readonly refundState?: NonNullable<PaymentOfOrder['refundState']>
  readonly refundId?: string
  readonly tries?: number
  readonly declineReason?: string | null
  readonly charge?: NonNullable<PaymentOfOrder['charge']>
  /** The gateway was just queried about it, whether it responded or not. */
  readonly isAsked?: true
  /** The gateway just said that it is not paid. */
  readonly isLookedAt?: true
  /** Seconds until the gateway is queried next; null: never again. */
  readonly stepInS?: number | null
}

export async function updatePayment(tx: Tx, id: string, change: PaymentChange): Promise<void> {
  const sets = [
    change.status && sql`status = ${change.status}`,
    change.countedAs && sql`counted_as = ${change.countedAs}`,
    change.paidKobo !== undefined && sql`paid_kobo = ${change.paidKobo}`,
    change.refundState && sql`refund_state = ${change.refundState}`,
    change.refundState === 'wanted' && sql`refund_wanted_at = coalesce(refund_wanted_at, app_now())`,
    change.refundId && sql`refund_id = ${change.refundId}`,
    change.charge && sql`charge = ${change.charge}`,
    change.charge === 'sent' && sql`charged_at = app_now()`,
    change.isAsked && sql`asked_at = app_now()`,
    change.isLookedAt && sql`looked_at = app_now()`,
    change.declineReason !== undefined && sql`decline_reason = ${change.declineReason}`,
    change.tries !== undefined && sql`tries = ${change.tries}`,
    change.stepInS !== undefined &&
      sql`step_at = app_now() + ${change.stepInS}::float8 * interval '1 second', held_until = null`,
  ].filter((set) => typeof set === 'object')
  await sql`update payments set ${sql.join(sets)} where id = ${id}`.execute(tx)
}

/** Condition: a query to the gateway is due. */
export const isAnyPaymentDue = sql`(select min(step_at) from payments) <= app_now()`

/** Condition: no worker holds the payment. */
export const isUnclaimed = sql`(held_until is null or held_until <= app_now())`

/**
 * Condition: a payment may be queried before its time even while another process does so, except for a refund, which is looked up before it is
 * posted: two concurrent processes would not find each other's refunds.
 */
export const mayBeHurried = sql`(refund_state is distinct from 'wanted' or ${isUnclaimed})`

/** Claims payments about which the gateway must be queried, each for this time. */
export async function claimPayments(tx: Tx, max: number, leaseS: number): Promise<PaymentOfOrder[]> {
  const { rows } = await sql<PaymentOfOrder>`
    update payments set step_at = app_now() + make_interval(secs => ${leaseS}), held_until = app_now() + make_interval(secs => ${leaseS})
    where id = any(array(select id from payments where step_at <= app_now() order by step_at limit ${max} for update skip locked))
    returning ${columns}`.execute(tx)
  return rows
}

/** Seconds between two queries about a payment because someone looks at its order. */
const lookPauseS = 5

/** Queries the payments of an unpaid order now, because someone looks at it: a declined card then shows without delay. */
export async function hurryPaymentsOf(tx: Tx, orderId: string): Promise<void> {
  await sql`
    update payments set step_at = least(step_at, greatest(app_now(), asked_at + make_interval(secs => ${lookPauseS})))
    where order_id = ${orderId} and status in ('open', 'failed') and step_at is not null`.execute(tx)
  tx.wakeAfterCommit('payments_due')
}

/** Something happened to a payment, so everything open about it is queried now. */
export async function hurryPayment(tx: Tx, reference: string): Promise<void> {
  await sql`
    update payments set step_at = app_now()
    where reference = ${reference} and ${mayBeHurried} and (status = 'open' or status = 'failed' or refund_state in ('wanted', 'posted', 'needs_attention'))`.execute(
    tx,
  )
}
