import assert from 'node:assert/strict'
import { test } from 'node:test'
import { domainToASCII } from 'node:url'
import { eventually, type Person, peopleForTests, worldForTests } from '../world/index.ts'

const world = await worldForTests()
const personAt = await peopleForTests(world)
const email = world.facts.account.email
const zone = 'screens.example.org'
await world.admin('zone', 'add', email, zone)
await world.api.put(zone, 'www', 'A', ['192.0.2.1'])

const upright = { width: 390, height: 844 }
const lying = { width: 844, height: 390 }
/** A desktop of 1280 × 800 at 200 %. */
const zoomed = { width: 640, height: 400 }

test('when a phone is rotated while a form is open, what was typed stays and every control can be reached', async () => {
  const person = await personAt('phone')
  await person.signIn()
  await person.open(`/zones/${zone}`)
  await person.button('Add records').click()
  const form = person.page.getByRole('form', { name: 'New records' })
  for (const button of ['Edit www A', 'Delete www A', 'Cancel', 'Help: TTL']) await takesTaps(person, button)
  await form.getByLabel('Name', { exact: true }).fill('rotated')
  await form.getByLabel('IPv4 address').fill('192.0.2.3')
  for (const size of [lying, upright]) {
    await person.page.setViewportSize(size)
    await fits(person, 'the form of a record')
    assert.equal(await form.getByLabel('Name', { exact: true }).inputValue(), 'rotated')
    assert.equal(await form.getByLabel('IPv4 address').inputValue(), '192.0.2.3')
  }
  await person.page.setViewportSize(lying)
  await form.getByRole('button', { name: 'Add to changes' }).click()
  await person.sees('1 unsaved change')
  await fits(person, 'changes that are not saved')
  await person.button('Review and save').click()
  await person.page.getByRole('dialog').getByRole('list', { name: 'Changes' }).waitFor()
  for (const size of [upright, lying]) {
    await person.page.setViewportSize(size)
    await fits(person, 'the review')
  }
  await person.button('Save the change').click()
  await person.sees('Saved. ')

  await person.open('/contacts')
  await person.button('New contact').click()
  await person.field('City').fill('Lagos')
  for (const size of [upright, lying]) {
    await person.page.setViewportSize(size)
    await fits(person, 'the form of a contact')
    assert.equal(await person.field('City').inputValue(), 'Lagos')
  }
  await person.check('contact-rotated')
  await person.page.context().close()
})

/** The main pages, and what opens their form. */
const pages: readonly { readonly path: string; readonly opener?: string }[] = [
  { path: '/zones' },
  { path: '/zones/add' },
  { path: '/zones/deleted' },
  { path: `/zones/${zone}`, opener: 'Add records' },
  { path: `/zones/${zone}`, opener: 'Edit www A' },
  ...['import', 'presets', 'history', 'health', 'secondaries', 'sharing', 'settings'].map((page) => ({
    path: `/zones/${zone}/${page}`,
  })),
  { path: '/domains' },
  { path: '/buy' },
  { path: '/buy/zoomed.test' },
  { path: '/orders' },
  { path: '/contacts', opener: 'New contact' },
  { path: '/credit' },
  { path: '/api-keys', opener: 'Create a key' },
  { path: '/connect-a-client?client=certbot' },
  { path: '/webhooks', opener: 'Add an endpoint' },
  { path: `/webhooks/${world.facts.webhook.id}` },
  { path: '/audit-log' },
  { path: '/account' },
]

test('at 200 %, no page is too wide, and every action can be reached', async () => {
  const person = await personAt('desktop')
  await person.page.setViewportSize(zoomed)
  const settles = settlingOf(person)
  await person.signIn()
  for (const { path, opener } of pages) {
    await person.open(path)
    await settles()
    if (opener !== undefined) await person.button(opener).click()
    await settles()
    await fits(person, `${path} ${opener ?? ''}`)
  }
  await person.button('Menu').click()
  await person.link('Documentation').waitFor()
  await fits(person, 'the menu', 'nav')
  await person.link('Account').click()
  await person.heading('Account').waitFor()
  person.assertQuiet()
  await person.page.context().close()
})

test('a name in a right-to-left script is isolated wherever it appears', async () => {
  const shown = 'שלום.דוגמה.example.org'
  const name = domainToASCII(shown)
  const host = domainToASCII('אתר')
  await world.admin('zone', 'add', email, name)
  await world.api.put(name, host, 'A', ['192.0.2.1'])
  await world.api.put(name, 'www', 'CNAME', [`${host}.${name}.`])
  const person = await personAt('desktop')
  const settles = settlingOf(person)
  await person.signIn()
  await person.link(shown).waitFor()
  await isolates(person, 'the list of zones')
  await person.link(shown).click()
  await person.button(/^Edit .* A$/).waitFor()
  await eventually('the title is set', async () => /^\u2066[^\u2069]+\u2069: records/.test(await person.page.title()))
  await isolates(person, 'the records')
  await person.check('right-to-left')
  await person.button(/^Delete .* A$/).click()
  await person.button('Review and save').click()
  await person.page.getByRole('dialog').getByRole('list', { name: 'Changes' }).waitFor()
  await isolates(person, 'the review')
  await person.button('Back').click()
  await person.button('Discard').click()
  await person.page.getByRole('dialog').waitFor()
  await isolates(person, 'the question before changes are discarded')
  await person.button('Discard 1 change').click()
  for (const page of ['history', 'health', 'settings', '?step=nameservers']) {
    await person.open(`/zones/${name}/${page}`)
    await person.heading(shown).waitFor()
    await settles()
    await isolates(person, page)
  }
  await person.open(`/zones/${name}/settings`)
  assert.ok((await person.button(`Delete ${shown}`).evaluate(pixelsBeforeName)) >= 2)
  await person.button(`Delete ${shown}`).click()
  await person.page.getByRole('dialog').waitFor()
  await isolates(person, 'the question before a zone is deleted')
  await person.button('Cancel').click()
  await person.open(`/buy/${domainToASCII('שלום')}.test`)
  await person.page.locator('main h1').waitFor()
  await isolates(person, 'an order')
  await person.open('/zones/add')
  await person.field('Domain').fill(shown)
  person.expects(/status of 409/)
  await person.field('Domain').press('Enter')
  await person.page.getByRole('alert').waitFor()
  await isolates(person, 'an error')
  person.assertQuiet()
  await person.page.context().close()
})

