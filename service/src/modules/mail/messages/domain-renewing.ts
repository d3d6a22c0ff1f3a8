import { compose, type Message } from './message.ts'
import { pages } from './pages.ts'
import { dayText } from './times.ts'

/** Says that auto-renew renews a domain, paid from credit. */
export function domainRenewing(about: { site: string; domain: string; expiresAt: Date; orderId: string }): Message {
  return compose({
    kind: 'domain_renewing',
    subject: `${about.domain} is being renewed`,
    blocks: [
      `Your domain ${about.domain} expires on ${dayText(about.expiresAt)}. Auto-renew is on, so we are renewing it for one year with your credit. You do not need to do anything.`,
      { label: 'View the order', href: pages.order(about.site, about.orderId) },
    ],
  })
}
