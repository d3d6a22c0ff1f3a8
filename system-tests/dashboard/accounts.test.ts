import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePort } from '../../tools/local/addresses.ts'
import {
  Api,
  type Device,
  eventually,
  newcomer,
  newcomerPassword,
  type Person,
  peopleForTests,
  testedDevices,
  worldForTests,
} from '../world/index.ts'

const world = await worldForTests()
const personAt = await peopleForTests(world)
const password = 'a phrase that nobody guesses'
const linkIn = async (email: string, what: string, path: string): Promise<string> => {
  const { links } = await world.mailbox.waitFor(email, what, ({ subject }) => /confirm|signing up/i.test(subject))
  const link = links.find((url) => url.includes(path))
  assert.ok(link, `${what} has a link with ${path}: ${links.join(' ')}`)
  return link
}

for (const device of testedDevices) {
  const email = `ada-${device}@example.net`

  test(`sign-up, the link’s form, two-factor authentication, a key and its first call work, on a ${device}`, async () => {
    const person = await personAt(device)
    await signUp(person, email)
    await person.heading('Zones').waitFor()
    await person.check('zones-empty')
    await person.open('/api-keys')
    await person.sees('Turn on two-factor authentication first')
    await person.check('api-keys-before-two-factor')
    const secret = await turnTwoFactorOn(person)
    await makeKey(person, secret, device)
    await person.page.context().close()
  })

  test(`a forgotten password is reset, and the old one no longer works, on a ${device}`, async () => {
    const person = await personAt(device)
    await person.open('/forgot-password')
    await person.check('forgot-password')
    await person.field('Email').fill(email)
    await person.button('Send the link').click()
    await person.heading('Check your email').waitFor()
    const { links } = await world.mailbox.waitFor(email, 'the mail to reset', ({ subject }) =>
      /password/i.test(subject),
    )
    await person.page.goto(links.find((url) => url.includes('/reset-password')) ?? '')
    await person.field('New password').fill('short')
    await person.sees('Still 5 characters to go.')
    await person.field('New password').fill(`${password} anew`)
    await person.check('reset-password')
    await person.button('Set the password').click()
    await person.heading('The password is set').waitFor()
    await person.link('Sign in').click()
    await person.field('Password').waitFor()
    await person.check('sign-in')
    person.expects(/status of 40[13]/)
    await person.field('Email').fill(email)
    await person.field('Password').fill(password)
    await person.button('Sign in').click()
    await person.page.getByRole('alert').waitFor()
    await person.field('Password').fill(`${password} anew`)
    await person.button('Sign in').click()
    await person.field('Code').waitFor()
    await person.check('sign-in-code')
    await person.page.context().close()
  })
}

test('an account’s address changes once the person opens the link that was emailed to the new one', async () => {
  const person = await personAt('desktop')
  await signUp(person, 'before@example.net')
  await person.heading('Zones').waitFor()
  await person.open('/account')
  await person.button('Change the email address').click()
  await person.field(/^New address/).fill('after@example.net')
  await person.field('Your password, for the new address').fill(password)
  await person.check('account-email')
  await person.button('Send the link').click()
  await person.sees('Check the inbox of after@example.net')
  await person.page.goto(await linkIn('after@example.net', 'the mail to the new address', '/confirm-email'))
  await person.heading('One step is left').waitFor()
  await person.check('confirm-email')
  await person.button('Change the email address').click()
  await person.heading('The address is changed').waitFor()
  await person.sees(/You sign in with after@example\.net/)
  const told = await world.mailbox.waitFor('before@example.net', 'the former address is told', ({ subject }) =>
    /was changed/.test(subject),
  )
  assert.match(told.subject, /email address was changed/)
  await person.page.context().close()
})

