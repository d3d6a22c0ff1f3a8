import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  buyerContact,
  cards,
  newcomer,
  newcomerPassword,
  nightlyTest,
  type Person,
  peopleForTests,
  testedDevices,
  worldForTests,
} from '../world/index.ts'

const world = await worldForTests()
const personAt = await peopleForTests(world)
const email = 'typed-much@example.net'
const zone = 'unsaved.example.org'
const browser = await newcomer(world, email)
await world.admin('zone', 'add', email, zone)

test('unsaved changes are marked in the list of zones, on the other pages of the zone, and in other tabs', async () => {
  const person = await personAt('desktop')
  await person.signInAs(email)
  await person.open(`/zones/${zone}`)
  await person.addUnsaved('marked')
  await person.link('History').click()
  const tab = person.page.getByRole('navigation', { name: 'Pages of the zone' })
  await tab.getByLabel('1 unsaved change', { exact: true }).waitFor()
  await person.open('/zones')
  await person.page.getByLabel('1 unsaved change', { exact: true }).waitFor()
  await person.check('zones-unsaved')
  const other = await person.anotherTab()
  await other.open('/zones')
  const elsewhere = other.page.getByLabel('1 unsaved change in another tab')
  await elsewhere.waitFor()
  await person.page.close()
  await other.seesNot(elsewhere)
  other.assertQuiet()
  await other.page.context().close()
})

for (const device of testedDevices) {
  test(`unsaved changes are discarded only after confirmation, on a ${device}`, async () => {
    const person = await personAt(device)
    await person.signInAs(email)
    await person.open(`/zones/${zone}`)
    await person.addUnsaved('unsaved')
    await person.button('Discard').click()
    const dialog = person.page.getByRole('dialog', { name: `Discard 1 change to ${zone}` })
    await dialog.waitFor()
    await person.check('records-discard')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await person.seesNot(dialog)
    await person.sees('1 unsaved change')
    await person.button('Discard').click()
    await dialog.getByRole('button', { name: 'Discard 1 change' }).click()
    await person.seesNot(person.page.getByText('unsaved change'))
    person.assertQuiet()
    await person.page.context().close()
  })

  test(`signing out with unsaved changes requires confirmation, on a ${device}`, async () => {
    const person = await personAt(device)
    await person.signInAs(email)
    await person.open(`/zones/${zone}`)
    await person.addUnsaved('unsaved')
    await person.open('/account')
    await signOut(person)
    const dialog = person.page.getByRole('dialog', { name: 'Sign out' })
    await dialog.getByText(/discards 1 unsaved change to your records/).waitFor()
    await person.check('sign-out-unsaved')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await person.open(`/zones/${zone}`)
    await person.sees('1 unsaved change')
    await signOut(person)
    await dialog.getByRole('button', { name: 'Sign out and discard 1 change' }).click()
    await person.button('Sign in').waitFor()
    await person.page.waitForFunction(() => !JSON.stringify(sessionStorage).includes('192.0.2.1'))
    await person.signInAs(email)
    await signOut(person)
    await person.button('Sign in').waitFor()
    await person.page.context().close()
  })

  test(`a tap outside a dialog, and Escape while the session is lost, keep what was typed in it, on a ${device}`, async () => {
    const person = await personAt(device)
    await person.signInAs(email)
    await person.open('/contacts')
    await person.button('New contact').click()
    const city = person.page.getByRole('dialog', { name: 'New contact' }).getByLabel('City')
    for (const [label, text] of Object.entries(typed)) await person.field(label).fill(text)
    await person.page.mouse.click(4, 4)
    assert.equal(await city.inputValue(), 'Lagos')
    await person.losesSessionAt('**/api/v1/contacts')
    person.expects(/status of 401/)
    await person.field('Country').selectOption('Nigeria')
    await person.button('Save the contact').click()
    const lost = person.page.getByRole('dialog', { name: 'Sign in again' })
    await lost.getByLabel('Password', { exact: true }).press('Escape')
    await lost.getByLabel('Password', { exact: true }).fill(newcomerPassword)
    await lost.getByRole('button', { name: 'Sign in' }).click()
    await person.seesNot(lost)
    assert.equal(await city.inputValue(), 'Lagos')
    await person.page.keyboard.press('Escape')
    await person.seesNot(city)
    person.assertQuiet()
    await person.page.context().close()
  })
}

