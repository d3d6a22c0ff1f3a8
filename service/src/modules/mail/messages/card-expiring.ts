import { compose, type Message } from './message.ts'
import { pages } from './pages.ts'

/** Says that a saved card expires, and which domains are renewed with it. `others`: the number of domains beyond those that are named. */
export function cardExpiring(about: {
  site: string
  card: string
  month: number
  year: number
  domains: readonly string[]
  others: number
}): Message {
  const { site, card, month, year, domains, others } = about
  const expiry = `${String(month).padStart(2, '0')}/${year}`
  return compose({
    kind: 'card_expiring',
    subject: `Your saved card expires in ${expiry}`,
    blocks: [
      `Your saved card, ${card}, expires at the end of ${expiry}. After that, auto-renew cannot charge it.`,
      {
        facts: [['Auto-renews with it', `${domains.join(', ')}${others > 0 ? ` and ${others} more` : ''}`]],
      },
      'To use another card, save it when you next pay for an order, and choose it on the page of each domain. If you do nothing, we email you a payment link when a domain has to be renewed.',
      { label: 'Your saved cards', href: pages.credit(site) },
    ],
  })
}
