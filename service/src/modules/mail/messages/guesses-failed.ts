import { compose, type Message } from './message.ts'
import { pages } from './pages.ts'
import { timeText } from './times.ts'

/** Warns that many wrong passwords or codes were entered for an account within an hour. */
export function guessesFailed(about: {
  site: string
  address: string
  what: 'password' | 'code'
  count: number
  at: Date
  from: string
}): Message {
  const { site, address, what, count, at, from } = about
  return compose({
    kind: 'guesses_failed',
    subject: `${count} wrong ${what}s for your account`,
    blocks: [
      `In the past hour, ${count} wrong ${names[what]} were entered for the account of ${address}.`,
      {
        facts: [
          ['Latest attempt', timeText(at)],
          ['From', from],
        ],
      },
      advice[what],
      { label: 'Choose a new password', href: pages.forgottenPassword(site) },
    ],
  })
}

const names = { password: 'passwords', code: 'two-factor codes' }

const advice = {
  password:
    'If this was you, ignore this email. If not, your account is still safe, because further attempts are slowed down. Make sure that you use this password only here and that two-factor authentication is on. If you are asked to wait, reset your password to sign in immediately.',
  code: 'If this was you, ignore this email. If not, someone may know your password, because we ask for a code only after the correct password. Choose a new password now. That also ends all sessions.',
}
