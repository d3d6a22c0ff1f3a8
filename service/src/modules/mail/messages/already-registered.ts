import { compose, type Message } from './message.ts'
import { pages } from './pages.ts'

/** Tells the owner of an account that somebody signed up with its address, or wanted it for another account: nobody else is told of it. */
export function alreadyRegistered(about: { site: string; address: string }): Message {
  return compose({
    kind: 'already_registered',
    subject: 'You have an account already',
    blocks: [
      `Somebody signed up with ${about.address}, or wanted it for an account. It has one already, and nothing was changed.`,
      'If it was you, sign in instead; a forgotten password can be set anew.',
      { label: 'Set a new password', href: pages.forgottenPassword(about.site) },
      'If it was not you, there is nothing to do.',
    ],
  })
}
