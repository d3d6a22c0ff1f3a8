import { compose, type Message } from './message.ts'
import { pages } from './pages.ts'
import { dayText } from './times.ts'

/** Says that auto-renew renews a domain, paid from credit. `card`: the rest was charged to this saved card. */
export function domainRenewing(about: {
  site: string
  domain: string
  expiresAt: Date
  orderId: string
  card?: { readonly name: string; readonly amount: string } | undefined
}): Message {
  const paidBy =
    about.card === undefined ? 'with your credit' : `and have charged ${about.card.amount} to ${about.card.name}`
  return compose({
    kind: 'domain_renewing',
    subject: `${about.domain} is being renewed`,
    blocks: [
      `Your domain ${about.domain} expires on ${dayText(about.expiresAt)}. Auto-renew is on, so we are renewing it for one year ${paidBy}. You do not need to do anything.`,
      { label: 'View the order', href: pages.order(about.site, about.orderId) },
    ],
  })
}
