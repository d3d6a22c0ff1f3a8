import { compose, type Message } from './message.ts'
import { pages } from './pages.ts'
import { dayText } from './times.ts'

/** Says that a domain expires. `obstacle`: auto-renew is on, and this is why it did not renew the domain. */
export function domainExpiring(about: {
  site: string
  domain: string
  expiresAt: Date
  obstacle?: string | undefined
}): Message {
  const { site, domain, expiresAt, obstacle } = about
  return compose({
    kind: 'domain_expiring',
    subject: `${domain} expires on ${dayText(expiresAt)}`,
    blocks: [
      obstacle === undefined
        ? `Your domain ${domain} expires on ${dayText(expiresAt)}. It then stops working, and a few weeks later anyone can register it.`
        : `Your domain ${domain} expires on ${dayText(expiresAt)}. Auto-renew is on, but we could not order the renewal: ${obstacle}`,
      obstacle === undefined ? 'Renew it now, or turn on auto-renew to pay with your credit.' : 'Renew it now.',
      { label: 'Renew the domain', href: pages.renewal(site, domain) },
    ],
  })
}
