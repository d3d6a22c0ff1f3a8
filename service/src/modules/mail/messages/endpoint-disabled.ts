import { compose, type Message } from './message.ts'
import { pages } from './pages.ts'

/** Says that a webhook endpoint was turned off (specification, "Webhook endpoint"). */
export function endpointDisabled(about: { site: string; url: string; reason: string }): Message {
  return compose({
    kind: 'endpoint_disabled',
    subject: `Webhook endpoint turned off: ${hostOf(about.url)}`,
    blocks: [
      'A webhook endpoint of yours was turned off.',
      {
        facts: [
          ['URL', about.url],
          ['Why', about.reason],
        ],
      },
      'What happens meanwhile is kept for 30 days. When the receiver works again, turn the endpoint on, and have what it missed sent to it.',
      { label: 'Your webhook endpoints', href: pages.webhooks(about.site) },
    ],
  })
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url
}
