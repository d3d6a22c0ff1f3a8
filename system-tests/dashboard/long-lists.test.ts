import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import {
  addManyRrsets,
  addManyZones,
  listIsWhole,
  nightlyTest,
  type Person,
  peopleForTests,
  rowsInDocument,
  testedDevices,
  worldForTests,
} from '../world/index.ts'

const world = await worldForTests()
const personAt = await peopleForTests(world)
const zone = 'long.example.org'
const busy = 'busy.example.org'
const zoneCount = 3_000
const rrsetCount = 1_500
const mostRows = 100
const contact = {
  email: 'ben@example.net',
  phone: '+2348031234567',
  address1: '1 Marina Road',
  city: 'Lagos',
  country: 'NG',
}
await world.admin('zone', 'add', world.facts.account.email, zone, busy)
await addManyZones(world, zoneCount - 3)
await addManyRrsets(world, zone, rrsetCount)

for (const device of testedDevices)
  test(`with thousands of zones and records, the document has at most 100 rows and every row is found, on a ${device}`, async () => {
    const person = await personAt(device)
    await person.signIn()
    await listIsWhole(person, zoneCount)
    await keepsFewRows(person, 'n2996.long.example')
    await person.check('zones-many')
    await person.field('Filter zones').fill('n1234')
    await person.link('n1234.long.example').waitFor()
    await person.sees(/^1 of 3,000 zones/)
    await person.open(`/zones/${zone}`)
    await person.page.getByRole('status').filter({ hasText: 'record sets' }).waitFor()
    await keepsFewRows(person, 'h1499')
    await person.check('records-many')
    await person.field('Filter records').fill('h0777')
    await person.button('Edit h0777 A').click()
    await person.field('IPv4 address').fill(device === 'desktop' ? '192.0.2.251' : '192.0.2.252')
    await person.button('Add to changes').click()
    await person.button('Review and save').click()
    await person.button('Save the change').click()
    await person.sees('Saved. Live on ns1 and ns2.')
    person.assertQuiet()
    await person.page.context().close()
  })

test('thousands of zones are sorted, filtered by URL, selected with Shift and all at once, labeled and exported', async () => {
  const person = await personAt('desktop')
  await person.signIn()
  const { page } = person
  const choose = async (field: string, option: string) => {
    await page.getByRole('combobox', { name: field }).selectOption(option)
  }
  const firstRow = page.getByRole('row').nth(1)
  await listIsWhole(person, zoneCount)
  await choose('Sort by', 'Name Z–A')
  await firstRow.getByRole('link', { name: 'n2996.long.example' }).waitFor()
  await choose('Sort by', 'Most record sets')
  await firstRow.getByRole('link', { name: zone }).waitFor()
  await page.waitForURL(/sort=-rrset_count/)
  await person.open('/zones?q=n12&sort=-name&state=live')
  await listIsWhole(person, 100)
  await firstRow.getByRole('link', { name: 'n1299.long.example' }).waitFor()
  // From the first to the fifth row, by the keyboard and then with Shift.
  await person.field('Select n1299.long.example').press('Space')
  await person.field('Select n1295.long.example').click({ modifiers: ['Shift'] })
  await person.sees('5 selected')
  await person.check('zones-selected')
  await page.reload()
  await person.sees('5 selected')
  await person.button('Select all 100 zones that match').click()
  await person.sees('100 selected')
  await person.button('Labels').click()
  await page.getByRole('dialog').getByLabel('Add labels').fill('Größe')
  await person.sees(/größe is not a label/)
  await page.getByRole('dialog').getByLabel('Add labels').fill('shop eu')
  await person.check('zones-label')
  await page.keyboard.press('Enter')
  await person.seesNot(page.getByRole('dialog'))
  await firstRow.getByText('shop', { exact: true }).waitFor()
  const { body } = await world.api.call<{ data: { labels: string[] }[] }>('GET', '/zones?label=eu&limit=200')
  assert.equal(body.data.length, 100)
  await person.button('Clear the selection').click()
  // The filters from the address, including one that is hidden until it is used.
  await person.open('/zones?label=shop&dnssec=unknown')
  await listIsWhole(person, 100)
  await person.field('Select all').click()
  await person.button('Labels').click()
  await person.button('Remove the label eu from 100').click()
  await person.seesNot(page.getByRole('dialog'))
  await page.getByText('eu', { exact: true }).first().waitFor({ state: 'detached' })
  await person.check('zones-filtered')
  const downloading = page.waitForEvent('download')
  await person.button('Export CSV').click()
  const text = await readFile(await (await downloading).path(), 'utf8')
  const lines = text.trim().split('\r\n')
  assert.deepEqual([lines.length, lines[0]?.slice(0, 18)], [101, 'name,unicode_name,'])
  assert.match(lines[1] ?? '', /^n1200\.long\.example,n1200\.long\.example,live,waiting,,,2,owner,shop,/)
  person.assertQuiet()
  await page.context().close()
})

