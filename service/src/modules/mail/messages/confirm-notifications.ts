import { compose, type Message } from './message.ts'
import { durationText } from './times.ts'

/**
 * Asks the reader of an address whether they want an account's notifications. It may reach someone without an account, so it names only that
 * account's address.
 */
export function confirmNotifications(about: { account: string; link: string; validForS: number }): Message {
  return compose({
    kind: 'confirm_notifications',
    subject: `Notifications from the account of ${about.account}`,
    usefulForS: about.validForS,
    blocks: [
      `${about.account} wants this address to get notifications about their zones and domains.`,
      { label: 'See what they are about, and confirm', href: about.link },
      `To confirm, open the link within ${durationText(about.validForS)}. Keep this email: the same link stops the notifications at any later time.`,
      'If you do not want them, ignore this email.',
    ],
  })
}
