import { compose, type Message } from './message.ts'
import { pages } from './pages.ts'
import { timeText } from './times.ts'

/** Says that the password was changed. */
export function passwordChanged(about: { site: string; address: string; at: Date; from: string }): Message {
  return compose({
    kind: 'password_changed',
    subject: 'Your password was changed',
    blocks: [
      `The password of the account of ${about.address} was changed. All other sessions have ended.`,
      {
        facts: [
          ['When', timeText(about.at)],
          ['From', about.from],
        ],
      },
      'If this was not you, someone else has access to your account. Choose a new password now, then check your passkeys, sign-in providers and API keys.',
      { label: 'Choose a new password', href: pages.forgottenPassword(about.site) },
    ],
  })
}
