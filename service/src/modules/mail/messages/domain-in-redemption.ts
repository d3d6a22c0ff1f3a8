import { compose, type Message } from './message.ts'
import { pages } from './pages.ts'

/** Says that a domain was not renewed in time, and how it can still be restored. */
export function domainInRedemption(about: { site: string; domain: string }): Message {
  const { site, domain } = about
  return compose({
    kind: 'domain_in_redemption',
    subject: `${domain} is about to be deleted`,
    blocks: [
      `Your domain ${domain} was not renewed in time, and the registry is about to delete it. It can no longer be renewed.`,
      'For a few weeks the registry can restore it for an extra fee. If you want it back, reply to this email soon. We will send you the fee and restore the domain when you have paid it.',
      { label: 'View the domain', href: pages.domain(site, domain) },
    ],
  })
}
