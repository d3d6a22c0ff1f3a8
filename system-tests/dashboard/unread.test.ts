import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Person, peopleForTests, worldForTests } from '../world/index.ts'

const world = await worldForTests()
const personAt = await peopleForTests(world)
const { account } = world.facts

test('a zone that has moved on and cannot be read again says so in the review, and is tried again there', async () => {
  const zone = 'unread.example.org'
  await world.admin('zone', 'add', account.email, zone)
  await world.api.put(zone, 'www', 'A', ['192.0.2.1'])
  const person = await personAt('desktop')
  await person.signIn()
  person.expects(/Failed to load resource/)
  await person.open(`/zones/${zone}`)
  await person.button('Delete www A').click()
  await person.sees('1 change not saved')
  await world.api.put(zone, 'other', 'A', ['192.0.2.2'])
  const read = await fails(person, '**/rrsets?limit=*')
  await person.button('Review and save').click()
  const dialog = person.page.getByRole('dialog')
  await dialog.getByText('No connection').waitFor()
  await person.check('records-review-unread')
  await read()
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await dialog.getByRole('button', { name: 'Save the change' }).click()
  await person.sees('Saved. Live on ns1 and ns2.')
  person.assertQuiet()
  await person.page.context().close()
})

test('credit that is not read yet does not count as none: nothing is ordered before', async () => {
  await world.admin('credit', 'grant', account.email, '100000')
  const person = await personAt('desktop')
  await person.signIn()
  person.expects(/Failed to load resource/)
  const read = await fails(person, '**/api/v1/credit')
  await person.open('/buy/unread-credit.test')
  await person.sees('Your credit could not be read.')
  await person.check('order-credit-unread')
  assert.ok(await person.button(/^Order/).isDisabled())
  await read()
  await person.button('Try again').click()
  await person.page.getByRole('checkbox', { name: 'Use my credit' }).waitFor()
  await person.seesNot(person.page.getByText('Your credit could not be read.'))
  person.assertQuiet()
  await person.page.context().close()
})

test('zones that cannot be read are not said not to be there, where a key is to cover some', async () => {
  const person = await personAt('desktop')
  await person.signIn()
  await person.link('Add a zone').waitFor()
  person.expects(/Failed to load resource/)
  const read = await fails(person, '**/api/v1/zones?*')
  await person.open('/api-keys')
  await person.button('Create a key').click()
  await person.page.getByRole('radio', { name: 'Only these' }).click()
  await person.sees('No connection')
  await person.page.getByRole('combobox', { name: 'Which zones' }).fill('example')
  await person.sees('Your zones are not read yet')
  await read()
  await person.button('Try again').click()
  await person.seesNot(person.page.getByText('No connection'))
  await person.page.getByRole('combobox', { name: 'Which zones' }).fill('example.')
  await person.page.getByRole('option', { name: 'example.test' }).waitFor()
  person.assertQuiet()
  await person.page.context().close()
})

test('a confirmation mail that cannot be sent again says so', async () => {
  const person = await personAt('desktop')
  const email = 'unconfirmed@example.net'
  const password = 'a phrase that nobody guesses'
  await person.open('/sign-up')
  await person.field('Name').fill('Ada')
  await person.field('Email').fill(email)
  await person.field('Password').fill(password)
  await person.button('Sign up').click()
  await person.heading('Confirm your address').waitFor()
  await person.open('/sign-in')
  person.expects(/Failed to load resource/)
  await person.field('Email').fill(email)
  await person.field('Password').fill(password)
  await person.button('Sign in').click()
  await fails(person, '**/send-verification-email')
  await person.button('Send the confirmation mail again').click()
  await person.sees('No connection')
  person.assertQuiet()
  await person.page.context().close()
})

/** Calls of this address have no answer, until what is returned is called. */
async function fails({ page }: Person, url: string): Promise<() => Promise<void>> {
  await page.route(url, (route) => route.abort())
  return () => page.unroute(url)
}
