// Work on many zones and domains with the keyboard alone, and on a phone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import { buyerContact, eventually, type Person, peopleForTests, withOwner, worldForTests } from '../world/index.ts'

const world = await worldForTests()
const personAt = await peopleForTests(world)
const { account } = world.facts
const zones = [0, 1, 2].map((i) => `handled-${i}.example.org`)
const domains = [0, 1].map((i) => `by-hand-${i}.test`)

for (const zone of zones) {
  await world.admin('zone', 'add', account.email, zone)
  await world.api.put(zone, 'www', 'A', ['198.51.100.1'])
}
await world.admin('credit', 'grant', account.email, '100000000')
const contact = await world.api.call<{ id: string }>('POST', '/contacts', buyerContact)
await Promise.all(
  domains.map(async (name) => {
    const quote = await world.api.call<{ id: string }>('POST', '/quotes', { kind: 'register', name })
    const order = { quote_id: quote.body.id, contact_id: contact.body.id, use_credit: true }
    assert.equal((await world.api.call('POST', '/orders', order)).status, 201)
    await eventually(`${name} is locked`, async () => (await domainNamed(name)).locked)
  }),
)

test('a value is replaced in many zones, and a preset applied, with the keyboard alone', async () => {
  const person = await personAt('desktop')
  const { page } = person
  const { keyboard } = page
  const review = page.getByRole('region', { name: 'Review' })
  await person.signIn()
  await person.open('/zones?q=handled-')
  await tabTo(person, person.field(`Select ${zones[0]}`))
  await keyboard.press('Space')
  await tabTo(person, person.field(`Select ${zones[2]}`))
  await keyboard.press('Shift+Space')
  await person.sees('3 selected')
  await tabTo(person, person.link('Replace a value in them'))
  await keyboard.press('Enter')
  await hasFocus(person.field('Old value'))
  await keyboard.type('198.51.100.1')
  await keyboard.press('Tab')
  await keyboard.type('198.51.100.2')
  await keyboard.press('Enter')
  await person.sees('3 zones will change.')
  await hasFocus(review)
  await tabTo(person, person.button('Apply to 3 zones'))
  await keyboard.press('Enter')
  await person.sees('3 zones changed.')
  await hasFocus(review)
  for (const zone of zones) assert.deepEqual(await recordsOf(zone, 'www/A'), ['198.51.100.2'])

  await person.open('/zones/replace')
  await hasFocus(person.field('Old value'))
  await keyboard.type('198.51.100.1')
  await keyboard.press('Tab')
  await keyboard.type('198.51.100.2')
  await keyboard.press('Enter')
  await person.sees('No A record in your zones has the value 198.51.100.1.')
  await hasFocus(person.field('New value'))

  await person.open('/zones?q=handled-')
  await tabTo(person, person.link('Apply a preset'))
  await keyboard.press('Enter')
  await hasFocus(page.getByRole('combobox', { name: 'Preset' }))
  await keyboard.type('Netlify')
  await keyboard.press('Enter')
  await tabTo(person, person.field(/^Subdomain/))
  await keyboard.type('shop')
  await tabTo(person, person.field(/Name of the site/))
  await keyboard.type('my-site')
  await keyboard.press('Enter')
  await person.sees('3 zones will change.')
  await keyboard.press('Control+Enter')
  await person.sees('3 zones changed.')
  for (const zone of zones) assert.deepEqual(await recordsOf(zone, 'www.shop/CNAME'), ['my-site.netlify.app.'])
  person.assertQuiet()
  await page.context().close()
})

