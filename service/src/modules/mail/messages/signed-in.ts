import { compose, type Message } from './message.ts'
import { pages } from './pages.ts'
import { timeText } from './times.ts'

/** Says that someone signed in from a new device. `device`: the name that the browser reports. */
export function signedIn(about: { site: string; address: string; at: Date; from: string; device: string }): Message {
  return compose({
    kind: 'signed_in',
    subject: 'New sign-in to your account',
    blocks: [
      `Someone signed in to the account of ${about.address} from a new device.`,
      {
        facts: [
          ['When', timeText(about.at)],
          ['From', about.from],
          ['Browser', about.device === '' ? 'unknown' : about.device.slice(0, 200)],
        ],
      },
      'If this was you, ignore this email. If not, choose a new password now, which ends all sessions. Then check your passkeys and sign-in providers.',
      { label: 'Choose a new password', href: pages.forgottenPassword(about.site) },
    ],
  })
}
