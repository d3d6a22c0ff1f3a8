import { compose, type Message } from './message.ts'
import { pages } from './pages.ts'
import { timeText } from './times.ts'

/** Says that two-factor authentication was turned on or off. */
export function twoFactorChanged(about: { site: string; isOn: boolean; at: Date; from: string }): Message {
  const turned = about.isOn ? 'turned on' : 'turned off'
  return compose({
    kind: 'two_factor_changed',
    subject: `Two-factor authentication was ${turned}`,
    blocks: [
      about.isOn
        ? 'From now on signing in asks for a code of your app, and so does whatever can do harm. Keep the backup codes where you find them without your phone.'
        : 'Your account is protected by its password alone now, and API keys cannot be created until two-factor authentication is on again.',
      {
        facts: [
          ['When', timeText(about.at)],
          ['From', about.from],
        ],
      },
      'If it was not you, choose a new password at once, then look through your account.',
      { label: 'Choose a new password', href: pages.forgottenPassword(about.site) },
      { label: 'Your account', href: pages.account(about.site) },
    ],
  })
}
