import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WireQuote } from '@zonewright/contract'
import { billOf } from './renewal-bill.ts'

const quote = (name: string, amountKobo: number, available = true): [string, WireQuote] => [
  name,
  {
    ...{ id: `quo_${name}`, kind: 'renew', name, years: 1, available, premium: false },
    ...{ amount_kobo: amountKobo, promo_kobo: 0, promo_code: '', renewal_kobo: amountKobo },
    requirements: { contact: false, auth_code: false, contact_fields: [] },
    expires_at: '2027-01-01T00:00:00.000Z',
  },
]

test('credit pays the first bills as far as it goes, and the totals are the sums of the bills', () => {
  const quotes = new Map([quote('a.test', 500), quote('b.test', 700), quote('c.test', 100), quote('d.test', 9, false)])
  for (const [credit, byCredit, due, used] of [
    [0, [0, 0, 0], [500, 700, 100], 0],
    [600, [500, 100, 0], [0, 600, 100], 600],
    [9_000, [500, 700, 100], [0, 0, 0], 1_300],
  ] as const) {
    const { bills, totalKobo, creditKobo } = billOf(quotes, credit)
    assert.deepEqual(
      [bills.map((bill) => bill.creditKobo), bills.map((bill) => bill.dueKobo), totalKobo, creditKobo],
      [byCredit, due, 1_300, used],
      String(credit),
    )
  }
})
