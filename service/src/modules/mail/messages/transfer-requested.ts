import { compose, type Message } from './message.ts'
import { pages } from './pages.ts'
import { timeText } from './times.ts'

/** Says that somebody transfers a domain to another registrar, and until when that can be refused. */
export function transferRequested(about: { site: string; domain: string; by: string; actBy: Date }): Message {
  return compose({
    kind: 'transfer_requested',
    subject: `Somebody wants to transfer ${about.domain} to another registrar`,
    blocks: [
      `The registrar ${about.by} has asked for the domain ${about.domain}, with its transfer code. If that was you, approve it, or wait. If it was not, reject it now.`,
      {
        facts: [
          ['Domain', about.domain],
          ['Asked for by', about.by],
          ['Let go by itself at', timeText(about.actBy)],
        ],
      },
      { label: 'Approve or reject the transfer', href: pages.domain(about.site, about.domain) },
    ],
  })
}
