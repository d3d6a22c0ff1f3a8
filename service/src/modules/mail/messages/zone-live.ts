import { compose, type Message } from './message.ts'
import { pages } from './pages.ts'

/** Says that a domain now points here for the first time, so that the records of its zone take effect. */
export function zoneLive(about: { site: string; zone: string }): Message {
  return compose({
    kind: 'zone_live',
    subject: `${about.zone} is live`,
    blocks: [
      `The nameservers of ${about.zone} are now ours, so the records of your zone are in effect. Some visitors may get the previous records for up to two days, until their DNS resolvers forget them.`,
      'Keep the records at your previous DNS provider until then. You can check at any time whether your website and email are set up.',
      { label: 'Check the zone', href: pages.zoneHealth(about.site, about.zone) },
    ],
  })
}
