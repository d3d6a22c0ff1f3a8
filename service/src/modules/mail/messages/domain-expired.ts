import { compose, type Message } from './message.ts'
import { pages } from './pages.ts'
import { dayText } from './times.ts'

/** Says that a domain has expired, and can still be renewed as before. */
export function domainExpired(about: { site: string; domain: string; expiresAt: Date }): Message {
  const { site, domain, expiresAt } = about
  return compose({
    kind: 'domain_expired',
    subject: `${domain} has expired`,
    blocks: [
      `Your domain ${domain} expired on ${dayText(expiresAt)} and was not renewed. The registry removes it from the DNS, so its websites and email stop working.`,
      'For a few weeks you can still renew it for the usual price. After that, it can only be restored for a fee, and then anyone can register it.',
      { label: 'Renew the domain', href: pages.renewal(site, domain) },
    ],
  })
}
