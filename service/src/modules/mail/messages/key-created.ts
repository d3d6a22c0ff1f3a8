import { keyFacts, type ToldKey } from './key-facts.ts'
import { compose, type Message } from './message.ts'
import { pages } from './pages.ts'
import { timeText } from './times.ts'

/** Says that there is a new API key, and what it may do. */
export function keyCreated(about: { site: string; key: ToldKey; at: Date; from: string }): Message {
  return compose({
    kind: 'key_created',
    subject: `API key “${about.key.name}” was created`,
    blocks: [
      'Programs with this key can act on your behalf.',
      { facts: [...keyFacts(about.key), ['Created', `${timeText(about.at)}, from ${about.from}`]] },
      'If this was not you, revoke the key now and choose a new password.',
      { label: 'Your API keys', href: pages.apiKeys(about.site) },
      { label: 'About API keys', href: pages.docs(about.site, 'keys') },
    ],
  })
}
