import type { NotificationTopic } from '@zonewright/contract'

/** A topic of emails, in words. `always`: emails that the account's own address always gets; `optional`: those that it can turn off. */
export interface TopicWords {
  readonly topic: NotificationTopic
  readonly name: string
  readonly always: string
  readonly optional?: string
}

/** All topics, in the order of the page. */
export const topicWords: readonly TopicWords[] = [
  {
    topic: 'zones',
    name: 'Zones',
    always: 'Someone else claims a zone, or a zone is lost.',
    optional: 'A domain points to our nameservers, or an ALIAS target fails.',
  },
  {
    topic: 'domains',
    name: 'Domains',
    always: 'A domain expires, is lost, or is to be transferred away, or a renewal has to be paid.',
    optional: 'A domain will be renewed automatically.',
  },
  {
    topic: 'webhooks',
    name: 'Webhooks',
    always: 'An endpoint is disabled.',
    optional: 'An endpoint has failed for a day.',
  },
  {
    topic: 'keys',
    name: 'API keys',
    always: 'A key is created or restricted, or was sent without encryption.',
    optional: 'A key expires soon, or is unused.',
  },
  {
    topic: 'security',
    name: 'Security',
    always: 'A new device signs in, passwords or codes fail, or the password or two-factor authentication changes.',
  },
]

/** Topics as one text: `Zones, API keys`. */
export function topicNames(topics: readonly NotificationTopic[]): string {
  return topicWords.flatMap(({ topic, name }) => (topics.includes(topic) ? [name] : [])).join(', ')
}
