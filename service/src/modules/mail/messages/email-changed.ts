import { compose, type Message } from './message.ts'
import { timeText } from './times.ts'

/** Tells the address that an account had, that it has another one. */
export function emailChanged(about: { before: string; after: string; at: Date; from: string }): Message {
  return compose({
    kind: 'email_changed',
    subject: 'Your email address was changed',
    blocks: [
      `Your account has the address ${about.after} now, instead of ${about.before}: sign in with the new one. All other sessions were ended.`,
      {
        facts: [
          ['When', timeText(about.at)],
          ['From', about.from],
        ],
      },
      'If it was not you, write to support at once: this mail is the last one that comes to this address.',
    ],
  })
}
