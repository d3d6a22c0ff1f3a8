import { compose, type Message } from './message.ts'
import { pages } from './pages.ts'

/** Tells the owner of an account that somebody signed up with its address, or wanted it for another account: nobody else is told of it. */
export function alreadyRegistered(about: { site: string; address: string }): Message {
  return compose({
    kind: 'already_registered',
    subject: 'You already have an account',
    blocks: [
      `Somebody, probably you, signed up with ${about.address}, or tried to change the email address of another account to it. This address already has an account, which was not changed.`,
      'If this was you, sign in. If you forgot the password, reset it.',
      { label: 'Reset the password', href: pages.forgottenPassword(about.site) },
      'If it was not you, ignore this mail.',
    ],
  })
}
