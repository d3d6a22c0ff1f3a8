import type { WireQuote } from '@zonewright/contract'
import { type Db, sql, type Tx } from '#platform/postgres/index.ts'
import type { Money } from '#ports/registry.ts'

/** A quote: a price that is valid for a limited time. */
export interface Quote {
  readonly id: string
  readonly accountId: string
  readonly kind: WireQuote['kind']
  readonly name: string
  readonly tld: string
  readonly years: number
  readonly available: boolean
  readonly premium: boolean
  readonly amountKobo: number
  readonly promoCode: string
  readonly promoKobo: number
  readonly renewalKobo: number
  readonly fee: Money | null
  readonly oldExpiry: Date | null
  readonly requirements: WireQuote['requirements']
  readonly expiresAt: Date
  readonly isExpired: boolean
}

const columns = sql`
  id, account_id as "accountId", kind, name, tld, years, available, premium, amount_kobo as "amountKobo", promo_code as "promoCode",
  promo_kobo as "promoKobo", renewal_kobo as "renewalKobo", fee, old_expiry as "oldExpiry", requirements, expires_at as "expiresAt",
  expires_at <= app_now() as "isExpired"`

export async function insertQuote(
  tx: Tx,
  quote: Omit<Quote, 'expiresAt' | 'isExpired'>,
  minutes: number,
): Promise<Quote> {
  const { rows } = await sql<Quote>`
    insert into quotes (id, account_id, kind, name, tld, years, available, premium, amount_kobo, promo_code, promo_kobo, renewal_kobo, fee,
      old_expiry, requirements, expires_at)
    values (${quote.id}, ${quote.accountId}, ${quote.kind}, ${quote.name}, ${quote.tld}, ${quote.years}, ${quote.available}, ${quote.premium},
      ${quote.amountKobo}, ${quote.promoCode}, ${quote.promoKobo}, ${quote.renewalKobo}, ${quote.fee && JSON.stringify(quote.fee)}::jsonb,
      ${quote.oldExpiry}, ${JSON.stringify(quote.requirements)}::jsonb, app_now() + make_interval(mins => ${minutes}))
    returning ${columns}`.execute(tx)
  return rows[0] as Quote
}

export async function readQuote(db: Db, accountId: string, id: string): Promise<Quote | undefined> {
  const { rows } =
    await sql<Quote>`select ${columns} from quotes where id = ${id} and account_id = ${accountId}`.execute(db)
  return rows[0]
}

/** The number of rows that one statement deletes. */
const page = 10_000

/** A recurring job: deletes quotes a day after they expired. Until then, an order with such a quote is refused as expired. */
export async function dropOldQuotes(db: Db): Promise<void> {
  for (let gone = page; gone === page; ) {
    const { rows } = await sql`
      delete from quotes where id = any(array(
        select id from quotes where created_at < app_now() - interval '1 day' order by created_at limit ${page})) returning 1`.execute(
      db,
    )
    gone = rows.length
  }
}
