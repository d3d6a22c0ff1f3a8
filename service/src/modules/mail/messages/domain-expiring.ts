import { compose, type Message } from './message.ts'
import { pages } from './pages.ts'
import { dayText } from './times.ts'

/** Says that a domain expires; with `obstacle`: it was to be renewed by itself, and why it was not. */
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
        ? `Your domain ${domain} expires on ${dayText(expiresAt)}. From then on it does not work, and some weeks later somebody else can have it.`
        : `Your domain ${domain} expires on ${dayText(expiresAt)}. Auto-renew is on, but the renewal could not be ordered: ${obstacle}`,
      'Renew it now, or turn auto-renew on: then it is paid by your credit.',
      { label: 'Renew the domain', href: pages.domain(site, domain) },
    ],
  })
}