test('a passkey is added, signs in without password and code, is renamed and removed; the password still works', async () => {
  const email = 'passkeys@example.net'
  await newcomer(world, email)
  const person = await personAt('desktop')
  const devtools = await person.page.context().newCDPSession(person.page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  // Passkeys belong to a host name: an IP address has none.
  const port = await freePort()
  await world.alsoRun('api', { HTTP_LISTEN: `127.0.0.1:${port}`, PUBLIC_URL: `http://localhost:${port}` })
  const open = (path: string) => person.page.goto(`http://localhost:${port}/app${path}`)
  const signIn = async (): Promise<void> => {
    await person.field('Email').fill(email)
    await person.field('Password').fill(newcomerPassword)
    await person.button('Sign in').click()
    await person.heading('Zones').waitFor()
  }
  await open('/sign-in')
  await signIn()
  await open('/account')
  const section = person.page.getByRole('region', { name: 'Passkeys' })
  await section.getByRole('button', { name: 'Add a passkey' }).click()
  await section.getByLabel('Your password, for the passkey').fill(newcomerPassword)
  await section.getByRole('button', { name: 'Continue' }).click()
  await section.getByText('never used').waitFor()
  await person.check('account-passkeys')
  await world.mailbox.waitFor(email, 'the mail about the passkey', ({ subject }) => /passkey was added/.test(subject))

  await person.page.context().clearCookies()
  await open('/sign-in')
  await person.check('sign-in-passkey')
  await person.button('Use a passkey').click()
  await person.heading('Zones').waitFor()
  await open('/account')
  await section.getByText(/last used/).waitFor()
  await section.getByRole('button', { name: 'Rename Chrome on Linux' }).click()
  await section.getByLabel('Name of the passkey').fill('Work laptop')
  await section.getByRole('button', { name: 'Save the name' }).click()
  await section.getByRole('button', { name: 'Remove Work laptop', exact: true }).click()
  await section.getByLabel('Password', { exact: true }).fill(newcomerPassword)
  await section.getByRole('button', { name: 'Remove Work laptop', exact: true }).last().click()
  await person.seesNot(section.getByText('Work laptop'))

  await person.page.context().clearCookies()
  await open('/sign-in')
  person.expects(/status of 400/)
  await person.button('Use a passkey').click()
  await person.sees('No account has this passkey.')
  await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  await person.button('Use a passkey').click()
  await person.sees('No passkey was chosen, or it took too long.')
  await signIn()
  person.assertQuiet()
  await person.page.context().close()
})

test('another address gets emails about its topics once its reader confirms, and the same link stops them', async () => {
  const email = 'notified@example.net'
  const reader = 'their-reader@example.net'
  await newcomer(world, email)
  const person = await personAt('desktop')
  await person.signInAs(email)
  await person.open('/account')
  const section = person.page.getByRole('region', { name: 'Email notifications' })
  const ofWebhooks = { name: 'Optional emails: Webhooks' }
  await section.getByRole('switch', ofWebhooks).click({ force: true })
  await section.getByRole('switch', { ...ofWebhooks, checked: false }).waitFor()
  await section.getByRole('button', { name: 'Add an address' }).click()
  await section.getByLabel('Further address').fill(reader)
  await section.getByRole('checkbox', { name: 'Security' }).check()
  await section.getByRole('button', { name: 'Send the link' }).click()
  await section.getByText('Not confirmed').waitFor()
  await person.check('account-notifications')
  const isToConfirm = ({ subject }: { subject: string }) => /Notifications from/.test(subject)
  const { links } = await world.mailbox.waitFor(reader, 'the mail to confirm', isToConfirm)
  const other = await personAt('phone')
  await other.page.goto(links.find((url) => url.includes('/notifications')) ?? '')
  await other.sees(
    `${email} wants ${reader} to get emails about these topics of their account: Zones, Domains, Security.`,
  )
  await other.check('notifications-confirm')
  await other.button('Confirm').click()
  await other.heading('You get these notifications').waitFor()
  await person.page.reload()
  await section.getByText('Confirmed', { exact: true }).waitFor()
  assert.equal(await section.getByRole('switch', ofWebhooks).isChecked(), false)
  await other.signInAs(email)
  await world.mailbox.waitFor(reader, 'the mail about a new device', ({ subject }) => /New sign-in/.test(subject))
  await other.page.goto(links.find((url) => url.includes('/notifications')) ?? '')
  await other.button('Stop these emails').click()
  await other.heading('The emails have stopped').waitFor()
  other.expects(/status of 409/)
  await other.page.reload()
  await other.heading('This link no longer works').waitFor()
  other.assertQuiet()
  person.assertQuiet()
  await person.page.context().close()
  await other.page.context().close()
})

test('a link that no longer works says so, and leads to a new one', async () => {
  const email = 'late-reader@example.net'
  const person = await personAt('phone')
  await person.open('/sign-up')
  await person.field('Email').fill(email)
  await person.button('Sign up').click()
  const link = await linkIn(email, 'the mail to finish', '/create-account')
  const other = await person.anotherTab()
  await other.page.goto(link)
  await other.field('Password').fill(password)
  person.expects(/status of 409/)
  await newcomer(world, email)
  other.expects(/status of 409/)
  await other.button('Create account').click()
  await other.heading('This link no longer works').waitFor()
  for (const path of [
    link,
    '/app/create-account',
    '/app/create-account?token=junk',
    '/api/auth/verify-email?token=old',
  ]) {
    await person.page.goto(path)
    await person.heading('This link no longer works').waitFor()
  }
  await person.check('create-account-ended')
  await person.link('Get a new link').click()
  await person.field('Email').waitFor()
  other.assertQuiet()
  await person.page.context().close()
})

test('a sign-in from a new browser sends an email, and one from a browser that has signed in before does not', async () => {
  const email = 'new-device@example.net'
  await newcomer(world, email)
  const told = async () =>
    (await world.mailbox.list({ to: email })).filter(({ subject }) => /New sign-in/.test(subject)).length
  const person = await personAt('desktop')
  await person.signInAs(email)
  await world.mailbox.waitFor(email, 'the mail about the new browser', ({ subject }) => /New sign-in/.test(subject))
  await person.button('Account menu').click()
  await person.page.getByRole('menuitem', { name: 'Sign out' }).click()
  await person.field('Password').waitFor()
  await person.signInAs(email)
  // Emails are sent in the order in which they were queued, so an email about this sign-in would come first.
  const again = await personAt('phone')
  await again.signInAs(email)
  await eventually('the mail about the third browser', async () => (await told()) >= 2 || undefined)
  assert.equal(await told(), 2)
  await person.page.context().close()
  await again.page.context().close()
})

test('signing out offline reports an error, and a session lost on the account page asks to sign in again', async () => {
  const email = 'twice-signed-in@example.net'
  await newcomer(world, email)
  const person = await personAt('desktop')
  await person.signInAs(email)
  await person.fails('**/api/auth/sign-out')
  person.expects(/Failed to load resource/)
  await person.button('Account menu').click()
  await person.page.getByRole('menuitem', { name: 'Sign out' }).click()
  await person.heading('You are still signed in').waitFor()
  await person.sees('No connection')
  await person.seesNot(person.page.getByRole('menu'))
  await person.check('sign-out-fails')
  await person.open('/account')
  await person.button('Sign out other sessions').waitFor()
  await person.page.context().clearCookies()
  await person.button('Sign out other sessions').click()
  await person.page.getByRole('dialog', { name: 'Sign in again' }).waitFor()
  person.assertQuiet()
  await person.page.context().close()
})

test('an account that has credit is deleted once its owner gives up the credit', async () => {
  const person = await personAt('desktop')
  const email = 'leaver@example.net'
  await signUp(person, email)
  await person.heading('Zones').waitFor()
  await world.admin('credit', 'grant', email, '50000')
  await person.open('/account')
  await person.button(`Delete the account ${email}`).click()
  await person.field('Password of the account').fill(password)
  person.expects(/status of 40[19]/)
  await person.button(`Delete ${email} now`).click()
  await person.sees(/loses ₦500\.00 of credit/)
  await person.page.getByLabel('Give up the domains and the credit').check()
  await person.check('account-delete')
  await person.button(`Delete ${email} now`).click()
  await person.button('Sign in').waitFor()
  await person.page.context().close()
})

async function signUp(person: Person, email: string): Promise<void> {
  await person.open('/sign-up')
  await person.field('Email').fill(email)
  await person.check('sign-up')
  await person.button('Sign up').click()
  await person.heading('Check your email').waitFor()
  await person.check('sign-up-sent')
  await person.page.goto(await linkIn(email, 'the mail to finish', '/create-account'))
  await person.heading('Create your account').waitFor()
  assert.equal(await person.field('Email').inputValue(), email)
  await person.field('Name').fill('Ada')
  await person.field('Password').fill('short')
  await person.sees('Still 5 characters to go.')
  await person.field('Password').fill('password123')
  person.expects(/status of 400/)
  await person.button('Create account').click()
  await person.sees('Choose another password')
  await person.check('create-account-common')
  await person.field('Password').fill(password)
  await person.check('create-account')
  await person.button('Create account').click()
}

/** Returns the secret that the page showed. */
async function turnTwoFactorOn(person: Person): Promise<string> {
  await person.link('Turn it on').click()
  await person.heading('Account').first().waitFor()
  await person.field('Your password, to begin').fill(password)
  await person.button('Turn it on').click()
  await person.page.getByAltText(/QR code/).waitFor()
  const secret = /\b[A-Z2-7]{32,}\b/.exec(await person.page.locator('main').innerText())?.[0] ?? ''
  assert.notEqual(secret, '')
  assert.ok((await person.page.getByLabel('Backup codes').locator('li').count()) >= 8)
  await person.check('account-two-factor')
  // A backup code does not count as a code of the authenticator: it would leave two-factor authentication off, and be used up.
  person.expects(/status of 40[01]/)
  await person
    .field(/^3\. The code/)
    .fill(await person.page.getByLabel('Backup codes').locator('li').first().innerText())
  await person.button('Confirm').click()
  await person.page.getByRole('alert').waitFor()
  await person.seesNot(person.page.getByText('Two-factor authentication is on.'))
  await person.field(/^3\. The code/).fill(await person.code(secret))
  await person.button('Confirm').click()
  await person.button('New backup codes').waitFor()
  assert.ok(!(await person.page.content()).includes(secret), 'the secret is gone from the page')
  await person.check('account')
  return secret
}

async function makeKey(person: Person, secret: string, device: Device): Promise<void> {
  await person.open('/api-keys')
  await person.button('Create a key').click()
  await person.field(/^Name/).fill(`deploy ${device}`)
  await person.page.getByRole('checkbox', { name: 'records:read' }).uncheck()
  await person.page.getByRole('radio', { name: 'Only these' }).click()
  await person.sees('Only on keys for all zones.')
  assert.ok(await person.page.getByRole('checkbox', { name: 'zones:manage' }).isDisabled())
  await person.page.getByRole('checkbox', { name: /^Only some records/ }).check()
  await person.sees('Choose the zones first.')
  await person.sees('Not on keys with limits.')
  assert.ok(await person.page.getByRole('checkbox', { name: 'domains:read' }).isDisabled())
  await person.check('api-keys-limits')
  await person.page.getByRole('radio', { name: /^All of mine/ }).click()
  await person.page.getByRole('checkbox', { name: 'zones:manage' }).check()
  await person.check('api-keys-new')
  await person.field(/^Usable from/).fill('127.0.0.1, ::1')
  await person.field(/^Code/).fill(await person.code(secret))
  await person.button('Create the key').click()
  await person.heading(`The key deploy ${device} was created`).waitFor()
  const key = /svc_live_\w+/.exec(await person.page.locator('main').innerText())?.[0] ?? ''
  // The call that the page suggests works, whatever the key may do.
  const tried = /curl \S+\/api\/v1(\S+)/.exec(await person.page.locator('main').innerText())?.[1] ?? ''
  assert.equal((await new Api(world.facts.base_url, [key]).call('GET', tried)).status, 200)
  await person.button('I have saved it').click()
  await person.sees(/never used|last used/)
  await person.sees('Usable from 127.0.0.1/32, ::1/128')
  assert.ok(!(await person.page.content()).includes(key), 'the secret is gone from the page')
  await person.check('api-keys')
  await person.button(`Revoke deploy ${device}`).click()
  const dialog = person.page.getByRole('dialog')
  await dialog.getByText('This cannot be undone').waitFor()
  await dialog.getByRole('button', { name: `Revoke deploy ${device}` }).click()
  await person.page.getByText('Revoked', { exact: true }).waitFor()
  assert.equal((await new Api(world.facts.base_url, [key]).call('GET', tried)).status, 401)
  person.assertQuiet()
}
