import { compose, type Message } from './message.ts'
import { durationText } from './times.ts'

/** Asks a person to confirm an account's new address. It may reach someone without an account, so no word of it was chosen by another person. */
export function confirmNewAddress(about: { address: string; link: string; validForS: number }): Message {
  return compose({
    kind: 'confirm_new_address',
    subject: 'Confirm your new email address',
    usefulForS: about.validForS,
    blocks: [
      `Confirm that ${about.address} is the new email address of your account. Until then, your account keeps its current address.`,
      { label: 'Confirm the new address', href: about.link },
      `The link is valid for ${durationText(about.validForS)}. Open it in a browser where you are signed in.`,
      'If you did not request this, ignore this email. No one else can use the link.',
    ],
  })
}
