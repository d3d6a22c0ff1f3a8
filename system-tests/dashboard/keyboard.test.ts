import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Person, peopleForTests, worldForTests } from '../world/index.ts'

const world = await worldForTests()
const personAt = await peopleForTests(world)
const zone = 'keyboard.example.org'
await world.admin('zone', 'add', world.facts.account.email, zone)
await world.api.put(zone, 'www', 'A', ['192.0.2.1'])

test('a closed dialog returns the focus to the element that opened it, or to the page if that element is gone', async () => {
  const person = await personAt('desktop')
  await person.signIn()
  await person.open(`/zones/${zone}`)
  await person.button('Delete www A').press('Enter')
  const review = person.button('Review and save')
  await review.press('Enter')
  const dialog = person.page.getByRole('dialog')
  await dialog.getByRole('list', { name: 'Changes' }).waitFor()
  await person.page.keyboard.press('Escape')
  await person.seesNot(dialog)
  await hasFocus(person, 'Review and save')
  await review.press('Enter')
  await dialog.getByRole('list', { name: 'Changes' }).waitFor()
  await dialog.getByRole('button', { name: 'Save the change' }).press('Enter')
  await person.sees('Saved. Live on ns1 and ns2.')
  await hasFocus(person, 'main')
  await person.open(`/zones/${zone}/settings`)
  await person.button(`Delete ${zone}`).press('Enter')
  // The dialog takes the focus a moment after it has opened, from whatever element has it by then.
  await hasFocus(person, 'input')
  await dialog.getByRole('button', { name: 'Cancel' }).press('Enter')
  await person.seesNot(dialog)
  await hasFocus(person, `Delete ${zone}`)
  person.assertQuiet()
  await person.page.context().close()
})

test('opening a page announces its title and moves the focus to its beginning; the tabs of a zone keep the focus', async () => {
  const person = await personAt('desktop')
  await person.signIn()
  await person.link(zone).waitFor()
  await person.link('Domains').press('Enter')
  await person.heading('Domains').waitFor()
  await hasFocus(person, 'main')
  await person.seesStatus('Domains · Zonewright')
  await person.check('domains-by-keyboard')
  await person.link('Zones').press('Enter')
  await person.link(zone).press('Enter')
  await person.seesStatus(`${zone}: records · Zonewright`)
  await hasFocus(person, 'main')
  await person.link('History').press('Enter')
  await person.seesStatus(`${zone}: history · Zonewright`)
  await hasFocus(person, 'History')
  person.assertQuiet()
  await person.page.context().close()
})

test('single keys do nothing while a dialog is open, and can be turned off', async () => {
  const person = await personAt('desktop')
  await person.signIn()
  await person.open(`/zones/${zone}`)
  const form = person.page.getByRole('form', { name: 'New records' })
  await person.button('Add records').waitFor()
  await person.page.keyboard.press('n')
  await form.getByLabel('Name', { exact: true }).fill('new')
  await form.getByLabel('IPv4 address').fill('192.0.2.7')
  await person.button('Add to changes').click()
  await person.button('Review and save').click()
  await person.button('Save the change').focus()
  await person.page.keyboard.press('n')
  await person.page.keyboard.press('/')
  await person.page.keyboard.press('Escape')
  await person.seesNot(person.page.getByRole('dialog'))
  assert.equal(await form.count(), 0)
  await person.open('/account')
  await person.page.getByRole('switch', { name: 'Single keys' }).press('Space')
  await person.check('account-single-keys')
  await person.open(`/zones/${zone}`)
  await person.button('Add records').waitFor()
  await person.page.keyboard.press('n')
  await person.page.keyboard.press('/')
  await person.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  assert.equal(await form.count(), 0)
  await hasFocus(person, 'body')
  person.assertQuiet()
  await person.page.context().close()
})

/** Waits until the element with this text, or this tag, has the focus. */
async function hasFocus({ page }: Person, what: string): Promise<void> {
  await page.waitForFunction((wanted) => {
    const { tagName, textContent } = document.activeElement ?? document.body
    return tagName.toLowerCase() === wanted || textContent === wanted
  }, what)
}
