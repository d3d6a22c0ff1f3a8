import { compose, type Message } from './message.ts'
import { pages } from './pages.ts'
import { timeText } from './times.ts'

/** Says that a program sent an API key over plain HTTP, and that the key should be replaced. */
export function keySentInClear(about: {
  site: string
  key: { id: string; name: string }
  at: Date
  from: string
}): Message {
  return compose({
    kind: 'key_sent_in_clear',
    subject: `API key “${about.key.name}” was sent without encryption`,
    blocks: [
      'A program sent this key over plain HTTP. We refused the request, but others on the network may have read the key.',
      {
        facts: [
          ['Key', `${about.key.name} (${about.key.id})`],
          ['Sent', `${timeText(about.at)}, from ${about.from}`],
        ],
      },
      'Create a new key, revoke this one, and change the address in the program to https://.',
      { label: 'Your API keys', href: pages.apiKeys(about.site) },
    ],
  })
}
