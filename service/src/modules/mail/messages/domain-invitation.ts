import { compose, type Message } from './message.ts'
import { pages } from './pages.ts'

/** Invites a person to manage a domain. It may reach someone without an account, so it names only the two addresses and the domain. */
export function domainInvitation(about: { site: string; domain: string; inviter: string; email: string }): Message {
  return compose({
    kind: 'domain_invitation',
    subject: `Invitation to manage the domain ${about.domain}`,
    blocks: [
      `${about.inviter} invites you to manage the domain ${about.domain}. As a manager you can change its nameservers, lock it and turn on auto-renew. You can leave at any time.`,
      { label: 'Accept or decline', href: pages.domainInvitations(about.site, about.email) },
      `To accept, sign in or sign up with ${about.email}. If you do not know the sender, ignore this email.`,
    ],
  })
}
