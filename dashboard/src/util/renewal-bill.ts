import type { WireQuote } from '@zonewright/contract'

/** What one domain costs, and how it is paid. */
export interface Bill {
  readonly quote: WireQuote
  readonly creditKobo: number
  readonly dueKobo: number
}

/** The bills of several quotes, in their order, and their sums. Credit pays the first ones, as far as it goes. */
export function billOf(
  quotes: ReadonlyMap<string, WireQuote>,
  creditKobo: number,
): { readonly bills: readonly Bill[]; readonly totalKobo: number; readonly creditKobo: number } {
  let left = creditKobo
  const bills: Bill[] = []
  for (const quote of quotes.values()) {
    if (!quote.available) continue
    const price = quote.amount_kobo - quote.promo_kobo
    const byCredit = Math.min(left, price)
    left -= byCredit
    bills.push({ quote, creditKobo: byCredit, dueKobo: price - byCredit })
  }
  const totalKobo = bills.reduce((sum, { quote }) => sum + quote.amount_kobo - quote.promo_kobo, 0)
  return { bills, totalKobo, creditKobo: creditKobo - left }
}
