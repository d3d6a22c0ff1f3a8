import { compose, type Message } from './message.ts'
import { pages } from './pages.ts'

/** Invites a person to manage a zone. It may reach someone without an account, so it names only the two addresses and the zone. */
export function zoneInvitation(about: { site: string; zone: string; inviter: string; email: string }): Message {
  return compose({
    kind: 'zone_invitation',
    subject: `Invitation to manage ${about.zone}`,
    blocks: [
      `${about.inviter} invites you to manage the zone ${about.zone}. As a manager you can change its records and see its history. You can leave at any time.`,
      { label: 'Accept or decline', href: pages.zoneInvitations(about.site, about.email) },
      `To accept, sign in or sign up with ${about.email}. If you do not know the sender, ignore this email.`,
    ],
  })
}
