import { compose, type Message } from './message.ts'
import { pages } from './pages.ts'
import { timeText } from './times.ts'

/** Warns that an API key expires in this number of days. */
export function keyExpiring(about: {
  site: string
  /** `secondaryZones`: the zones whose secondaries use the key. */
  key: { name: string; hint: string; expiresAt: Date; secondaryZones?: readonly string[] }
  days: number
}): Message {
  const { name, hint, expiresAt, secondaryZones = [] } = about.key
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
      ...(secondaryZones.length === 0 ? [] : [cutOff(secondaryZones)]),
      { label: 'Your API keys', href: pages.apiKeys(about.site) },
    ],
  })
}

/** Maximum number of zones that the email names. */
const mostNamed = 10

function cutOff(zones: readonly string[]): string {
  const more = zones.length - mostNamed
  const named = zones.slice(0, mostNamed).join(', ')
  return `Secondaries of these zones use the key: ${named}${more > 0 ? ` and ${more} more` : ''}. When the key expires, these secondaries can no longer transfer the zones, and we do not notify them. Before that, save the list of secondaries with a new key.`
}
