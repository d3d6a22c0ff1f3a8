import { hostOf } from './endpoint-disabled.ts'
import { compose, type Message } from './message.ts'
import { pages } from './pages.ts'
import { timeText } from './times.ts'

/** Warns that nothing has been delivered to a webhook endpoint for a day (design: webhooks, "Lanes"). */
export function endpointFailing(about: { site: string; url: string; since: Date }): Message {
  return compose({
    kind: 'endpoint_failing',
    subject: `Webhook deliveries are failing: ${hostOf(about.url)}`,
    blocks: [
      'Every delivery to one of your webhook endpoints has failed for more than a day.',
      {
        facts: [
          ['URL', about.url],
          ['Failing since', timeText(about.since)],
        ],
      },
      'Each attempt shows why it failed. We keep trying. After 3 days without a successful delivery, the endpoint is disabled. If you do not want deliveries for now, pause or delete it.',
      { label: 'Your webhook endpoints', href: pages.webhooks(about.site) },
      { label: 'How to find out why', href: pages.docs(about.site, 'webhooks#find-missing-events') },
    ],
  })
}
