import { compose, type Message } from './message.ts'
import { durationText } from './times.ts'

/**
 * Lets the owner of an address create an account. It may reach someone who did not sign up, because anyone can enter any address, so it contains
 * nothing that the person who signed up could choose, except the address.
 */
export function finishSignUp(about: { address: string; link: string; validForS: number }): Message {
  return compose({
    kind: 'finish_sign_up',
    subject: 'Finish signing up',
    usefulForS: about.validForS,
    blocks: [
      `Someone, probably you, signed up with ${about.address}. To create the account, open this link and choose a name and a password.`,
      { label: 'Create your account', href: about.link },
      `The link can be used once and is valid for ${durationText(about.validForS)}.`,
      'If you did not sign up, ignore this email. No account is created, and no one else can use your address.',
    ],
  })
}
