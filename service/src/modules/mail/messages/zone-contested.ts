import { compose, type Message } from './message.ts'
import { pages } from './pages.ts'
import { timeText } from './times.ts'

/** Says that somebody else proves control of a zone's name, and what keeps the zone. */
export function zoneContested(about: {
  site: string
  zone: string
  endsAt: Date
  txtName: string
  txtValue: string
}): Message {
  return compose({
    kind: 'zone_contested',
    subject: `Somebody else proves control of ${about.zone}`,
    blocks: [
      `Another account has shown that it controls the domain of your zone ${about.zone}: a record that we gave it stands in the domain's DNS. If the domain is still yours, prove it before the time below, or the zone moves to that account.`,
      {
        facts: [
          ['Until', timeText(about.endsAt)],
          ['Add a TXT record at', about.txtName],
          ['With the value', about.txtValue],
        ],
      },
      `Look, too, for TXT records at ${about.txtName} that you did not make, and for managers of the zone whom you no longer trust.`,
      { label: 'Your zone', href: pages.zone(about.site, about.zone) },
    ],
  })
}
