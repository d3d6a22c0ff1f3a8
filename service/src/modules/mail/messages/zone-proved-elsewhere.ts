import { compose, type Message } from './message.ts'
import { pages } from './pages.ts'

/** Says that the first proof of a name was another account's. */
export function zoneProvedElsewhere(about: { site: string; zone: string }): Message {
  return compose({
    kind: 'zone_proved_elsewhere',
    subject: `${about.zone} was verified by another account`,
    blocks: [
      `You have added the zone ${about.zone}, and another account was the first to prove control of it. Yours stays as it is, unpublished.`,
      'If the domain is yours, its zone has a new challenge for you: what you may have put into the DNS before counts no more.',
      { label: 'Your zone', href: pages.zone(about.site, about.zone) },
    ],
  })
}
