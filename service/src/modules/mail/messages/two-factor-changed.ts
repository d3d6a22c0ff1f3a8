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
        ? 'From now on, you need a code from your authenticator app to sign in and for sensitive actions. Keep the backup codes in a place that you can reach without your phone.'
        : 'Your account is now protected only by its password. You cannot create API keys until you turn two-factor authentication on again.',
      {
        facts: [
          ['When', timeText(about.at)],
          ['From', about.from],
        ],
      },
      'If this was not you, choose a new password now, then check your account.',
      { label: 'Choose a new password', href: pages.forgottenPassword(about.site) },
      { label: 'Your account', href: pages.account(about.site) },
    ],
  })
}
