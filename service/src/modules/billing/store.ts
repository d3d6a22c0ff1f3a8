import { type Db, type Statement, sql, type Tx } from '#platform/postgres/index.ts'
import { type Book, type EntryKind, entryKinds, type PromoCode, type PromoStanding } from './rules.ts'

/** Money that moves from one book to another; the kind determines the books. */
export interface Entry {
  readonly kind: EntryKind
  readonly amountKobo: number
  readonly accountId: string
  readonly orderId?: string
  /** The surplus payment of the entry, if any. */
  readonly paymentId?: string
  readonly note?: string
}

/**
 * Writes an entry; an amount of zero writes nothing. The unique index refuses a second entry of the same kind for the order.
 *
 * An entry that changes no credit is written with the commit, because nothing in a transaction reads it.
 */
export async function insertEntry(tx: Tx, entry: Entry): Promise<void> {
  if (entry.amountKobo === 0) return
  const books: readonly Book[] = entryKinds[entry.kind]
  if (books.includes('credit')) await entriesStatement([entry]).execute(tx)
  else tx.writeRowAtCommit(entriesStatement, entry)
}

const entryRows = sql.recordset(
  'entry',
  'kind text, "from" text, "to" text, "amountKobo" bigint, "accountId" uuid, "orderId" text, "paymentId" text, note text',
)

function entriesStatement(entries: readonly Entry[]): Statement {
  const rows = entries.map((entry) => {
    const [from, to] = entryKinds[entry.kind]
    return { note: '', ...entry, from, to }
  })
  return sql`
    insert into ledger_entries (kind, from_book, to_book, amount_kobo, account_id, order_id, payment_id, note)
    select * from ${entryRows(rows)} returning id`
}

/** How much of a card's payment for an order was refunded to the card. */
export async function returnedToCard(db: Db, orderId: string): Promise<number> {
  const { rows } = await sql<{ amountKobo: number }>`
    select amount_kobo as "amountKobo" from ledger_entries where order_id = ${orderId} and kind = 'card_refunded'`.execute(
    db,
  )
  return rows[0]?.amountKobo ?? 0
}

/** Credit of an account: the sum of its entries, and the part that open orders have reserved. */
export interface Credit {
  readonly balanceKobo: number
  readonly reservedKobo: number
}

export async function readCredit(db: Db, accountId: string): Promise<Credit> {
  const { rows } = await sql<Credit>`
    select
      (select coalesce(sum(case to_book when 'credit' then amount_kobo else -amount_kobo end), 0)::bigint
        from ledger_entries where account_id = ${accountId} and (from_book = 'credit' or to_book = 'credit')) as "balanceKobo",
      (select coalesce(sum(amount_kobo), 0)::bigint from credit_holds where account_id = ${accountId}) as "reservedKobo"`.execute(
    db,
  )
  return rows[0] ?? { balanceKobo: 0, reservedKobo: 0 }
}

export async function insertHold(
  tx: Tx,
  hold: { orderId: string; accountId: string; amountKobo: number },
): Promise<void> {
  await sql`insert into credit_holds (order_id, account_id, amount_kobo) values (${hold.orderId}, ${hold.accountId}, ${hold.amountKobo})`.execute(
    tx,
  )
}

/** Removes an order's hold; undefined if it had none. */
export async function deleteHold(
  tx: Tx,
  orderId: string,
): Promise<{ accountId: string; amountKobo: number } | undefined> {
  const { rows } = await sql<{ accountId: string; amountKobo: number }>`
    delete from credit_holds where order_id = ${orderId} returning account_id as "accountId", amount_kobo as "amountKobo"`.execute(
    tx,
  )
  return rows[0]
}

/** An entry of the credit book, as its account reads it: incoming amounts are positive, outgoing ones negative. */
export interface CreditEntry {
  readonly id: number
  readonly at: Date
  readonly kind: string
  readonly amountKobo: number
  readonly balanceKobo: number
  readonly orderId: string | null
  readonly note: string
}

