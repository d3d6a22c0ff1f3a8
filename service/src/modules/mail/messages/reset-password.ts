import { compose, type Message } from './message.ts'
import { durationText } from './times.ts'

/** Lets a person who forgot the password choose another one. */
export function resetPassword(about: { address: string; link: string; validForS: number }): Message {
  return compose({
    kind: 'reset_password',
    subject: 'Choose a new password',
    usefulForS: about.validForS,
    blocks: [
      `Somebody, probably you, asked for a new password for the account of ${about.address}.`,
      { label: 'Choose a new password', href: about.link },
      `The link works once, for ${durationText(about.validForS)}.`,
      'If it was not you, you need not do anything: your password stays as it is.',
    ],
  })
}
