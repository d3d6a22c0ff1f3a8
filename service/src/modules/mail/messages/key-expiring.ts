import { compose, type Message } from './message.ts'
import { pages } from './pages.ts'
import { timeText } from './times.ts'

/** Warns that an API key expires in this number of days. */
export function keyExpiring(about: {
  site: string
  key: { name: string; hint: string; expiresAt: Date }
  days: number
}): Message {
  const { name, hint, expiresAt } = about.key
  return compose({
    kind: 'key_expiring',
    subject: `API key “${name}” expires in ${about.days} ${about.days === 1 ? 'day' : 'days'}`,
    blocks: [
      {
        facts: [
          ['Name', name],
          ['Ends in', hint],
          ['Expires', timeText(expiresAt)],
        ],
      },
      'After that, every request with this key fails with 401. You cannot extend a key. Create a new key and replace this one in your programs.',
      { label: 'Your API keys', href: pages.apiKeys(about.site) },
    ],
  })
}
