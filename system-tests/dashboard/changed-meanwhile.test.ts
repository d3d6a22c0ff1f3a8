import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nightlyTest, type Person, peopleForTests, worldForTests } from '../world/index.ts'

const world = await worldForTests()
const personAt = await peopleForTests(world)
const zone = 'meanwhile.example.org'
await world.admin('zone', 'add', world.facts.account.email, zone)

test('an open form remembers its initial state: later changes and deletions by others are merged, not overwritten', async () => {
  await world.api.put(zone, 'www', 'A', ['192.0.2.1'])
  await world.api.put(zone, 'gone', 'A', ['192.0.2.1'])
  const person = await personAt('desktop')
  await person.signIn()
  await person.open(`/zones/${zone}`)

  await person.button('Edit www A').click()
  await world.api.put(zone, 'www', 'A', ['192.0.2.1', '192.0.2.9'])
  await world.api.put(zone, 'read-again', 'A', ['192.0.2.1'])
  await comeBackLater(person)
  await person.button('Edit read-again A').waitFor()
  await keepAnother(person)
  await person.button('Review and save').click()
  await settle(person, 'Keep both')
  assert.deepEqual(await records('www'), ['192.0.2.1', '192.0.2.2', '192.0.2.9'])

  await person.button('Edit gone A').click()
  await person.button('Another value').click()
  await person.field('IPv4 address, value 2').fill('192.0.2.2')
  await world.api.call('DELETE', `/zones/${zone}/rrsets/gone/A`)
  await world.api.call('DELETE', `/zones/${zone}/rrsets/read-again/A`)
  await comeBackLater(person)
  await person.seesNot(person.button('Edit read-again A'))
  assert.equal(await person.field('IPv4 address, value 2').inputValue(), '192.0.2.2')
  await person.sees('Someone else has changed this record set')
  await person.check('records-changed-by-others')
  await person.button('Add to changes').click()
  await person.button('Review and save').click()
  await settle(person, 'Keep mine')
  assert.deepEqual(await records('gone'), ['192.0.2.1', '192.0.2.2'])
  person.assertQuiet()
  await person.page.context().close()
})

nightlyTest('a list that was requested before a change was saved does not replace the newer one', async () => {
  const person = await personAt('desktop')
  await person.signIn()
  await person.open(`/zones/${zone}`)
  await person.button('Edit www A').waitFor()
  const answers = Promise.withResolvers<void>()
  const isAsked = Promise.withResolvers<void>()
  await person.page.route(/\/rrsets\?limit/, async (route) => {
    const before = await route.fetch()
    isAsked.resolve()
    await answers.promise
    // The page may no longer be waiting for it.
    await route.fulfill({ response: before }).catch(() => undefined)
  })
  const isBrokenOff = person.page.waitForEvent('requestfailed', (request) => /\/rrsets\?limit/.test(request.url()))
  await comeBackLater(person)
  await isAsked.promise
  await person.addUnsaved('saved')
  await person.button('Review and save').click()
  await save(person)
  await isBrokenOff
  answers.resolve()
  await person.button('Edit saved A').waitFor()
  await person.page.context().close()
})

nightlyTest(
  'a choice in a merge applies only to that merge: after another change by others, the page asks again',
  async () => {
    await world.api.put(zone, 'merged', 'A', ['192.0.2.1'])
    const person = await personAt('desktop')
    await person.signIn()
    await person.open(`/zones/${zone}`)
    await person.button('Edit merged A').click()
    await keepAnother(person)
    await world.api.put(zone, 'merged', 'A', ['192.0.2.1', '192.0.2.9'])
    person.expects(/status of 412/)
    await person.button('Review and save').click()
    await person.button('Keep theirs').click()
    await person.page.mouse.click(4, 4)
    await world.api.put(zone, 'merged', 'A', ['192.0.2.1', '192.0.2.10'])
    await comeBackLater(person)
    await person.page.getByRole('dialog').getByText('192.0.2.10').waitFor()
    assert.ok(await person.button('Continue').isDisabled())
    await settle(person, 'Keep both')
    assert.deepEqual(await records('merged'), ['192.0.2.1', '192.0.2.10', '192.0.2.2'])
    person.assertQuiet()
    await person.page.context().close()
  },
)

