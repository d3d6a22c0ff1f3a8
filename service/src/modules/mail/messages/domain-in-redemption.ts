import { compose, type Message } from './message.ts'
import { pages } from './pages.ts'

/** Says that a domain was not renewed in time, and how it can still be had back. */
export function domainInRedemption(about: { site: string; domain: string }): Message {
  const { site, domain } = about
  return compose({
    kind: 'domain_in_redemption',
    subject: `${domain} is about to be deleted`,
    blocks: [
      `Your domain ${domain} was not renewed in time, and its registry is about to delete it. Renewing it is not possible any more.`,
      'For some weeks the registry gives it back for a fee of its own. If you want it back, answer this mail soon: we tell you the fee, and restore the domain once it is paid.',
      { label: 'The domain', href: pages.domain(site, domain) },
    ],
  })
}
