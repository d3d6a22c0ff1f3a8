import { billingRoutes, displayText, type OrderKind } from '@zonewright/contract'
import type { HttpServer } from '#http/server.ts'
import type { Kobo } from './kobo.ts'
import { tryPromo } from './promo.ts'
import { pageOfCreditEntries, readCredit } from './store.ts'

/** What the billing routes need from other modules. */
export interface BillingRoutesContext {
  /** The list price of an order, and the TLD of its name. Throws a refusal for names that are not sold. */
  readonly priceOf: (kind: OrderKind, name: string, years: number) => { readonly tld: string; readonly price: Kobo }
}

export function mountBillingRoutes(server: HttpServer, { priceOf }: BillingRoutesContext): void {
  const { db } = server.database

  server.mount(billingRoutes.getCredit, async ({ caller }) => {
    const { balanceKobo, reservedKobo } = await readCredit(db, caller.accountId)
    return {
      status: 200,
      body: {
        currency: 'NGN',
        balance_kobo: balanceKobo,
        reserved_kobo: reservedKobo,
        available_kobo: balanceKobo - reservedKobo,
      },
    }
  })

  server.mount(billingRoutes.listCreditEntries, async ({ caller, query, list }) => {
    const [before] = list.after('number') ?? []
    const found = await pageOfCreditEntries(db, caller.accountId, {
      before: before === undefined ? undefined : Number(before),
      limit: query.limit,
    })
    const { rows, nextCursor } = list.page(found, ({ id }) => [String(id)])
    const data = rows.map((entry) => ({
      at: entry.at.toISOString(),
      kind: entry.kind,
      amount_kobo: entry.amountKobo,
      balance_kobo: entry.balanceKobo,
      order_id: entry.orderId,
      note: displayText(entry.note),
    }))
    return { status: 200, body: { data, next_cursor: nextCursor } }
  })

  server.mount(billingRoutes.checkPromoCode, async ({ caller, body, transact }) => {
    const { tld, price } = priceOf(body.kind, body.name, body.years)
    const wish = { accountId: caller.accountId, kind: body.kind, tld }
    return transact(async (tx) => {
      const { promo, obstacle, promoKobo } = await tryPromo(tx, body.code, wish, price)
      return {
        status: 200,
        body: {
          code: body.code.trim().toUpperCase(),
          valid: obstacle === undefined,
          reason: obstacle?.code ?? null,
          message: obstacle?.message ?? null,
          percent: obstacle ? null : (promo?.percent ?? null),
          fixed_kobo: obstacle ? null : (promo?.fixedKobo ?? null),
          amount_kobo: price,
          promo_kobo: promoKobo,
        },
      }
    })
  })
}
