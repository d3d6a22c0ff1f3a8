import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  Api,
  addManyZones,
  isNightly,
  jobClicksOf,
  newcomer,
  newcomerPassword,
  peopleForTests,
  worldForTests,
} from '../world/index.ts'

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
  await person.field('Select all').click()
  await person.sees('50 selected')
  await person.button('Clear the selection').click()
  await person.seesNot(person.page.getByText('50 selected'))
  person.assertQuiet()
  await person.page.context().close()
})

test('a label is added in two clicks, and the zones exported in one', async () => {
  const zone = 'labelled.example.org'
  await world.admin('zone', 'add', email, zone)
  const person = await personAt('desktop')
  const clicks = await jobClicksOf(person)
  await person.signIn()
  await clicks.begin()
  await person.field(`Select ${zone}`).click()
  await person.button('Labels').click()
  await person.page.getByRole('dialog').getByLabel('Add labels').fill('shop')
  await person.page.keyboard.press('Enter')
  await person.page.getByRole('row').filter({ hasText: zone }).getByText('shop', { exact: true }).waitFor()
  clicks.done('add a label to zones')
  const { body } = await world.api.call<{ labels: string[] }>('GET', `/zones/${zone}`)
  assert.deepEqual(body.labels, ['shop'])
  await clicks.begin()
  const downloading = person.page.waitForEvent('download')
  await person.button('Export CSV').click()
  await downloading
  clicks.done('export zones as CSV')
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
  await person.button('Restore version 1').click()
  await dialog.getByRole('list', { name: 'Changes' }).waitFor()
  await keyboard.press('Control+Enter')
  await person.seesNot(dialog)
  await person.button('Edit first A').waitFor()
  clicks.done('restore a version')
  assert.equal(await addressesOf(zone, 'imported'), undefined)
  person.assertQuiet()
  await person.page.context().close()
})

test('a badge leads to its step in one click, and a second click copies both nameservers', async () => {
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
  await person.sees('Verify that the domain is yours')
  clicks.done('go from a badge to its step')
  person.assertQuiet()
  await person.page.context().close()
})

test('someone is invited in two clicks, signs in with the address filled in, and accepts in two', async () => {
  const zone = 'invited.example.org'
  const guest = 'guest-of-jobs@example.net'
  await world.admin('zone', 'add', email, zone)
  const person = await personAt('desktop')
  const clicks = await jobClicksOf(person)
  await person.signIn()
  await clicks.begin()
  await person.link(zone).click()
  await person.link('Sharing').click()
  await person.field('Email').fill(guest)
  await person.page.keyboard.press('Enter')
  await person.button(`Cancel the invitation of ${guest}`).waitFor()
  clicks.done('invite a manager')

  const isInvitation = ({ subject }: { subject: string }) => /^Invitation to manage/.test(subject)
  const { links, text } = await world.mailbox.waitFor(guest, 'the invitation', isInvitation)
  assert.match(text, new RegExp(`^${email} invites you to manage the zone ${zone}\\.`))
  const link = links.find((url) => url.includes('/app/zones')) ?? ''
  await person.page.goto(link)
  await person.sees(`You are signed in as ${email}.`)
  await newcomer(world, guest)
  await world.admin('zone', 'add', guest, 'of-the-guest.example.org')
  const other = await personAt('desktop')
  const theirClicks = await jobClicksOf(other)
  other.expects(/status of 401/)
  await other.page.goto(link)
  assert.equal(await other.field('Email').inputValue(), guest)
  await other.field('Password').fill(newcomerPassword)
  await other.button('Sign in').click()
  await other.sees(`${email} invites you to manage ${zone}`)
  await theirClicks.begin()
  await other.page.goto(link)
  await other.button('Accept').click()
  await other.link(zone).waitFor()
  theirClicks.done('accept an invitation')
  other.assertQuiet()
  person.assertQuiet()
  await person.page.context().close()
  await other.page.context().close()
})

