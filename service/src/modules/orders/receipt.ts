import { domainToUnicode } from 'node:url'
import { displayText } from '@zonewright/contract'
import { nairaText } from '#modules/billing/index.ts'
import type { Order } from './order.ts'

const verbs = { register: 'Registration', renew: 'Renewal', transfer: 'Transfer' } as const

/** Statuses in which the payment was refunded or is being refunded. */
const returned = ['failed', 'refunded', 'credited']

/**
 * The receipt of an order as a page to print, with a credit note if the order failed. `returnedKobo`: the amount that was refunded to the card.
 */
export function receiptPage(
  order: Order,
  to: { readonly name: string; readonly email: string },
  returnedKobo: number,
): string {
  const isReturned = returned.includes(order.status)
  const years = order.kind === 'transfer' ? '' : `, ${order.years} year${order.years === 1 ? '' : 's'}`
  const lines: [string, number][] = [
    [`${verbs[order.kind]} of ${domainToUnicode(order.name)}${years}`, order.amountKobo],
    ...line(`Promo code ${order.promoCode}`, -order.promoKobo),
    ...line('Paid by credit', -order.creditKobo),
    ...line('Paid by card', -order.cardKobo),
  ]
  const note = isReturned ? creditNote(order, returnedKobo) : ''
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Receipt ${escaped(order.id)}</title>
<style>
  body { font-family: system-ui, sans-serif; max-width: 42rem; margin: 3rem auto; padding: 0 1rem; line-height: 1.5; }
  table { border-collapse: collapse; width: 100%; } td { padding: .4rem 0; border-bottom: 1px solid #ccc; }
  td + td { text-align: right; white-space: nowrap; } h2 { margin-top: 3rem; }
  @media print { body { margin: 0; } }
</style></head>
<body>
<h1>Receipt</h1>
<p>Zonewright<br>Receipt ${escaped(order.id)}<br>${day(order.paidAt)}</p>
<p>To ${escaped(displayText(to.name === '' ? to.email : `${to.name}, ${to.email}`))}</p>
${table(lines)}
<p>Prices include all taxes.</p>
${note}</body></html>
`
}

function creditNote(order: Order, returnedKobo: number): string {
  const lines: [string, number][] = [
    ...line('Returned as credit', order.creditKobo),
    ...line('Returned to the card', returnedKobo),
    ...line(restLine(order), order.cardKobo - returnedKobo),
  ]
  return `<h2>Credit note</h2>
<p>${escaped(order.id)}, ${day(order.finishedAt)}<br>${escaped(order.lastError)}</p>
${table(lines)}
`
}

function restLine({ status }: Order): string {
  return status === 'credited'
    ? 'Returned as credit, because the card refused the refund'
    : 'Being refunded to the card'
}

function line(title: string, amountKobo: number): [string, number][] {
  return amountKobo === 0 ? [] : [[title, amountKobo]]
}

function table(lines: readonly (readonly [string, number])[]): string {
  const rows = lines.map(([title, amount]) => {
    const sign = amount < 0 ? '−' : ''
    return `<tr><td>${escaped(title)}</td><td>${sign}${nairaText(Math.abs(amount))}</td></tr>`
  })
  return `<table>${rows.join('\n')}</table>`
}

/** Formats a date like the dashboard, but in UTC, so that a receipt is the same wherever it is read. */
const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })

function day(at: Date | null): string {
  return at === null ? '' : dates.format(at)
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