test('many zones are added, and many domains locked and renewed, with the keyboard alone', async () => {
  const person = await personAt('desktop')
  const { page } = person
  const { keyboard } = page
  await person.signIn()
  await person.open('/zones/add-many')
  await hasFocus(person.field('Names'))
  await keyboard.insertText('by-key-1.example.com\nby-key-2.example.com\nno name')
  await keyboard.press('Control+Enter')
  await person.sees('2 can be added, 1 cannot.')
  await tabTo(person, person.button('Add 2 zones'))
  await keyboard.press('Enter')
  await person.sees('2 zones added.')
  await keyboard.press('Tab')
  await hasFocus(person.button('Export CSV'))

  await unlockAll()
  await person.open('/domains?q=by-hand-')
  await tabTo(person, person.field('Select all'))
  await keyboard.press('Space')
  const bar = page.getByRole('region', { name: 'Selected domains' })
  await tabTo(person, bar.getByRole('button', { name: 'Lock' }))
  await keyboard.press('Enter')
  await person.sees('Locked: 2 domains.')
  await tabTo(person, bar.getByRole('link', { name: 'Renew' }))
  await keyboard.press('Enter')
  await person.button('Renew 2 domains').waitFor()
  await tabTo(person, person.button('Renew 2 domains'))
  await keyboard.press('Enter')
  await person.sees('2 domains ordered')
  await tabTo(person, person.link('Show the orders'))
  for (const name of domains) assert.ok((await domainNamed(name)).locked, name)
  person.assertQuiet()
  await page.context().close()
})

test('a value is replaced in many zones, a preset applied and zones are added on a phone', async () => {
  const person = await personAt('phone')
  const { page } = person
  await person.signIn()
  for (const zone of zones) await world.api.put(zone, 'phone', 'A', ['203.0.113.1'])
  await person.open('/zones?q=handled-')
  await person.field('Select all').tap()
  await person.sees('3 selected')
  await person.check('zones-selected')
  await person.link('Replace a value in them').tap()
  await person.field('Old value').fill('203.0.113.1')
  await person.field('New value').fill('203.0.113.2')
  await person.button('Show what would change').tap()
  await person.sees('3 zones will change.')
  await person.check('replace-value-review')
  await person.button('Apply to 3 zones').tap()
  await person.sees('3 zones changed.')
  await person.check('replace-value-applied')
  for (const zone of zones) assert.deepEqual(await recordsOf(zone, 'phone/A'), ['203.0.113.2'])

  await person.open('/zones?q=handled-')
  await person.link('Apply a preset').tap()
  await page.getByRole('combobox', { name: 'Preset' }).tap()
  await page.getByRole('option', { name: 'Netlify website' }).tap()
  await person.field(/^Subdomain/).fill('phone-shop')
  await person.field(/Name of the site/).fill('my-site')
  await person.button('Show what would change').tap()
  await person.sees('3 zones will change.')
  await person.check('apply-preset-review')
  await person.button('Apply to 3 zones').tap()
  await person.sees('3 zones changed.')

  await person.open('/zones/add-many')
  await person.field('Names').fill('by-phone-1.example.com\nby-phone-2.example.com\nno name')
  await person.button('Check the names').tap()
  await person.sees('2 can be added, 1 cannot.')
  await person.check('zones-pasted')
  await person.button('Add 2 zones').tap()
  await person.sees('2 zones added.')
  await person.check('zones-added')
  person.assertQuiet()
  await page.context().close()
})

test('many domains are locked and renewed on a phone', async () => {
  const person = await personAt('phone')
  await person.signIn()
  await unlockAll()
  await person.open('/domains?q=by-hand-')
  await person.field('Select all').tap()
  const bar = person.page.getByRole('region', { name: 'Selected domains' })
  await person.check('domains-selected')
  await bar.getByRole('button', { name: 'Lock' }).tap()
  await person.sees('Locked: 2 domains.')
  for (const name of domains) assert.ok((await domainNamed(name)).locked, name)
  const expiries = await Promise.all(domains.map(async (name) => (await domainNamed(name)).expires_at))
  await bar.getByRole('link', { name: 'Renew' }).tap()
  await person.button('Renew 2 domains').waitFor()
  await person.check('domains-renew')
  await person.button('Renew 2 domains').tap()
  await person.sees('2 domains ordered')
  for (const [i, name] of domains.entries())
    await eventually(`${name} is renewed`, async () => (await domainNamed(name)).expires_at > (expiries[i] ?? ''))
  person.assertQuiet()
  await person.page.context().close()
})

