import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startIdentityProvider } from '@zonewright/sandbox'
import {
  newcomer,
  newcomerPassword,
  type Person,
  peopleForTests,
  testedDevices,
  worldForTests,
} from '../world/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'zonewright-providers-'))
after(() => rmSync(folder, { recursive: true }))
const client = { clientId: 'zonewright', clientSecret: 'secret-of-acme' }
const provider = await startIdentityProvider({ httpListen: '127.0.0.1:0', ...client })
const otherProvider = await startIdentityProvider({ httpListen: '127.0.0.1:0', ...client })
after(() => Promise.all([provider.close(), otherProvider.close()]))
writeFileSync(join(folder, 'acme.secret'), client.clientSecret)

/** Sets the one provider that the operator offers. The service reads it when it starts. */
function offer(id: string, name: string, { issuer }: Pick<typeof provider, 'issuer'>): void {
  const secret = { client_id: client.clientId, client_secret_file: join(folder, 'acme.secret') }
  writeFileSync(join(folder, 'providers.json'), JSON.stringify({ providers: [{ id, name, issuer, ...secret }] }))
}

offer('acme', 'Acme', provider)
const world = await worldForTests({ env: { SIGN_IN_PROVIDERS: join(folder, 'providers.json') } })
const personAt = await peopleForTests(world)

function know(subject: string, email: string, name: string, more: object = {}): void {
  provider.people.set(subject, { subject, email, email_verified: true, name, ...more })
}

/** Chooses a person on the page of the provider. */
async function continueAs(person: Person, name: string): Promise<void> {
  await person.button(`Continue as ${name}`).click()
}

/** Sets a password with the link that was emailed to the person, and signs in with it. */
async function setPasswordByMail(person: Person, email: string): Promise<void> {
  const { links } = await world.mailbox.waitFor(email, 'the mail to set a password', ({ subject }) =>
    /password/i.test(subject),
  )
  await person.page.goto(links.find((url) => url.includes('/reset-password')) ?? '')
  await person.field('New password').fill(newcomerPassword)
  await person.button('Set the password').click()
  await person.heading('The password is set').waitFor()
  await person.signInAs(email)
}

async function signOut(person: Person): Promise<void> {
  // The first page requests free subdomains, and the response may come after the session has ended.
  person.expects(/status of 401 .*\/api\/v1\/free-subdomains/)
  await person.button('Account menu').click()
  await person.page.getByRole('menuitem', { name: 'Sign out' }).click()
  await person.field('Password').waitFor()
}

for (const device of testedDevices)
  test(`a person signs up with a provider, signs in again, and sets a password, on a ${device}`, async () => {
    const email = `grace-${device}@example.net`
    know(`grace-${device}`, email, `Grace on ${device}`)
    const person = await personAt(device)
    await person.open('/sign-up')
    await person.button('Continue with Acme').waitFor()
    await person.check('sign-up-providers')
    await person.button('Continue with Acme').click()
    await continueAs(person, `Grace on ${device}`)
    await person.heading('Zones').waitFor()
    await signOut(person)
    await person.open('/sign-in?back=%2Faccount')
    await person.button('Continue with Acme').waitFor()
    await person.check('sign-in-providers')
    await person.button('Continue with Acme').click()
    await continueAs(person, `Grace on ${device}`)
    await person.heading('Account').first().waitFor()
    const section = person.page.getByRole('region', { name: 'Sign-in providers' })
    await section.getByText(`Acme: ${email}`).waitFor()
    await section.getByRole('button', { name: /^Unlink Acme/ }).click()
    await section.getByText('Your account has no password yet').waitFor()
    await person.check('account-no-password')
    await section.getByRole('button', { name: 'Email me the link' }).click()
    await section.getByText(`Check the inbox of ${email}`).waitFor()
    await setPasswordByMail(person, email)
    person.assertQuiet()
    await person.page.context().close()
  })

test('an account links a provider, signs in with it, and unlinks it; its owner is notified', async () => {
  const email = 'links@example.net'
  await newcomer(world, email)
  know('links', 'another@example.org', 'Linus', { email_verified: false })
  const person = await personAt('desktop')
  await person.signInAs(email)
  await person.open('/account')
  const section = person.page.getByRole('region', { name: 'Sign-in providers' })
  await section.getByRole('button', { name: 'Link Acme' }).click()
  await section.getByLabel('Your password, for Acme').fill(newcomerPassword)
  await section.getByRole('button', { name: 'Continue to Acme' }).click()
  await continueAs(person, 'Linus')
  await section.getByText('never used').waitFor()
  await person.sees('Acme is linked.')
  await section.scrollIntoViewIfNeeded()
  await person.check('account-providers')
  await world.mailbox.waitFor(email, 'the mail about the provider', ({ subject }) => /Acme was linked/.test(subject))

  await signOut(person)
  await person.button('Continue with Acme').click()
  await continueAs(person, 'Linus')
  await person.heading('Zones').waitFor()
  await person.open('/account')
  await section.getByText(/last used/).waitFor()
  await section.getByRole('button', { name: 'Unlink Acme', exact: true }).click()
  await section.getByLabel('Password', { exact: true }).fill(newcomerPassword)
  await section.getByRole('button', { name: 'Unlink Acme', exact: true }).last().click()
  await person.seesNot(section.getByRole('list', { name: 'Linked providers' }))

  // The provider does not say that it has verified the address.
  await signOut(person)
  person.expects(/status of 409/)
  await person.button('Continue with Acme').click()
  await continueAs(person, 'Linus')
  await person.heading('Acme does not say that it has verified your email address').waitFor()
  await person.check('sign-in-provider-refused')
  await person.link('Back to sign-in').click()
  await person.field('Password').waitFor()
  person.assertQuiet()
  await person.page.context().close()
})

