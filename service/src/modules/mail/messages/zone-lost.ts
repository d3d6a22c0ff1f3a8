import { compose, type Message } from './message.ts'
import { pages } from './pages.ts'

/** Says that a zone has gone to the account that proved control of its name. */
export function zoneLost(about: { site: string; zone: string }): Message {
  return compose({
    kind: 'zone_lost',
    subject: `${about.zone} is no longer your zone`,
    blocks: [
      `Another account has proved that it controls the domain ${about.zone}, and you have not shown that you do. The name is now that account's zone; your own is deleted.`,
      'If the domain is yours, add the zone again and prove control of it, or write to support.',
      { label: 'Your zones', href: pages.zones(about.site) },
    ],
  })
}
