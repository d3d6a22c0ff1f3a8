import { compose, type Message } from './message.ts'
import { pages } from './pages.ts'

/** Says that a name that the account waits for is live in another account. */
export function zoneProvedElsewhere(about: { site: string; zone: string }): Message {
  return compose({
    kind: 'zone_proved_elsewhere',
    subject: `${about.zone} is live in another account`,
    blocks: [
      `You have added the zone ${about.zone}, and it is live in another account now. Yours stays as it is, unpublished.`,
      'If the domain is yours, its zone has a new challenge for you: what you may have put into the DNS before counts no more.',
      { label: 'Your zone', href: pages.zone(about.site, about.zone) },
    ],
  })
}
