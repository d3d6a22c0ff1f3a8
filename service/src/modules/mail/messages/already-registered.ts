import { compose, type Message } from './message.ts'
import { pages } from './pages.ts'

/** Notifies only the owner of an account that someone signed up with its address, or wanted it for another account. */
export function alreadyRegistered(about: { site: string; address: string }): Message {
  return compose({
    kind: 'already_registered',
    subject: 'You already have an account',
    blocks: [
      `Someone, probably you, signed up with ${about.address} or tried to change the email address of another account to it. An account with this address already exists. It was not changed.`,
      'If this was you, sign in. If you forgot your password, reset it.',
      { label: 'Reset the password', href: pages.forgottenPassword(about.site) },
      'If this was not you, ignore this email.',
    ],
  })
}