test('an account with two-factor authentication needs a code to link a provider and to sign in with it', async () => {
  know('secured', 'secured@example.org', 'Susan')
  const person = await personAt('desktop')
  await person.signIn()
  await person.open('/account')
  const section = person.page.getByRole('region', { name: 'Sign-in providers' })
  await section.getByRole('button', { name: 'Link Acme' }).click()
  await section.getByLabel('Your password, for Acme').fill(world.facts.account.password)
  await section.getByLabel('Code for Acme').fill(await person.code())
  await section.getByRole('button', { name: 'Continue to Acme' }).click()
  await continueAs(person, 'Susan')
  await section.getByText('Acme: secured@example.org').waitFor()
  await person.page.context().clearCookies()
  await person.open('/sign-in')
  await person.button('Continue with Acme').click()
  await continueAs(person, 'Susan')
  await person.sees('Acme knows you. One step is left.')
  await person.check('sign-in-provider-code')
  await person.field('Code').fill(await person.code())
  await person.button('Continue').click()
  await person.heading('Zones').waitFor()
  person.assertQuiet()
  await person.page.context().close()
})

test('a provider outage, a cancelled sign-in and a reopened page say what to do', async () => {
  know('down', 'down@example.net', 'Dorothy')
  const person = await personAt('desktop')
  await person.open('/sign-in')
  await person.button('Continue with Acme').click()
  person.expects(/status of 503/, /status of 409/)
  provider.behave({ faults: { token: 'broken' } })
  await continueAs(person, 'Dorothy')
  await person.sees('Acme does not respond as expected.')
  await person.check('sign-in-provider-down')
  provider.behave({})
  await person.link('Back to sign-in').click()
  await person.button('Continue with Acme').click()
  await person.button('Cancel').click()
  await person.heading('You did not continue at Acme').waitFor()
  await person.open('/provider/acme')
  await person.sees('This sign-in was not begun in this browser')
  await person.link('Back to sign-in').click()
  await person.button('Continue with Acme').click()
  await continueAs(person, 'Dorothy')
  await person.heading('Zones').waitFor()
  person.assertQuiet()
  await person.page.context().close()
})

test('while the service hangs or fails, the pages of a provider say so', async () => {
  know('slow', 'slow@example.net', 'Sophie')
  const person = await personAt('desktop')
  await person.open('/sign-in')
  person.expects(/Failed to load resource/)
  const begins = await person.fails('**/api/auth/provider/begin')
  await person.button('Continue with Acme').click()
  await person.sees('No connection')
  await begins()
  await person.button('Continue with Acme').click()
  const waiting = await person.waitsForNext(/\/api\/auth\/provider\/answer/, 'POST')
  await continueAs(person, 'Sophie')
  await person.heading('Signing in').waitFor()
  await waiting.isAsked
  await person.sees('This is taking longer than usual.')
  await person.check('sign-in-provider-slow')
  waiting.comes()
  await person.heading('Zones').waitFor()
  await signOut(person)
  await person.button('Continue with Acme').click()
  await person.fails('**/api/auth/provider/answer')
  await continueAs(person, 'Sophie')
  await person.sees('No connection')
  await person.link('Back to sign-in').waitFor()
  person.assertQuiet()
  await person.page.context().close()
})

// The last test of this file: the service runs without Acme from here on.
test('a provider that the operator removes is refused during a sign-in, and is shown until it is unlinked', async () => {
  const email = 'removed@example.net'
  know('removed', email, 'Rosalind')
  const person = await personAt('desktop')
  await person.open('/sign-in')
  await person.button('Continue with Acme').click()
  await continueAs(person, 'Rosalind')
  await person.heading('Zones').waitFor()
  await signOut(person)
  await person.button('Continue with Acme').click()
  await person.button('Continue as Rosalind').waitFor()
  offer('other', 'Other', otherProvider)
  await world.programs.service.restart()

  person.expects(/status of 409/)
  await continueAs(person, 'Rosalind')
  await person.heading('This service no longer offers this way to sign in').waitFor()
  // No one is signed in.
  await person.seesNot(person.link(/account/))
  await person.check('sign-in-provider-removed')
  await person.link('Back to sign-in').click()
  await person.button('Continue with Other').waitFor()
  await person.seesNot(person.button('Continue with Acme'))

  await person.link('Forgot password?').click()
  // The page before it has a field "Email" too.
  await person.heading('Reset your password').waitFor()
  await person.field('Email').fill(email)
  await person.button('Send the link').click()
  await person.heading('Check your email').waitFor()
  await setPasswordByMail(person, email)
  await person.open('/account')
  const section = person.page.getByRole('region', { name: 'Sign-in providers' })
  await section.getByText('No longer usable').waitFor()
  await section.scrollIntoViewIfNeeded()
  await person.check('account-provider-removed')
  await section.getByRole('button', { name: /^Unlink/ }).click()
  await section.getByLabel('Password', { exact: true }).fill(newcomerPassword)
  await section
    .getByRole('button', { name: /^Unlink/ })
    .last()
    .click()
  await person.seesNot(section.getByRole('list', { name: 'Linked providers' }))
  person.assertQuiet()
  await person.page.context().close()
})
