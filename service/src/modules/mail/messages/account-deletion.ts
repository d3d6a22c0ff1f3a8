import { compose, type Message } from './message.ts'
import { timeText } from './times.ts'

/** Says that the deletion of the account has started, how long it can be undone, and how. */
export function accountDeletion(about: { address: string; erasedAt: Date }): Message {
  const until = timeText(about.erasedAt)
  return compose({
    kind: 'account_deletion',
    subject: 'Your account is being deleted',
    blocks: [
      `The account of ${about.address} is closed. No one can sign in to it, and its API keys no longer work.`,
      `Its zones stay live until ${until}. Then the zones and all other data are deleted permanently. Domains that you registered here stay registered until they expire, but are not renewed.`,
      'To keep the account, reply to this email before then.',
    ],
  })
}
