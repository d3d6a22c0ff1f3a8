import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultyProxyForTests, jobClicksOf, peopleForTests, testedDevices, worldForTests } from '../world/index.ts'

const proxy = await faultyProxyForTests(await worldForTests())
const { world } = proxy
const personAt = await peopleForTests(world)
const { email } = world.facts.account
const zone = 'palette.example.org'
await world.admin('zone', 'add', email, zone, 'xn--bcher-kva.example.org')
const changes = [
  { name: 'www', type: 'A', ttl: 300, records: ['192.0.2.77', '192.0.2.78'] },
  { name: 'mail', type: 'TXT', ttl: 300, records: [`"${'long text '.repeat(20)}"`] },
  ...Array.from({ length: 60 }, (_, i) => ({ name: `h${i}`, type: 'A', ttl: 300, records: [`198.51.100.${i}`] })),
]
assert.equal((await world.api.call('PATCH', `/zones/${zone}/rrsets`, { changes })).status, 200)

for (const device of testedDevices)
  test(`any record in all zones is found in one click, on a ${device}`, async () => {
    proxy.behave(() => 'pass')
    const person = await personAt(device)
    const { page } = person
    const clicks = await jobClicksOf(person)
    await person.signIn()
    const box = page.getByRole('combobox', { name: 'Search' })
    const option = (name: string | RegExp) => page.getByRole('option', { name })

    await clicks.begin()
    await person.button('Search everything').click()
    await box.waitFor()
    await person.check('search-empty')
    await page.keyboard.type('198.51.100.59')
    await option(/h59\.palette\.example\.org/).waitFor()
    await page.keyboard.press('Enter')
    const row = page.getByRole('row').and(page.locator('[aria-current=true]'))
    await row.waitFor()
    clicks.done('find any record')
    assert.match(await row.innerText(), /h59/)
    await page.waitForFunction(() => document.activeElement?.matches('[aria-current=true]'))
    assert.ok(await row.evaluate((one) => one.getBoundingClientRect().bottom < innerHeight), 'the row is in view')
    await person.check('search-found-row')

    await person.button('Search everything').click()
    await box.fill('palette')
    await option('palette.example.org').first().waitFor()
    await person.check('search-results')
    await box.fill('bücher.ex')
    await option('bücher.example.org').first().waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/zones\/xn--bcher-kva\.example\.org/)
    person.assertQuiet()
    await page.context().close()
  })

test('the palette works with the keyboard alone, and screen readers announce the selected option', async () => {
  proxy.behave(() => 'pass')
  const person = await personAt('desktop')
  const { page } = person
  await person.signIn()
  await page.keyboard.press('Control+k')
  const box = page.getByRole('combobox', { name: 'Search' })
  await box.waitFor()
  const chosen = async (): Promise<string | null | undefined> => {
    const id = await box.getAttribute('aria-activedescendant')
    const one = page.locator(`[id="${id}"]`)
    assert.equal(await one.getAttribute('aria-selected'), 'true')
    return await one.textContent()
  }
  assert.equal(await chosen(), 'Add a zone')
  await page.keyboard.press('ArrowDown')
  assert.equal(await chosen(), 'Add many zones')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  assert.equal(await chosen(), 'API reference')
  await page.keyboard.type('audit')
  assert.equal(await chosen(), 'Audit log')
  // Each key follows the last one immediately, and Enter is pressed at once: it opens a hit of the whole text.
  await box.fill('')
  await page.keyboard.type('mail.palette.example.org')
  await page.keyboard.press('Enter')
  await page.getByRole('row').and(page.locator('[aria-current=true]')).waitFor()
  await page.keyboard.press('Control+k')
  await box.fill('a')
  await page
    .getByRole('status')
    .getByText(/\d+ results/)
    .waitFor()
  for (const text of ['%%', '\u202bشاشة', 'zq'.repeat(50)]) {
    if (text.includes('\u202b')) person.expects(/status of 422/)
    await box.fill(text)
    await page
      .getByText(/Nothing matches|The search failed/)
      .first()
      .waitFor()
  }
  await page.keyboard.press('Escape')
  await person.seesNot(box)
  await page.keyboard.press('Control+k')
  await box.fill('docs')
  const docs = page.context().waitForEvent('page')
  await page.keyboard.press('Enter')
  assert.equal(new URL((await docs).url()).pathname, '/docs')
  await (await docs).close()
  await page.keyboard.press('Control+k')
  await box.fill('health')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/zones\/palette\.example\.org\/health/)
  person.assertQuiet()
  await page.context().close()
})

test('with the API down, slow or hanging, the palette finds pages and actions and says what failed', async () => {
  const person = await personAt('desktop')
  const { page } = person
  proxy.behave(() => 'pass')
  await person.signIn()
  person.expects(/Failed to load resource/)
  const box = page.getByRole('combobox', { name: 'Search' })
  const fault = (behaviour: Parameters<typeof proxy.behave>[0]) =>
    proxy.behave((path, method) => (path.startsWith('/api/v1/search') ? behaviour(path, method) : 'pass'))

  fault(() => ({ status: 502, body: '<h1>Bad gateway</h1>' }))
  await page.keyboard.press('Control+k')
  await box.fill('or')
  await person.sees('The search failed. Pages and actions still work.')
  await page.getByRole('option', { name: 'Orders' }).waitFor()
  await person.check('search-failed')
  fault(() => 'pass')
  await box.fill('palette')
  await page.getByRole('option', { name: 'palette.example.org' }).first().waitFor()

  fault(() => 'hang')
  await box.fill('ac')
  await page.keyboard.type('count')
  await person.sees('The service is taking longer than usual. Pages and actions still work.')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/account$/)

  fault(() => ({ afterMs: 500 }))
  await page.keyboard.press('Control+k')
  await page.keyboard.type('www.palette')
  await page.keyboard.press('Enter')
  await page.getByRole('row').and(page.locator('[aria-current=true]')).filter({ hasText: 'www' }).waitFor()
  person.assertQuiet()
  await page.context().close()
})
