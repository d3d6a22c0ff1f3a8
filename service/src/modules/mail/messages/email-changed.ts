import { compose, type Message } from './message.ts'
import { timeText } from './times.ts'

/** Notifies the previous address of an account that the account has a new one. */
export function emailChanged(about: { before: string; after: string; at: Date; from: string }): Message {
  return compose({
    kind: 'email_changed',
    subject: 'Your email address was changed',
    blocks: [
      `The email address of your account is now ${about.after}, instead of ${about.before}. Use it to sign in. All other sessions have ended.`,
      {
        facts: [
          ['When', timeText(about.at)],
          ['From', about.from],
        ],
      },
      'If this was not you, contact support now. This is the last email to this address.',
    ],
  })
}