/** The maximum number of times to press Tab, enough for all of a page with a list. */
const mostTabs = 120

/** Presses Tab until the element has the focus, like a person without a mouse. */
async function tabTo(person: Person, target: Locator): Promise<void> {
  await target.waitFor()
  for (let presses = 0; presses < mostTabs; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await person.page.keyboard.press('Tab')
  }
  assert.fail(`${mostTabs} presses of Tab do not reach ${target}`)
}

async function hasFocus(target: Locator): Promise<void> {
  await eventually(`the focus is on ${target}`, () => target.evaluate((element) => element === document.activeElement))
}

async function recordsOf(zone: string, rrset: string): Promise<readonly string[] | undefined> {
  return (await world.api.call<{ records?: string[] }>('GET', `/zones/${zone}/rrsets/${rrset}`)).body.records
}

async function domainNamed(name: string): Promise<{ readonly locked: boolean; readonly expires_at: string }> {
  return (await world.api.call<{ locked: boolean; expires_at: string }>('GET', `/domains/${name}`)).body
}

/** The state after each domain was unlocked, without waiting for the codes. */
async function unlockAll(): Promise<void> {
  await withOwner(world, (client) =>
    client.query(`update domains set statuses = '{ok}' where name = any($1)`, [domains]),
  )
}

test('of 5,000 pasted names, those without a fault are added, and each other line says what is wrong', async () => {
  const person = await personAt('desktop')
  await person.signIn()
  await person.open('/zones/add-many')
  const faults: readonly ((n: number) => readonly [text: string, says: string])[] = [
    (n) => [`https://www.PASTED-${n}.example.org/shop`, `The same as line ${n + 1}.`],
    (n) => [`ada-${n}@example.org`, 'This is an email address, not a domain.'],
    (n) => [`192.0.2.${n % 256}`, 'This is an IP address, not a domain.'],
    (n) => [`no-dot-${n}`, 'A domain name has a dot, such as example.com.'],
    (n) => [`*.wild-${n}.example.org`, 'This is not a domain name.'],
    (n) => [`${'l'.repeat(64)}.n${n}.example.org`, 'This is not a domain name.'],
    (n) => [`two words ${n}.example.org`, 'This is not a domain name.'],
    (n) => [`<img src=x onerror=alert(${n})>.example.org`, 'This is not a domain name.'],
    (n) => [`-dash-${n}.example.org`, 'This is not a domain name.'],
  ]
  const groups = Array.from({ length: 500 }, (_, i) => i * 10)
  const lines = groups.flatMap((n) => [`pasted-${n}.example.org`, ...faults.map((fault) => fault(n)[0])])
  await paste(person, person.field('Names'), [...lines, 'one-more.example.org'].join('\n'))
  await person.sees('These are 5,001 names. Paste at most 5,000 at once.')
  await paste(person, person.field('Names'), lines.join('\n'))
  await person.sees('5,000 names')
  await person.button('Check the names').click()
  await person.sees('500 can be added, 4,500 cannot.')
  await person.field('Only lines with a problem').click()
  for (const fault of faults) await person.sees(fault(0)[1])
  await person.button('Add 500 zones').click()
  await person.sees('500 zones added.')
  assert.equal((await world.api.call('GET', '/zones/pasted-4990.example.org')).status, 200)
  person.assertQuiet()
  await person.page.context().close()
})

/** Replaces the text of a field by pasting, as a person does. `fill` is too slow here: its time grows with the square of the number of lines. */
async function paste({ page }: Person, field: Locator, text: string): Promise<void> {
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
  await field.focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Control+v')
}
