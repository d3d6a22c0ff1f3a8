// The reference page of the API: read without signing in, on any device, and without a script.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isNightly, nightlyTest, peopleForTests, worldForTests } from '../world/index.ts'

const world = await worldForTests()
const personAt = await peopleForTests(world)

test('an operation is found in the contents, and the page has everything about it', async () => {
  const person = await personAt('desktop')
  await person.page.goto('/api/v1/reference')
  await person.link('Docs').waitFor()
  await person.link('Dashboard').waitFor()
  // axe takes ten seconds for it. The check below judges the same page once an operation is open.
  if (isNightly) await person.check('reference')
  await person
    .link(/Create or replace one record set/)
    .first()
    .click()
  const operation = person.page.getByRole('article', { name: 'Create or replace one record set' })
  await operation.getByText('/api/v1/zones/{zone}/rrsets/{name}/{type}').waitFor()
  await operation.getByText('records:write').first().waitFor()
  const members = operation.getByRole('table', { name: 'Request: fields' })
  assert.equal(await members.isVisible(), false)
  await operation.getByText('Fields').first().click()
  await members.getByText('The TTL in seconds, from 30 to 604800.').waitFor()
  await operation.getByText(/^Errors: 400/).click()
  await operation.getByText('service_owned').waitFor()
  await person.check('reference-operation')
})

nightlyTest(
  'on a phone, the list of contents leaves room for the page, and nothing is wider than the screen',
  async () => {
    const person = await personAt('phone')
    await person.page.goto('/api/v1/reference')
    const title = await person.heading('Zonewright API').boundingBox()
    assert.ok(title !== null && title.y < 844 / 2, 'the page begins on the first screen')
    await person.check('reference')
    await person
      .link(/Add a zone/)
      .first()
      .click()
    await person.page.getByRole('article', { name: 'Add a zone', exact: true }).waitFor()
    await person.check('reference-operation')
  },
)

test('the reference works with the keyboard alone, and contains no scripts', async () => {
  const person = await personAt('desktop')
  const { page } = person
  await page.goto('/api/v1/reference')
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Skip to the content')
  await page.keyboard.press('Enter')
  await page.waitForURL(/#content$/)
  assert.deepEqual(await page.evaluate(() => document.scripts.length), 0)
  person.assertQuiet()
})
