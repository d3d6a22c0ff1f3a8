import { compose, type Message } from './message.ts'
import { timeText } from './times.ts'

/** Says that the account's deletion has begun, until when it can be undone, and how. */
export function accountDeletion(about: { address: string; erasedAt: Date }): Message {
  const until = timeText(about.erasedAt)
  return compose({
    kind: 'account_deletion',
    subject: 'Your account is being deleted',
    blocks: [
      `The account of ${about.address} was closed. Its API keys do not work any more, and nobody can sign in to it.`,
      `Its zones are answered until ${until}. Then they are deleted with everything else, and nobody can bring them back. A domain that was registered here stays registered until it expires, and is not renewed.`,
      'To keep the account, answer this mail before then.',
    ],
  })
}