nightlyTest(
  'an open form stays if its change was saved and later changes are discarded; discarding its own change closes it',
  async () => {
    await world.api.put(zone, 'stays', 'A', ['192.0.2.1'])
    const person = await personAt('desktop')
    await person.signIn()
    await person.open(`/zones/${zone}`)
    await person.button('Edit stays A').click()
    await keepAnother(person)
    await person.button('Edit stays A').click()
    await person.button('Review and save').click()
    await save(person)
    await person.button('Another value').click()
    await person.field('IPv4 address, value 3').fill('192.0.2.3')
    await person.addUnsaved('discarded')
    await discard(person)
    assert.equal(await person.field('IPv4 address, value 3').inputValue(), '192.0.2.3')
    await person.button('Add to changes').click()
    await person.button('Edit stays A').click()
    await discard(person)
    await person.seesNot(person.field('IPv4 address, value 3'))
    person.assertQuiet()
    await person.page.context().close()
  },
)

nightlyTest('a record added while a form shows values that others deleted becomes the only value', async () => {
  await world.api.put(zone, 'anew', 'A', ['192.0.2.7'])
  const person = await personAt('desktop')
  await person.signIn()
  await person.open(`/zones/${zone}`)
  await person.button('Edit anew A').click()
  await world.api.call('DELETE', `/zones/${zone}/rrsets/anew/A`)
  await world.api.put(zone, 'read-anew', 'A', ['192.0.2.1'])
  await comeBackLater(person)
  await person.button('Edit read-anew A').waitFor()
  await person.addUnsaved('anew')
  await person.button('Review and save').click()
  await save(person)
  assert.deepEqual(await records('anew'), ['192.0.2.1'])
  person.assertQuiet()
  await person.page.context().close()
})

test('a review stays open while it saves; edits made after going back in the browser are not lost', async () => {
  await world.api.put(zone, 'later', 'A', ['192.0.2.1'])
  const person = await personAt('desktop')
  await person.signIn()
  await person.link(zone).click()
  await person.addUnsaved('first')
  const answer = await person.waitsForNext(/\/rrsets$/, 'PATCH')
  await person.button('Review and save').click()
  const isReadAgain = person.page.waitForResponse(/\/rrsets\?limit/)
  await person.button('Save the change').click()
  await answer.isAsked
  await staysOpen(person, 'Back')
  // The hint about the change arrives before the response to it.
  await isReadAgain
  await person.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  await person.page.getByRole('dialog').getByRole('list', { name: 'Changes' }).waitFor()
  await person.check('records-saving')
  await person.page.goBack()
  await person.link(zone).click()
  await person.button('Delete later A').click()
  await person.sees('2 unsaved changes')
  answer.comes()
  await person.sees('1 unsaved change')
  await person.button('Review and save').click()
  await save(person)
  assert.deepEqual(await records('first'), ['192.0.2.1'])
  assert.equal((await world.api.call('GET', `/zones/${zone}/rrsets/later/A`)).status, 404)
  person.assertQuiet()
  await person.page.context().close()
})

nightlyTest(
  'an edit that is discarded after leaving its running save becomes an unsaved change that reverts it',
  async () => {
    const person = await personAt('desktop')
    await person.signIn()
    await person.link(zone).click()
    await person.addUnsaved('undone')
    const answer = await person.waitsForNext(/\/rrsets$/, 'PATCH')
    await person.button('Review and save').click()
    await person.button('Save the change').click()
    await answer.isAsked
    await person.page.goBack()
    await person.link(zone).click()
    await person.button('Discard').click()
    await person.button('Discard 1 change').click()
    await person.seesNot(person.page.getByText('1 unsaved change'))
    answer.comes()
    await person.sees('1 unsaved change')
    await person.button('Review and save').click()
    await save(person)
    assert.equal((await world.api.call('GET', `/zones/${zone}/rrsets/undone/A`)).status, 404)
    person.assertQuiet()
    await person.page.context().close()
  },
)

