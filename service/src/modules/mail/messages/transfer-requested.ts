import { compose, type Message } from './message.ts'
import { pages } from './pages.ts'
import { timeText } from './times.ts'

/** Says that someone is transferring a domain to another registrar, and until when the owner can reject the transfer. */
export function transferRequested(about: { site: string; domain: string; by: string; actBy: Date }): Message {
  return compose({
    kind: 'transfer_requested',
    subject: `Transfer of ${about.domain} to another registrar requested`,
    blocks: [
      `The registrar ${about.by} has requested a transfer of the domain ${about.domain}, with its transfer code. If this was you, approve the transfer or wait. If not, reject it now.`,
      {
        facts: [
          ['Domain', about.domain],
          ['Requested by', about.by],
          ['Transfers automatically at', timeText(about.actBy)],
        ],
      },
      { label: 'Approve or reject the transfer', href: pages.domain(about.site, about.domain) },
    ],
  })
}
