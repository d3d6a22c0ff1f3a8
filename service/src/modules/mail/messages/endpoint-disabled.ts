import { compose, type Message } from './message.ts'
import { pages } from './pages.ts'

/** Says that a webhook endpoint was disabled (specification, "Webhook endpoint"). */
export function endpointDisabled(about: { site: string; url: string; reason: string }): Message {
  return compose({
    kind: 'endpoint_disabled',
    subject: `Webhook endpoint disabled: ${hostOf(about.url)}`,
    blocks: [
      'One of your webhook endpoints was disabled.',
      {
        facts: [
          ['URL', about.url],
          ['Reason', about.reason],
        ],
      },
      'We keep events for 30 days. When your receiver works again, turn the endpoint on and resend the events that it missed.',
      { label: 'Your webhook endpoints', href: pages.webhooks(about.site) },
      { label: 'How to get the missed events', href: pages.docs(about.site, 'webhooks#find-missing-events') },
    ],
  })
}

/** The host of a URL, with its port. */
export function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url
}
