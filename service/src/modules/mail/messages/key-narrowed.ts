import { keyFacts, type ToldKey } from './key-facts.ts'
import { compose, type Message } from './message.ts'
import { pages } from './pages.ts'
import { timeText } from './times.ts'

/** Says that an API key was restricted, and what it may still do. */
export function keyNarrowed(about: { site: string; key: ToldKey; at: Date; from: string }): Message {
  return compose({
    kind: 'key_narrowed',
    subject: `API key “${about.key.name}” was restricted`,
    blocks: [
      'Programs with this key can now do only what is listed here. Other requests with the key fail with 403.',
      { facts: [...keyFacts(about.key), ['Restricted', `${timeText(about.at)}, from ${about.from}`]] },
      'If this was not you, choose a new password.',
      { label: 'Your API keys', href: pages.apiKeys(about.site) },
    ],
  })
}
