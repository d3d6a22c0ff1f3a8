import { compose, type Message } from './message.ts'
import { durationText } from './times.ts'

/** Lets a person who forgot the password set a new one. */
export function resetPassword(about: { address: string; link: string; validForS: number }): Message {
  return compose({
    kind: 'reset_password',
    subject: 'Choose a new password',
    usefulForS: about.validForS,
    blocks: [
      `Someone, probably you, requested a new password for the account of ${about.address}.`,
      { label: 'Choose a new password', href: about.link },
      `The link can be used once and is valid for ${durationText(about.validForS)}.`,
      'If this was not you, ignore this email. Your password does not change.',
    ],
  })
}
