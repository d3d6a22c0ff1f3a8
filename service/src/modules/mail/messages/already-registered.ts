import { compose, type Message } from './message.ts'
import { pages } from './pages.ts'

/** Tells the owner of an account that somebody signed up with its address: nobody else is told that there is one. */
export function alreadyRegistered(about: { site: string; address: string }): Message {
  return compose({
    kind: 'already_registered',
    subject: 'You have an account already',
    blocks: [
      `Somebody signed up with ${about.address}, which has an account. Nothing was changed.`,
      'If it was you, sign in instead; a forgotten password can be set anew.',
      { label: 'Set a new password', href: pages.forgottenPassword(about.site) },
      'If it was not you, there is nothing to do.',
    ],
  })
}
