import { compose, type Message } from './message.ts'
import { pages } from './pages.ts'
import { timeText } from './times.ts'

/** Says that another address now gets an account's notifications. */
export function notificationAddressAdded(about: {
  site: string
  address: string
  topics: readonly string[]
  at: Date
}): Message {
  return compose({
    kind: 'notification_address_added',
    subject: 'Another address gets your notifications',
    blocks: [
      `${about.address} has confirmed that it gets notifications of your account.`,
      {
        facts: [
          ['About', about.topics.join(', ')],
          ['Confirmed', timeText(about.at)],
        ],
      },
      'If this was not you, remove the address on your account page, and choose a new password.',
      { label: 'Your account', href: pages.account(about.site) },
    ],
  })
}
