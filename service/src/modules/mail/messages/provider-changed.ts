import { compose, type Message } from './message.ts'
import { pages } from './pages.ts'
import { timeText } from './times.ts'

/** Says that a sign-in provider was linked or unlinked. */
export function providerChanged(about: {
  site: string
  name: string
  /** The address at the provider. */
  email?: string | undefined
  isLinked: boolean
  at: Date
  from: string
}): Message {
  const { name, email, isLinked } = about
  return compose({
    kind: 'provider_changed',
    subject: isLinked ? `${name} was linked to your account` : `${name} was unlinked from your account`,
    blocks: [
      isLinked
        ? `Whoever signs in to this ${name} account can sign in to your account, without the password. If two-factor authentication is on, a code is still required.`
        : `${name} no longer signs in to your account.`,
      {
        facts: [
          ['Provider', email === undefined ? name : `${name} (${email})`],
          [isLinked ? 'Linked' : 'Unlinked', `${timeText(about.at)}, from ${about.from}`],
        ],
      },
      'If this was not you, check the linked providers on your account page now, and choose a new password.',
      { label: 'Your account', href: pages.account(about.site) },
    ],
  })
}