test('a zone is added and a free subdomain claimed in two clicks each', async () => {
  const person = await personAt('desktop')
  const clicks = await jobClicksOf(person)
  await person.signIn()

  await clicks.begin()
  await person.link('Add a zone').click()
  await person.field('Domain').fill('added.example.com')
  await person.button('Add the domain').click()
  await person.sees('Verify that the domain is yours')
  clicks.done('add a zone')

  await clicks.begin()
  await person.link('Add a zone').click()
  await person.field('Name').fill('ada')
  await person.sees(`ada.${parent} is available`)
  await person.button('Claim it').click()
  await person.heading(`ada.${parent}`).waitFor()
  clicks.done('claim a free subdomain')
  person.assertQuiet()
  await person.page.context().close()
})

test('a key is created in at most four clicks, and restricted in three', async () => {
  const person = await personAt('desktop')
  const clicks = await jobClicksOf(person)
  const { page } = person
  const { keyboard } = page
  await person.signIn()

  await clicks.begin()
  await person.link('API keys').click()
  await person.button('Create a key').click()
  await person.field(/^Name/).fill('deploy of jobs')
  await page.getByRole('checkbox', { name: 'records:write' }).click()
  await person.field(/^Code/).fill(await person.code())
  await keyboard.press('Enter')
  await person.heading('The key deploy of jobs was created').waitFor()
  clicks.done('create an API key')
  const key = /svc_live_\w+/.exec(await page.locator('main').innerText())?.[0] ?? ''
  const api = new Api(world.facts.base_url, [key])
  await api.put(parent, 'by-key', 'A', ['192.0.2.1'])

  await clicks.begin()
  await person.link('API keys').click()
  await person.button('Restrict deploy of jobs').click()
  const dialog = page.getByRole('dialog', { name: 'Restrict deploy of jobs' })
  await dialog.waitFor()
  assert.ok(await dialog.getByRole('button', { name: 'Restrict the key' }).isDisabled())
  await dialog.getByRole('checkbox', { name: 'records:write' }).click()
  await person.check('restrict-key')
  await keyboard.press('Control+Enter')
  await person.sees('The key deploy of jobs is restricted.')
  clicks.done('restrict an API key')
  const { status } = await api.call('PUT', `/zones/${parent}/rrsets/by-key/A`, { records: ['192.0.2.2'] })
  assert.equal(status, 403)
  assert.equal((await api.call('GET', `/zones/${parent}/rrsets/by-key/A`)).status, 200)

  await person.button('Restrict deploy of jobs').click()
  await dialog.getByRole('radio', { name: 'Only these' }).click()
  await dialog.getByRole('combobox', { name: 'Which ones' }).fill(parent)
  await page.getByRole('option', { name: `${parent} (zone)`, exact: true }).click()
  // Closes the list, and not the dialog.
  await keyboard.press('Escape')
  await dialog.getByRole('checkbox', { name: /^Only some records/ }).check()
  await dialog.getByLabel(`Names in ${parent}`).fill('home')
  await dialog.getByLabel(`Types in ${parent}`).fill('A')
  await dialog.getByRole('button', { name: 'Restrict the key' }).click()
  await person.sees(`Limited to home in ${parent} (A)`)
  person.expects(/status of 422/)
  await person.button('Restrict deploy of jobs').click()
  await dialog.getByLabel(`Names in ${parent}`).fill('home, other')
  await dialog.getByRole('button', { name: 'Restrict the key' }).click()
  await dialog.getByText(/is not within the limits of the key/).waitFor()
  person.assertQuiet()
  await person.page.context().close()
})

test('an endpoint is created, tested and paused, and a failing delivery is seen and resent, in few clicks', async () => {
  const zone = 'hooked.example.org'
  await world.admin('zone', 'add', email, zone)
  const url = new URL('hooked', world.facts.receiver_url).href
  const person = await personAt('desktop')
  const clicks = await jobClicksOf(person)
  await person.signIn()

  await clicks.begin()
  await person.link('Webhooks').click()
  await person.button('Add an endpoint').click()
  await person.field(/^URL/).fill(url)
  await person.page.keyboard.press('Enter')
  await person.heading(/^The secret of/).waitFor()
  clicks.done('create a webhook endpoint')
  await person.button('Send a test').click()
  await person.sees('The test arrived: your server answered 200.')
  clicks.done('test a webhook endpoint')

  await world.received.behave({ status: 503 }, 'hooked')
  await world.api.put(zone, 'failing', 'A', ['192.0.2.1'])
  await clicks.begin()
  await person.link('Webhooks').click()
  await person
    .link(/^Failing: retry 2 of 8/)
    .first()
    .click()
  await person.page.getByRole('region', { name: 'Body', exact: true }).getByText('failing.hooked').waitFor()
  clicks.done('see the payload of a failing delivery')

  await world.received.behave({}, 'hooked')
  await clicks.begin()
  await person.link('Webhooks').click()
  await person.button(`Resend to ${url}`).click()
  await person.link('Delivered').waitFor()
  clicks.done('resend a failing delivery')

  await clicks.begin()
  await person.link('Webhooks').click()
  await person.button(`Pause ${url}`).click()
  await person.page.getByText('Paused', { exact: true }).waitFor()
  clicks.done('pause a webhook endpoint')
  person.assertQuiet()
  await person.page.context().close()
})

