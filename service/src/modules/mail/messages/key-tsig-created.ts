import { keyFacts, type ToldKey } from './key-facts.ts'
import { compose, type Message } from './message.ts'
import { pages } from './pages.ts'
import { timeText } from './times.ts'

/** Says that an API key has a new TSIG secret, and what programs can do with it. */
export function keyTsigCreated(about: { site: string; key: ToldKey; at: Date; from: string }): Message {
  return compose({
    kind: 'key_tsig_created',
    subject: `A TSIG secret of API key “${about.key.name}” was created`,
    blocks: [
      'Programs with this secret can send signed DNS updates, queries and zone transfers. They can do what the API key can do. An earlier TSIG secret of the key no longer works.',
      { facts: [...keyFacts(about.key), ['TSIG secret created', `${timeText(about.at)}, from ${about.from}`]] },
      'If this was not you, delete the TSIG secret or revoke the key, and choose a new password.',
      { label: 'Your API keys', href: pages.apiKeys(about.site) },
    ],
  })
}
