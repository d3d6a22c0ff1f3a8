import { compose, type Message } from './message.ts'
import { pages } from './pages.ts'
import { timeText } from './times.ts'

/** Says that a passkey was added or removed. */
export function passkeyChanged(about: {
  site: string
  name: string
  isAdded: boolean
  at: Date
  from: string
}): Message {
  return compose({
    kind: 'passkey_changed',
    subject: about.isAdded ? 'A passkey was added to your account' : 'A passkey was removed from your account',
    blocks: [
      about.isAdded
        ? 'Whoever has this passkey can sign in to your account, without the password and without a code.'
        : 'This passkey no longer signs in to your account.',
      {
        facts: [
          ['Passkey', about.name],
          [about.isAdded ? 'Added' : 'Removed', `${timeText(about.at)}, from ${about.from}`],
        ],
      },
      'If this was not you, check the passkeys on your account page now, and choose a new password.',
      { label: 'Your account', href: pages.account(about.site) },
    ],
  })
}
