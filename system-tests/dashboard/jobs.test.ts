import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jobClicksOf, peopleForTests, worldForTests } from '../world/index.ts'

const parent = 'free.example.org'
const world = await worldForTests({ env: { FREE_PARENTS: parent } })
const personAt = await peopleForTests(world)
const email = world.facts.account.email
await world.admin('zone', 'add', email, parent)

const addressesOf = async (zone: string, name: string): Promise<string[] | undefined> =>
  (await world.api.call<{ records?: string[] }>('GET', `/zones/${zone}/rrsets/${name}/A`)).body.records

test('a record is added, edited and deleted in two clicks each, and each change is undone in one', async () => {
  const zone = 'two-clicks.example.org'
  await world.admin('zone', 'add', email, zone)
  const person = await personAt('desktop')
  const clicks = await jobClicksOf(person)
  const { keyboard } = person.page
  await person.signIn()

  await clicks.begin()
  await person.link(zone).click()
  await person.button('Add records').click()
  await person.field('Name').fill('www')
  await person.field('IPv4 address').fill('192.0.2.1')
  await keyboard.press('Enter')
  await person.sees('Saved. Live on ns1 and ns2.')
  clicks.done('add a record')
  assert.deepEqual(await addressesOf(zone, 'www'), ['192.0.2.1'])
  await person.check('records-saved')
  await person.button('Undo').click()
  await person.sees('Undone. Live on ns1 and ns2.')
  clicks.done('undo a change')
  assert.equal(await addressesOf(zone, 'www'), undefined)

  await world.api.put(zone, 'www', 'A', ['192.0.2.1'])
  await clicks.begin()
  await person.link(zone).click()
  await person.button('Edit www A').click()
  await person.field('IPv4 address').fill('192.0.2.2')
  await keyboard.press('Enter')
  await person.sees('Saved. Live on ns1 and ns2.')
  clicks.done('edit a record')
  assert.deepEqual(await addressesOf(zone, 'www'), ['192.0.2.2'])
  await person.button('Undo').click()
  await person.sees('Undone. Live on ns1 and ns2.')
  clicks.done('undo a change')
  assert.deepEqual(await addressesOf(zone, 'www'), ['192.0.2.1'])

  await clicks.begin()
  await person.link(zone).click()
  await person.button('Delete www A').click()
  await person.button('Save 1 change').waitFor()
  await keyboard.press('Control+Enter')
  await person.sees('Saved. Live on ns1 and ns2.')
  clicks.done('delete a record')
  assert.equal(await addressesOf(zone, 'www'), undefined)

  await world.api.put(zone, 'other', 'A', ['192.0.2.9'])
  person.expects(/status of 412/)
  await person.button('Undo').click()
  await person.sees('Someone else has changed this zone since then')
  assert.deepEqual(await addressesOf(zone, 'other'), ['192.0.2.9'])
  person.assertQuiet()
  await person.page.context().close()
})

test('the TTL of 50 records is changed in four clicks', async () => {
  const zone = 'many-ttls.example.org'
  await world.admin('zone', 'add', email, zone)
  const changes = Array.from({ length: 50 }, (_, i) => ({
    name: `h${String(i).padStart(2, '0')}`,
    type: 'A',
    ttl: 300,
    records: ['192.0.2.1'],
  }))
  const made = await world.api.call('PATCH', `/zones/${zone}/rrsets`, { changes })
  assert.equal(made.status, 200)
  const person = await personAt('desktop')
  const clicks = await jobClicksOf(person)
  await person.signIn()
  await clicks.begin()
  await person.link(zone).click()
  await person.field('Select h00 A').click()
  await person.page.mouse.wheel(0, 10_000)
  await person.field('Select h49 A').click({ modifiers: ['Shift'] })
  await person.sees('50 selected')
  await person.check('records-selected')
  await person.button('Change TTL').click()
  await person.page.getByRole('dialog').getByLabel('TTL in seconds').fill('600')
  await person.check('records-change-ttl')
  await person.page.keyboard.press('Enter')
  await person.sees('Saved. Live on ns1 and ns2.')
  clicks.done('change the TTL of 50 records')
  const { body } = await world.api.call<{ data: { type: string; ttl: number }[] }>(
    'GET',
    `/zones/${zone}/rrsets?type=A`,
  )
  assert.ok(body.data.length === 50 && body.data.every(({ ttl }) => ttl === 600))
  person.assertQuiet()
  await person.page.context().close()
})

