import { Browser } from './browser.ts'
import type { World } from './world.ts'

/** The password of whoever `newcomer` brings. */
export const newcomerPassword = 'a phrase that nobody guesses'

/** Signs somebody up and follows the mail that confirms the address: an account without second factor, signed in. */
export async function newcomer(world: World, email: string): Promise<Browser> {
  const browser = new Browser(world.facts.base_url)
  const account = { email, password: newcomerPassword, name: 'Guest' }
  await browser.call('POST', '/api/auth/sign-up/email', account)
  const isToConfirm = ({ subject }: { subject: string }) => /confirm/i.test(subject)
  const { links } = await world.mailbox.waitFor(email, 'the mail to confirm', isToConfirm)
  await browser.call('GET', links.find((url) => url.includes('/verify-email')) ?? '')
  return browser
}