test('one address is replaced in 300 zones, and a preset applied to 50, in at most four clicks each', async () => {
  await addManyZones(world, 300)
  const nameOf = (i: number): string => `n${String(i).padStart(4, '0')}.long.example`
  for (const first of [0, 150]) {
    const zones = Array.from({ length: 150 }, (_, i) => ({
      zone: nameOf(first + i),
      changes: [{ name: 'www', type: 'A', records: ['198.51.100.1'] }],
      if_match: 0,
    }))
    assert.equal((await world.api.call('POST', '/plans/apply', { zones })).status, 200)
  }
  const person = await personAt('desktop')
  const clicks = await jobClicksOf(person)
  const { keyboard } = person.page
  await person.signIn()

  await clicks.begin()
  await person.link('Replace a value').click()
  await person.field('Old value').fill('198.51.100.1')
  await person.field('New value').fill('198.51.100')
  await person.sees('Not an IPv4 address')
  await person.check('replace-value')
  await person.field('New value').fill('198.51.100.2')
  await keyboard.press('Enter')
  await person.sees('300 zones will change.')
  await person.check('replace-value-review')
  await world.api.put(nameOf(7), 'other', 'A', ['198.51.100.9'])
  await person.button('Apply to 300 zones').click()
  await person.sees('299 zones changed. 1 zone had changed since the review and was left as it is.')
  clicks.done('replace one address in 300 zones')
  assert.deepEqual(await addressesOf(nameOf(299), 'www'), ['198.51.100.2'])
  assert.deepEqual(await addressesOf(nameOf(7), 'www'), ['198.51.100.1'])
  await person.check('replace-value-applied')
  await person.button('Review this zone again').click()
  await person.sees('1 zone will change.')
  await person.button('Apply to 1 zone').click()
  await person.sees('1 zone changed.')
  assert.deepEqual(await addressesOf(nameOf(7), 'www'), ['198.51.100.2'])
  await person.field('Old value').fill('198.51.100.77')
  await keyboard.press('Enter')
  await person.sees('No A record in your zones has the value 198.51.100.77.')

  await clicks.begin()
  await person.field('Filter zones').fill('n00')
  await person.sees('100 of ')
  await person.field('Select n0000.long.example').click()
  await person.page.mouse.wheel(0, 1_600)
  await person.field('Select n0049.long.example').click({ modifiers: ['Shift'] })
  await person.sees('50 selected')
  await person.link('Apply a preset').click()
  await person.page.getByRole('combobox', { name: 'Preset' }).fill('Netlify')
  await keyboard.press('Enter')
  await person.field(/Name of the site/).fill('my-site')
  await keyboard.press('Enter')
  await person.sees('50 zones will change.')
  await person.check('apply-preset-review')
  await keyboard.press('Control+Enter')
  await person.sees('50 zones changed.')
  clicks.done('apply a preset to 50 zones')
  if (isNightly) {
    const phone = await personAt('phone')
    await phone.signIn()
    await phone.open('/zones/replace')
    await phone.field('Old value').fill('198.51.100.2')
    await phone.field('New value').fill('198.51.100.3')
    await phone.button('Show what would change').click()
    await phone.sees('250 zones will change.')
    await phone.check('replace-value-review')
    await phone.page.context().close()
  }
  const { body } = await world.api.call<{ records: string[] }>('GET', `/zones/${nameOf(49)}/rrsets/www/CNAME`)
  assert.deepEqual(body.records, ['my-site.netlify.app.'])
  person.assertQuiet()
  await person.page.context().close()
})