test('with reduced motion, all elements of a page change their colors immediately', async () => {
  const person = await personAt('desktop')
  await person.signIn()
  const moving = await person.page.evaluate(() => {
    document.documentElement.dataset['mantineColorScheme'] = 'dark'
    return document.getAnimations().length
  })
  assert.equal(moving, 0)
  person.assertQuiet()
  await person.page.context().close()
})

/** Waits until the page has loaded its data. */
function settlingOf({ page }: Person): () => Promise<void> {
  const reads = new Set<unknown>()
  page.on('request', (request) => {
    if (/\/api\/v1\/(?!updates)/.test(request.url())) reads.add(request)
  })
  page.on('requestfinished', (request) => void reads.delete(request))
  page.on('requestfailed', (request) => void reads.delete(request))
  return async () => {
    await page.locator('main h1').first().waitFor()
    await eventually('nothing is being read', async () => reads.size === 0)
  }
}

/** Checks that a finger that lands 21 pixels beside the center of a button still presses it. */
async function takesTaps(person: Person, name: string): Promise<void> {
  const button = person.button(name)
  await button.scrollIntoViewIfNeeded()
  const missed = await button.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    const sides = [
      [-21, 0],
      [21, 0],
      [0, -21],
      [0, 21],
    ] as const
    return sides.filter(
      ([dx, dy]) => !element.contains(document.elementFromPoint(x + width / 2 + dx, y + height / 2 + dy)),
    )
  })
  assert.deepEqual(missed, [], name)
}

/**
 * Checks that nothing is wider than the window, and that each button and link of the page, or of the dialog over it, can be scrolled to and pressed.
 */
async function fits({ page }: Person, what: string, within = 'main'): Promise<void> {
  // The page follows a change of the window's size a few frames later.
  await eventually(`${what} fits`, async () => {
    assert.deepEqual(await page.evaluate(unreached, within), { tooWide: 0, unreached: [] })
    return true
  })
}

/** Runs in the page. */
async function unreached(within: string): Promise<{ tooWide: number; unreached: string[] }> {
  const frame = (): Promise<unknown> => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  await frame()
  const { scrollWidth, clientWidth } = document.documentElement
  const place = [...document.querySelectorAll('[role=dialog]')].at(-1) ?? document.querySelector(within)
  const missed: string[] = []
  for (const action of place?.querySelectorAll<HTMLElement>('button, a[href], input, textarea, select') ?? []) {
    if (!action.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
    action.scrollIntoView({ block: 'center', inline: 'center' })
    const { left, top, width, height } = action.getBoundingClientRect()
    if (width === 0 || height === 0) continue
    const there = document.elementFromPoint(left + Math.min(width, innerWidth) / 2, top + height / 2)
    const label = action.closest('label') ?? document.querySelector(`label[for="${CSS.escape(action.id || '-')}"]`)
    if (there === null || !(action.contains(there) || there.contains(action) || label?.contains(there)))
      missed.push(
        `${action.outerHTML.slice(0, 160)} is behind ${there?.outerHTML.slice(0, 80) ?? 'the edge of the window'}`,
      )
  }
  scrollTo(0, 0)
  return { tooWide: Math.max(0, scrollWidth - clientWidth), unreached: missed }
}

/** Checks that every name in Hebrew letters is alone in an isolated element, or between isolate marks. */
async function isolates({ page }: Person, what: string): Promise<void> {
  const bare = await page.evaluate(() => {
    const hebrew = /[\u0590-\u05ff]/
    const found: string[] = []
    const texts = document.createTreeWalker(
      document.querySelector('#root')?.parentElement ?? document,
      NodeFilter.SHOW_TEXT,
    )
    let seen = 0
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const text = node.nodeValue ?? ''
      if (!hebrew.test(text) || node.parentElement?.closest('script, style') !== null) continue
      seen++
      if (!hebrew.test(text.replaceAll(/\u2066[^\u2069]*\u2069/g, ''))) continue
      let place: Element | null = node.parentElement
      while (place !== null && getComputedStyle(place).unicodeBidi === 'normal') place = place.parentElement
      if (place === null || /\s/.test((place.textContent ?? '').trim()))
        found.push(`${place?.tagName}: ${place?.textContent ?? text}`)
    }
    return { seen, found }
  })
  assert.deepEqual(bare.found, [], what)
  assert.ok(bare.seen > 0, `${what} shows no name in Hebrew letters`)
}

/**
 * Runs in the page: returns the distance from the name in a button to the word before it. A screen reader reads the space between them even where
 * none is visible.
 */
function pixelsBeforeName(button: Element): number {
  const name = button.querySelector('bdi')
  const word = name?.previousSibling
  if (!name || !word) return 0
  const range = document.createRange()
  range.setStart(word, 0)
  range.setEnd(word, (word.textContent ?? '').trimEnd().length)
  return name.getBoundingClientRect().left - range.getBoundingClientRect().right
}