nightlyTest(
  'the dialog of a restore stays open while it runs, and opens no page if the person has gone elsewhere',
  async () => {
    const person = await personAt('desktop')
    await person.signIn()
    await person.link(zone).click()
    await person.link('History').click()
    const back = person.button(/^Restore version/)
    await back.first().click()
    const dialog = person.page.getByRole('dialog')
    await dialog.getByRole('list', { name: 'Changes' }).waitFor()
    const answer = await person.waitsForNext(/\/restore$/, 'POST')
    await dialog.getByRole('button', { name: /^Restore/ }).click()
    await answer.isAsked
    await staysOpen(person, 'Cancel')
    await person.page.goBack()
    await person.link('Domains').click()
    await person.heading('Domains').waitFor()
    answer.comes()
    await person.sees(/^The records are as in version \d+ again/)
    await person.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    assert.match(person.page.url(), /\/domains$/)
    person.assertQuiet()
    await person.page.context().close()
  },
)

nightlyTest('a contact that is saved after its form was closed does not close the next form', async () => {
  const person = await personAt('desktop')
  await person.signIn()
  await person.open('/contacts')
  await person.button('New contact').click()
  const answer = await person.waitsForNext(/\/contacts$/, 'POST', 201)
  for (const [label, text] of Object.entries(ada)) await person.field(label).fill(text)
  await person.field('Country').selectOption('Nigeria')
  await person.button('Save the contact').click()
  await answer.isAsked
  await person.page.keyboard.press('Escape')
  await person.seesNot(person.page.getByRole('dialog'))
  await person.button('New contact').click()
  await person.field('City').fill('Abuja')
  answer.comes()
  await person.page.getByText('Ada Obi').waitFor()
  assert.equal(await person.field('City').inputValue(), 'Abuja')
  person.assertQuiet()
  await person.page.context().close()
})

const ada = {
  'Full name': 'Ada Obi',
  Email: 'ada@example.net',
  Phone: '+2348031234567',
  Address: '1 Broad Street',
  City: 'Lagos',
}

/** Nothing that usually closes the dialog closes it, including the button with this name. */
async function staysOpen(person: Person, button: string): Promise<void> {
  const dialog = person.page.getByRole('dialog')
  await person.page.keyboard.press('Escape')
  await person.page.mouse.click(4, 4)
  for (const name of ['Close', button]) assert.ok(await dialog.getByRole('button', { name, exact: true }).isDisabled())
}

/** Types a second value, 192.0.2.2, into the open form, and adds it to the changes. */
async function keepAnother(person: Person): Promise<void> {
  await person.button('Another value').click()
  await person.field('IPv4 address, value 2').fill('192.0.2.2')
  await person.button('Add to changes').click()
  await person.sees('1 unsaved change')
}

/** Makes a choice in a merge, such as `Keep both`, and saves the result. */
async function settle(person: Person, choice: string): Promise<void> {
  await person.sees('Someone else has changed this zone since you opened it.')
  await person.button(choice).click()
  await person.button('Continue').click()
  await save(person)
}

async function save(person: Person): Promise<void> {
  await person.button('Save the change').click()
  await person.seesNot(person.page.getByText('1 unsaved change'))
}

async function discard(person: Person): Promise<void> {
  await person.button('Discard').click()
  await person.button('Discard 1 change').click()
  await person.seesNot(person.page.getByText('1 unsaved change'))
}

async function records(name: string): Promise<string[]> {
  const { body } = await world.api.call<{ records: string[] }>('GET', `/zones/${zone}/rrsets/${name}/A`)
  return [...body.records].sort()
}

/** The person returns to this tab after its data has become stale. */
async function comeBackLater({ page }: Person): Promise<void> {
  await page.evaluate(() => {
    const now = Date.now
    Date.now = () => now() + 20_000
    dispatchEvent(new Event('visibilitychange'))
  })
}
