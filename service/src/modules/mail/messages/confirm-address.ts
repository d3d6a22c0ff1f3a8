import { compose, type Message } from './message.ts'
import { durationText } from './times.ts'

/**
 * Asks a person to confirm an address. It may reach a stranger, since anybody can type any address: nothing that the one who
 * signed up chose stands in it, but the address.
 */
export function confirmAddress(about: { address: string; link: string; validForS: number }): Message {
  return compose({
    kind: 'confirm_address',
    subject: 'Confirm your email address',
    usefulForS: about.validForS,
    blocks: [
      `Please confirm that ${about.address} is your address. Orders and other things that matter wait for it.`,
      { label: 'Confirm this address', href: about.link },
      `The link works for ${durationText(about.validForS)}. After that, sign in to get another one.`,
      'If you did not open an account with this address, you need not do anything: nobody can use it without this confirmation.',
    ],
  })
}
