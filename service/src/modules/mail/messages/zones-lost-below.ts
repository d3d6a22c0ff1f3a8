import { listText } from './lists.ts'
import { compose, type Message } from './message.ts'
import { pages } from './pages.ts'

/** Says that zones were deleted because a name above them went to another account. */
export function zonesLostBelow(about: { site: string; above: string; zones: readonly string[] }): Message {
  const { site, above, zones } = about
  return compose({
    kind: 'zones_lost_below',
    subject:
      zones.length === 1
        ? `${zones[0]} is no longer your zone`
        : `${zones.length} zones under ${above} are no longer yours`,
    blocks: [
      `The zone ${above} now belongs to another account. Your zones under it were deleted, because you never proved control of them separately.`,
      { facts: [['Zones', listText(zones)]] },
      `If the domain is yours, add the zone ${above} and prove control of it, or contact support.`,
      { label: 'Your zones', href: pages.zones(site) },
    ],
  })
}
