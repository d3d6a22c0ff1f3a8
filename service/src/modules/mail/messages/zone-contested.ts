import { compose, type Message } from './message.ts'
import { pages } from './pages.ts'
import { timeText } from './times.ts'

/** Says that someone else has proved control of a zone's name, and how to keep the zone. */
export function zoneContested(about: {
  site: string
  zone: string
  endsAt: Date
  txtName: string
  txtValue: string
}): Message {
  return compose({
    kind: 'zone_contested',
    subject: `Another account claims ${about.zone}`,
    blocks: [
      `Another account has proved control of the domain of your zone ${about.zone}: the record that we gave it is in the domain's DNS. If the domain is still yours, prove control before the time below. Otherwise the zone moves to that account.`,
      {
        facts: [
          ['Until', timeText(about.endsAt)],
          ['Add a TXT record at', about.txtName],
          ['With the value', about.txtValue],
        ],
      },
      `Also check for TXT records at ${about.txtName} that you did not create, and for managers of the zone whom you no longer trust.`,
      { label: 'Your zone', href: pages.zone(about.site, about.zone) },
    ],
  })
}
