import { compose, type Message } from './message.ts'
import { pages } from './pages.ts'
import { timeText } from './times.ts'

/** Says that somebody signed in from a place where the account was not used before. `device` is what the browser calls itself. */
export function signedIn(about: { site: string; at: Date; from: string; device: string }): Message {
  return compose({
    kind: 'signed_in',
    subject: 'New sign-in to your account',
    blocks: [
      'Somebody signed in to your account from a place where it was not used before.',
      {
        facts: [
          ['When', timeText(about.at)],
          ['From', about.from],
          ['With', about.device.slice(0, 200)],
        ],
      },
      'If it was you, there is nothing to do. If not, choose a new password at once: it ends every session.',
      { label: 'Choose a new password', href: pages.forgottenPassword(about.site) },
    ],
  })
}