nightlyTest('edits can be reviewed and records added only when the whole zone is loaded', async () => {
  const person = await personAt('desktop')
  await person.signIn()
  await person.open(`/zones/${zone}`)
  await listIsWhole(person, rrsetCount + 2)
  await person.field('Filter records').fill('h1400')
  await person.button('Delete h1400 A').click()
  await person.sees('1 unsaved change')
  const readingOn = Promise.withResolvers<void>()
  await person.page.route(/\/rrsets\?.*cursor=/, async (route) => {
    await readingOn.promise
    await route.continue()
  })
  await person.page.reload()
  await person.sees('The existing records are still loading. You can save in a moment.')
  assert.ok(await person.button('Review and save').isDisabled())
  await person.button('Add records').click()
  await person.field('Name').fill('h1401')
  await person.field('IPv4 address').fill('192.0.2.253')
  assert.ok(await person.button('Add to changes').isDisabled())
  await person.field('IPv4 address').press('Enter')
  await person.check('records-reading-on')
  readingOn.resolve()
  await person.button('Add to changes').click()
  await person.button('Review and save').click()
  await person.button('Save all 2 changes').click()
  await person.sees('Saved. Live on ns1 and ns2.')
  assert.equal((await world.api.call('GET', `/zones/${zone}/rrsets/h1400/A`)).status, 404)
  const { body } = await world.api.call<{ records: string[] }>('GET', `/zones/${zone}/rrsets/h1401/A`)
  assert.deepEqual(body.records, ['192.0.2.151', '192.0.2.253'])
  person.assertQuiet()
  await person.page.context().close()
})

nightlyTest('loading of a zone continues when the person returns to it', async () => {
  const person = await personAt('desktop')
  await person.signIn()
  const { page } = person
  const further = /\/rrsets\?.*cursor=/
  // Never answered: the page aborts the request when the person leaves it.
  await page.route(further, () => undefined)
  const brokenOff = page.waitForEvent('requestfailed', (request) => further.test(request.url()))
  await person.open(`/zones/${zone}`)
  await page.getByRole('status').filter({ hasText: 'loading more' }).waitFor()
  await person.link('History').click()
  await brokenOff
  await page.unroute(further)
  await person.link('Records').click()
  await person.button('Delete h0003 A').click()
  await listIsWhole(person, rrsetCount + 1)
  await page.getByRole('button', { name: 'Review and save', exact: true, disabled: false }).waitFor()
  person.assertQuiet()
  await page.context().close()
})

test('with hundreds of versions, changes and contacts, the document has at most 100, and the last one is reached', async () => {
  const count = 130
  for (let i = 0; i < count; i++) {
    await world.api.put(busy, 'www', 'A', [`192.0.2.${i}`])
    await world.api.call('POST', '/contacts', { ...contact, name: `Contact ${String(i).padStart(3, '0')}` })
  }
  const person = await personAt('desktop')
  await person.signIn()
  await person.open(`/zones/${busy}/history`)
  await person.button(`Show the changes of version ${count}`).click()
  await person.page.getByRole('list', { name: 'Changes' }).waitFor()
  for (const read of [100, count]) {
    await showOlder(person)
    await person.page.locator(`[aria-setsize="${read}"]`).first().waitFor()
  }
  await keepsFewRows(person, 'version 1Show the changes')
  await person.page.evaluate(() => scrollTo(0, 0))
  await person.page.getByRole('list', { name: 'Changes' }).waitFor()
  await person.check('history-many')

  await person.open(`/audit-log?zone=${busy}`)
  for (const read of [101, count + 1]) {
    await showOlder(person)
    await person.page.locator(`[aria-rowcount="${read}"], [aria-rowcount="${read + 1}"]`).waitFor()
  }
  await keepsFewRows(person, 'was created')
  await person.check('audit-many')

  await person.open('/contacts')
  await keepsFewRows(person, 'Contact 000')
  await keepsFewRows(person, 'Contact 129')
  await person.check('contacts-many')
  await person.page.context().close()
})

/** By the keyboard: rows above the button are measured as the page scrolls to it, so it may move between mouse down and mouse up. */
async function showOlder(person: Person): Promise<void> {
  await person.button('Show older ones').press('Enter')
}

/** Checks at the top and while scrolling, until the last row has come into view. */
async function keepsFewRows(person: Person, last: string): Promise<void> {
  const { page } = person
  assert.ok((await rowsInDocument(person)) <= mostRows)
  await page.waitForFunction(
    ({ text, most }) => {
      const rows = [...document.querySelectorAll('[role=row], tr, [role=listitem][aria-setsize]')]
      if (rows.length > most) throw new Error(`${rows.length} rows are in the document`)
      if (rows.some(({ textContent }) => textContent?.includes(text))) return true
      scrollBy(0, innerHeight * 20)
      return false
    },
    { text: last, most: mostRows },
  )
  await page.evaluate(() => scrollTo(0, 0))
}
