import { compose, type Message } from './message.ts'
import { pages } from './pages.ts'

/** Says that a domain is no longer with us. */
export function domainGone(about: { site: string; domain: string; why: 'transferred' | 'deleted' }): Message {
  return compose({
    kind: 'domain_gone',
    subject: `${about.domain} is no longer registered with us`,
    blocks: [
      reasons[about.why](about.domain),
      'Its zone is still here with all its records. If you did not expect this, contact support now.',
      { label: 'Your zones', href: pages.zones(about.site) },
    ],
  })
}

const reasons = {
  transferred: (domain: string) => `The domain ${domain} was transferred to another registrar.`,
  deleted: (domain: string) =>
    `The registry has deleted the domain ${domain}, because it was not renewed. Anyone can now register it.`,
} as const
