import { escapeHtml } from '../web/escape-html.ts'
import { cards } from './cards.ts'
import type { Transaction } from './gateway-books.ts'

const style = 'font-family: system-ui, sans-serif; max-width: 32rem; margin: 3rem auto; line-height: 1.5'

/** The page on which a person pays. */
export function checkoutPage(transaction: Transaction): string {
  const title = `Pay ₦${(transaction.amount / 100).toFixed(2)}`
  const buttons = cards
    .map(({ number, title }) => `<p><button name="card" value="${number}">${number}</button> ${escapeHtml(title)}</p>`)
    .join('\n')
  return page(
    title,
    transaction.status === 'ongoing' || transaction.status === 'failed'
      ? `<p>${escapeHtml(transaction.email)}, reference ${escapeHtml(transaction.reference)}. Choose a card:</p>
<form method="post">${buttons}</form>`
      : `<p>This payment is over: ${transaction.status}.</p>`,
  )
}

/** The page for a payer without a page to return to, or whose card was declined. */
export function messagePage(message: string): string {
  return page(message, '')
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>
<body style="${style}"><h1>${escapeHtml(title)}</h1>
${body}
<p>Sandbox gateway: no money moves.</p></body></html>
`
}