/** Up to `limit` + 1 entries of an account's credit, newest first. */
export async function pageOfCreditEntries(
  db: Db,
  accountId: string,
  page: { before: number | undefined; limit: number },
): Promise<CreditEntry[]> {
  const { rows } = await sql<CreditEntry>`
    select * from (
      select id, at, kind, signed as "amountKobo", sum(signed) over (order by id)::bigint as "balanceKobo", order_id as "orderId", note
      from ledger_entries cross join lateral (select case to_book when 'credit' then amount_kobo else -amount_kobo end as signed) s
      where account_id = ${accountId} and (from_book = 'credit' or to_book = 'credit')) entries
    where ${page.before ?? null}::bigint is null or id < ${page.before ?? null}
    order by id desc limit ${page.limit + 1}`.execute(db)
  return rows
}

const promoColumns = sql`
  code, percent, fixed_kobo as "fixedKobo", kinds, tlds, account_id as "accountId", max_uses as "maxUses", once_an_account as "onceAnAccount",
  case when disabled_at is not null then 'off' when starts_at > app_now() then 'early' when ends_at <= app_now() then 'over' else 'open' end as "window"`

export async function readPromo(db: Db, code: string): Promise<PromoCode | undefined> {
  const { rows } = await sql<PromoCode>`select ${promoColumns} from promo_codes where code = ${code}`.execute(db)
  return rows[0]
}

/** Locks the code, so that its uses can be counted by a later statement. */
export async function lockPromo(tx: Tx, code: string): Promise<void> {
  await sql`select 1 from promo_codes where code = ${code} for no key update`.execute(tx)
}

export async function promoStanding(db: Db, code: string, accountId: string): Promise<PromoStanding> {
  const { rows } = await sql<PromoStanding>`
    select count(*) filter (where state = 'reserved')::int as reserved,
      count(*) filter (where state = 'consumed')::int as consumed,
      count(*) filter (where state = 'reserved' and account_id = ${accountId})::int as "reservedByAccount",
      count(*) filter (where state = 'consumed' and account_id = ${accountId})::int as "consumedByAccount"
    from promo_uses where code = ${code} and state <> 'freed'`.execute(db)
  return rows[0] ?? { reserved: 0, consumed: 0, reservedByAccount: 0, consumedByAccount: 0 }
}

export async function upsertPromoUse(tx: Tx, use: { orderId: string; code: string; accountId: string }): Promise<void> {
  await sql`
    insert into promo_uses (order_id, code, account_id, state) values (${use.orderId}, ${use.code}, ${use.accountId}, 'reserved')
    on conflict (order_id) do update set state = 'reserved', reserved_at = app_now(), ended_at = null
      where promo_uses.state = 'freed'`.execute(tx)
}

/** Ends an order's reservation, once: false if it has none. */
export async function endPromoUse(tx: Tx, orderId: string, how: 'consumed' | 'freed'): Promise<boolean> {
  const { rows } = await sql`
    update promo_uses set state = ${how}, ended_at = app_now() where order_id = ${orderId} and state = 'reserved' returning 1`.execute(
    tx,
  )
  return rows.length > 0
}

export async function insertPromo(
  tx: Tx,
  promo: Omit<PromoCode, 'window'> & { startsAt: string | null; endsAt: string | null },
): Promise<boolean> {
  const { rows } = await sql`
    insert into promo_codes (code, percent, fixed_kobo, kinds, tlds, account_id, starts_at, ends_at, max_uses, once_an_account)
    values (${promo.code}, ${promo.percent}, ${promo.fixedKobo}, ${promo.kinds && [...promo.kinds]}, ${promo.tlds && [...promo.tlds]},
      ${promo.accountId}, coalesce(${promo.startsAt}::timestamptz, app_now()), ${promo.endsAt}::timestamptz, ${promo.maxUses}, ${promo.onceAnAccount})
    on conflict (code) do nothing returning 1`.execute(tx)
  return rows.length > 0
}

export async function disablePromo(tx: Tx, code: string): Promise<boolean> {
  const { rows } = await sql`
    update promo_codes set disabled_at = app_now() where code = ${code} and disabled_at is null returning 1`.execute(tx)
  return rows.length > 0
}

/** Ends the reservations and releases the holds of orders that were never paid. */
export async function freeUnpaid(tx: Tx, orderIds: readonly string[]): Promise<void> {
  await sql`
    with freed as (
      update promo_uses set state = 'freed', ended_at = app_now() where order_id = any(${[...orderIds]}) and state = 'reserved')
    delete from credit_holds where order_id = any(${[...orderIds]})`.execute(tx)
}
