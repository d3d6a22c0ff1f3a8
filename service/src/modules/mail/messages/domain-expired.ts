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
      `Your domain ${domain} expired on ${dayText(expiresAt)} and was not renewed. Its registry takes it out of the DNS: web pages and mail under it stop working.`,
      'For some weeks it can still be renewed for its usual price. After that it is given back for a fee alone, and then somebody else can have it.',
      { label: 'Renew the domain', href: pages.domain(site, domain) },
    ],
  })
}
