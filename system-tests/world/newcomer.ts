import assert from 'node:assert/strict'
import { Browser } from './browser.ts'
import type { World } from './world.ts'

/** The password of the people that `newcomer` creates. */
export const newcomerPassword = 'a phrase that nobody guesses'

/** The token of the link in the newest sign-up email to an address. */
export async function signUpToken(world: World, email: string): Promise<string> {
  const isToFinish = ({ subject }: { subject: string }) => /signing up/i.test(subject)
  const { links } = await world.mailbox.waitFor(email, 'the mail to finish signing up', isToFinish)
  const link = links.find((url) => url.includes('/create-account')) ?? ''
  return new URL(link).searchParams.get('token') ?? ''
}

/** Signs a person up, and creates the account with the link in the email. The account is signed in, without two-factor authentication. */
export async function newcomer(world: World, email: string): Promise<Browser> {
  const browser = new Browser(world.facts.base_url)
  await browser.call('POST', '/api/auth/sign-up/email', { email })
  const token = await signUpToken(world, email)
  const created = await browser.call('POST', '/api/auth/sign-up/complete', {
    token,
    name: 'Guest',
    password: newcomerPassword,
  })
  assert.equal(created.status, 200, JSON.stringify(created.body))
  return browser
}