test('closing a tab with unsaved changes requires confirmation', async () => {
  const person = await personAt('desktop')
  await person.signInAs(email)
  await person.open(`/zones/${zone}`)
  await person.addUnsaved('unsaved')
  const isAsked = person.page.waitForEvent('dialog')
  await person.page.close({ runBeforeUnload: true })
  const dialog = await isAsked
  assert.equal(dialog.type(), 'beforeunload')
  await dialog.dismiss()
  await person.button('Discard').click()
  await person.button('Discard 1 change').click()
  await person.seesNot(person.page.getByText('unsaved change'))
  const isClosed = person.page.waitForEvent('close')
  await person.page.close({ runBeforeUnload: true })
  await isClosed
  person.assertQuiet()
})

nightlyTest('opening a page that an upgrade replaced needs no confirmation, and keeps unsaved changes', async () => {
  const person = await personAt('desktop')
  await person.signInAs(email)
  await person.open(`/zones/${zone}`)
  await person.addUnsaved('unsaved')
  const file = /\/assets\/audit-page-/
  let isGone = true
  await person.page.route(file, (route) => (isGone ? route.fulfill({ status: 404 }) : route.continue()))
  // In the browser's words and, if React reports it before the page is reloaded, in React's own words.
  person.expects(/status of 404/, /Failed to fetch dynamically imported module/)
  const isMissed = person.page.waitForResponse(file)
  await person.link('Audit log').hover()
  await isMissed
  const isAsked = person.page.waitForEvent('dialog')
  await person.page.close({ runBeforeUnload: true })
  await (await isAsked).dismiss()

  let isHeld = false
  person.page.on('dialog', async (dialog) => {
    isHeld = true
    await dialog.accept()
  })
  person.page.on('request', (request) => {
    if (request.isNavigationRequest()) isGone = false
  })
  await person.link('Audit log').click()
  await person.heading('Audit log').waitFor()
  assert.deepEqual([isGone, isHeld], [false, false])
  await person.open(`/zones/${zone}`)
  await person.sees('1 unsaved change')
  person.assertQuiet()
  await person.page.context().close()
})

nightlyTest('going to the payment page needs no confirmation, and keeps unsaved changes', async () => {
  assert.equal((await browser.call('POST', '/api/v1/contacts', buyerContact)).status, 201)
  const person = await personAt('desktop')
  await person.signInAs(email)
  await person.open(`/zones/${zone}`)
  await person.addUnsaved('unsaved')
  await person.open('/buy/paid-meanwhile.test')
  await person.sees(buyerContact.email)
  let isHeld = false
  person.page.on('dialog', async (dialog) => {
    isHeld = true
    await dialog.accept()
  })
  await person.button(/^Order and pay/).click()
  await person.button(cards.success).click()
  await person.seesStatus('Completed')
  assert.ok(!isHeld)
  await person.open(`/zones/${zone}`)
  await person.sees('1 unsaved change')
  await person.page.context().close()
})

nightlyTest('deleting a zone discards its unsaved changes, and no page asks about them afterwards', async () => {
  const gone = 'unsaved-gone.example.org'
  await world.admin('zone', 'add', email, gone)
  const person = await personAt('desktop')
  await person.signInAs(email)
  await person.open(`/zones/${gone}`)
  await person.addUnsaved('unsaved')
  await person.open(`/zones/${gone}/settings`)
  await person.button(`Delete ${gone}`).click()
  const dialog = person.page.getByRole('dialog')
  await dialog.getByText(/also discards 1 unsaved change to its records/).waitFor()
  await dialog.getByRole('textbox').fill(gone)
  await dialog.getByRole('button', { name: `Delete ${gone}` }).click()
  await person.seesNot(dialog)
  await signOut(person)
  await person.button('Sign in').waitFor()
  await person.page.context().close()
})

nightlyTest('the API reference opens in its own tab, without a question about unsaved changes', async () => {
  const person = await personAt('desktop')
  await person.signInAs(email)
  await person.open(`/zones/${zone}`)
  await person.addUnsaved('unsaved')
  await person.button('Account menu').click()
  const isOpened = person.page.waitForEvent('popup')
  await person.page.getByRole('menuitem', { name: 'API reference' }).click()
  await (await isOpened).waitForURL('**/api/v1/reference')
  await person.sees('1 unsaved change')
  person.assertQuiet()
  await person.page.context().close()
})

const typed = {
  'Full name': buyerContact.name,
  Email: buyerContact.email,
  Phone: buyerContact.phone,
  Address: buyerContact.address1,
  City: buyerContact.city,
}

async function signOut(person: Person): Promise<void> {
  await person.button('Account menu').click()
  await person.page.getByRole('menuitem', { name: 'Sign out' }).click()
  await person.seesNot(person.page.getByRole('menu'))
}