test('a preset is applied, a zone file imported and a version restored in three clicks each', async () => {
  const zone = 'three-clicks.example.org'
  await world.admin('zone', 'add', email, zone)
  await world.api.put(zone, 'first', 'A', ['192.0.2.1'])
  const person = await personAt('desktop')
  const clicks = await jobClicksOf(person)
  const { keyboard } = person.page
  const dialog = person.page.getByRole('dialog')
  await person.signIn()

  await clicks.begin()
  await person.link(zone).click()
  await person.link('Presets').click()
  await person.button('Set up Netlify website').click()
  await dialog.getByLabel(/^Subdomain/).fill('shop')
  await dialog.getByLabel(/Name of the site/).fill('my-site')
  await keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Apply' }).waitFor()
  await keyboard.press('Enter')
  await person.button('Edit www.shop CNAME').waitFor()
  clicks.done('apply a preset')

  await person.page.evaluate(() => navigator.clipboard.writeText('imported 300 IN A 192.0.2.81\n'))
  await clicks.begin()
  await person.link(zone).click()
  await person.link('Import and export').click()
  await person.button('Choose a file').waitFor()
  await keyboard.press('Control+V')
  await person.button('Apply this change').click()
  await person.button('Edit imported A').waitFor()
  clicks.done('import a zone file')

  await clicks.begin()
  await person.link(zone).click()
  await person.link('History').click()
  await person.button('Go back to version 1').click()
  await dialog.getByRole('list', { name: 'Changes' }).waitFor()
  await keyboard.press('Control+Enter')
  await person.seesNot(dialog)
  await person.button('Edit first A').waitFor()
  clicks.done('restore a version')
  assert.equal(await addressesOf(zone, 'imported'), undefined)
  person.assertQuiet()
  await person.page.context().close()
})

test('a badge leads to its step in one click, and both nameservers are copied in the second', async () => {
  const zone = 'badges.example.org'
  await world.admin('zone', 'add', email, zone)
  const person = await personAt('desktop')
  const clicks = await jobClicksOf(person)
  const badge = (name: string, text: string) =>
    person.page.getByRole('row').filter({ hasText: name }).getByRole('link', { name: text, exact: true })
  await person.signIn()

  await clicks.begin()
  await badge(zone, 'Not delegated yet').click()
  await person.page.getByRole('list', { name: 'Nameservers to set' }).waitFor()
  clicks.done('go from a badge to its step')
  await person.check('zone-delegation')

  await clicks.begin()
  await badge(zone, 'Not delegated yet').click()
  const copyBoth = person.button('Copy both')
  await copyBoth.waitFor()
  const box = await copyBoth.boundingBox()
  assert.ok(box && box.y + box.height < 800, 'the nameservers are in sight without scrolling')
  await copyBoth.click()
  await person.button('Copied').waitFor()
  clicks.done('copy both nameservers')
  const copied = await person.page.evaluate(() => navigator.clipboard.readText())
  assert.match(copied, /^ns1\.\S+\nns2\.\S+$/)

  const pending = 'badges-to-verify.example.com'
  assert.equal((await world.api.call('POST', '/zones', { name: pending })).status, 201)
  await clicks.begin()
  await badge(pending, 'To verify').click()
  await person.sees('Show that the name is yours')
  clicks.done('go from a badge to its step')
  person.assertQuiet()
  await person.page.context().close()
})

test('a zone is added and a free subdomain claimed in two clicks each', async () => {
  const person = await personAt('desktop')
  const clicks = await jobClicksOf(person)
  await person.signIn()

  await clicks.begin()
  await person.link('Add a zone').click()
  await person.field('Domain').fill('added.example.com')
  await person.button('Add the domain').click()
  await person.sees('Show that the name is yours')
  clicks.done('add a zone')

  await clicks.begin()
  await person.link('Add a zone').click()
  await person.field('Name').fill('ada')
  await person.sees(`ada.${parent} is free`)
  await person.button('Claim it').click()
  await person.heading(`ada.${parent}`).waitFor()
  clicks.done('claim a free subdomain')
  person.assertQuiet()
  await person.page.context().close()
})
