import { compose, type Message } from './message.ts'
import { pages } from './pages.ts'

/** Says that a name for which the account waits is live in another account. */
export function zoneProvedElsewhere(about: { site: string; zone: string }): Message {
  return compose({
    kind: 'zone_proved_elsewhere',
    subject: `${about.zone} is live in another account`,
    blocks: [
      `The zone ${about.zone}, which you added, is now live in another account. Your zone stays unpublished.`,
      'If the domain is yours, use the new challenge that your zone shows. The previous one is no longer valid.',
      { label: 'Your zone', href: pages.zone(about.site, about.zone) },
    ],
  })
}
