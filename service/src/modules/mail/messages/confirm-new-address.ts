import { compose, type Message } from './message.ts'
import { durationText } from './times.ts'

/** Asks a person to confirm the address that an account shall have. It may reach a stranger: no word of it was chosen by somebody. */
export function confirmNewAddress(about: { address: string; link: string; validForS: number }): Message {
  return compose({
    kind: 'confirm_new_address',
    subject: 'Confirm your new email address',
    usefulForS: about.validForS,
    blocks: [
      `Please confirm that ${about.address} is the new address of your account. Until then your account keeps the one that it has.`,
      { label: 'Confirm the new address', href: about.link },
      `The link works for ${durationText(about.validForS)}, in a browser in which you are signed in.`,
      'If you did not ask for this, you need not do anything: nobody else can use the link.',
    ],
  })
}
