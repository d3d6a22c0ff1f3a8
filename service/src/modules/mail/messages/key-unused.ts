import { compose, type Message } from './message.ts'
import { pages } from './pages.ts'
import { dayText } from './times.ts'

/** Asks whether an API key is still needed. `lastUsedAt` is null if it was never used. */
export function keyUnused(about: {
  site: string
  key: { name: string; hint: string; createdAt: Date; lastUsedAt: Date | null }
  days: number
}): Message {
  const { name, hint, createdAt, lastUsedAt } = about.key
  return compose({
    kind: 'key_unused',
    subject: `API key “${name}” has not been used for ${about.days} days`,
    blocks: [
      {
        facts: [
          ['Name', name],
          ['Ends in', hint],
          ['Created', dayText(createdAt)],
          ['Last used', lastUsedAt === null ? 'never' : dayText(lastUsedAt)],
        ],
      },
      'If you no longer need it, revoke it, so that it cannot be misused. Otherwise you do not need to do anything.',
      { label: 'Your API keys', href: pages.apiKeys(about.site) },
    ],
  })
}
