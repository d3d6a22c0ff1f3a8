import { compose, type Message } from './message.ts'
import { pages } from './pages.ts'

/** Invites a person to manage somebody's zone. It may reach a stranger: only the address of who invites and the zone are told. */
export function zoneInvitation(about: { site: string; zone: string; inviter: string }): Message {
  return compose({
    kind: 'zone_invitation',
    subject: `Invitation to manage ${about.zone}`,
    blocks: [
      `${about.inviter} invites you to manage the zone ${about.zone}. As its manager you can change its records and see its history; you can leave at any time.`,
      { label: 'Accept or decline', href: pages.zones(about.site) },
      'You need an account with this very address. If you do not know who invites you, you need not do anything.',
    ],
  })
}
