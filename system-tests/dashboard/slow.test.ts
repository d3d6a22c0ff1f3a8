import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { type Behaviour, faultyProxyForTests, peopleForTests, testedDevices, worldForTests } from '../world/index.ts'

const proxy = await faultyProxyForTests(await worldForTests())
const personAt = await peopleForTests(proxy.world)
const zone = proxy.world.facts.zone.name
const badGateway: Behaviour = { status: 502, body: '<html><h1>502 Bad Gateway</h1></html>' }
const tooMany: Behaviour = { status: 429, body: '<html>Slow down</html>', headers: { 'retry-after': '1' } }
const down = (behaviour: Behaviour) => proxy.behave((path) => (path.startsWith('/api/') ? behaviour : 'pass'))
const up = () => proxy.behave(() => 'pass')

beforeEach(up)

for (const device of testedDevices)
  test(`a first load that hangs shows the shell, then a message and a way to try again, on a ${device}`, async () => {
    const person = await personAt(device)
    await person.signIn()
    const { page } = person
    // With a route, Chromium requests the files each time instead of taking them from its cache.
    await page.route('**/uncached', (route) => route.abort())
    for (const hangs of [/^\/api\//, /assets\/index-.*\.js$/, /\.css$/]) {
      proxy.behave((path) => (hangs.test(path) ? 'hang' : 'pass'))
      await page.goto('/app/zones', { waitUntil: 'commit' })
      await person.heading('Zonewright').waitFor()
      await person.sees(/longer than usual to load/)
      if (hangs.test('/api/')) await person.check('shell')
      up()
      await person.link('Try again').click()
      await person.heading('Zones').waitFor()
      assert.equal(await page.getByText(/longer than usual/).isVisible(), false)
    }
    person.assertQuiet()
    await page.context().close()
  })

test('a first load that fails says what happened, and continues from there', async () => {
  const person = await personAt('desktop')
  await person.signIn()
  person.expects(/Failed to load resource/, /did not respond as expected/, /too many requests/)
  for (const failure of [badGateway, tooMany]) {
    down(failure)
    await person.open('/zones')
    await person.button('Try again').waitFor()
    await person.check(`first-load-${typeof failure === 'object' && 'status' in failure ? failure.status : ''}`)
    up()
    await person.button('Try again').click()
    await person.heading('Zones').waitFor()
  }
  person.assertQuiet()
  await person.page.context().close()
})

test('a list that hangs is requested again, and the edits next to it stay', async () => {
  const person = await personAt('desktop')
  await person.signIn()
  await person.open(`/zones/${zone}`)
  await person.addUnsaved('kept')
  proxy.behave((path) => (/\/(history|versions)/.test(path) ? 'hang' : 'pass'))
  await person.link('History').click()
  await person.sees('The service is taking longer than usual. You can keep working.')
  await person.check('slow-list')
  await person.link(/^Records/).click()
  await person.sees('1 unsaved change')
  await person.link('History').click()
  await person.sees('The service is taking longer than usual. You can keep working.')
  up()
  await person.button('Try again').click()
  await person.seesNot(person.page.getByText(/(service|This) is taking longer/))
  await person.link(/^Records/).click()
  await person.sees('1 unsaved change')
  person.assertQuiet()
  await person.page.context().close()
})

test('a slow change says so, and a failed one keeps what was typed', async () => {
  const person = await personAt('desktop')
  await person.signIn()
  await person.open('/account')
  await person.field('Name').fill('Typed once')
  proxy.behave((path, method) => (path.endsWith('/account') && method === 'PATCH' ? { afterMs: 4_000 } : 'pass'))
  const save = person.button('Save the name')
  await save.click()
  await person.sees('This is taking longer than usual. Keep this page open.')
  await person.seesNot(person.page.getByText(/(service|This) is taking longer/))
  assert.equal(await person.field('Name').inputValue(), 'Typed once')
  person.expects(/Failed to load resource/)
  await person.field('Name').fill('Typed twice')
  down(badGateway)
  await save.click()
  await person.sees('The service is not available')
  assert.equal(await person.field('Name').inputValue(), 'Typed twice')
  up()
  person.assertQuiet()
  await person.page.context().close()
})

test('a page whose files hang leaves the previous page usable', async () => {
  const person = await personAt('desktop')
  await person.signIn()
  proxy.behave((path) => (/^\/app\/assets\/.*audit/.test(path) ? 'hang' : 'pass'))
  await person.link('Audit log').click()
  await person.sees('The service is taking longer than usual. You can keep working.')
  await person.heading('Zones').waitFor()
  up()
  await person.button('Try again').click()
  await person.heading('Audit log').waitFor()
  person.assertQuiet()
  await person.page.context().close()
})

test('no zone of a list with faults is lost while the API is busy, fails and hangs, even after a reload', async () => {
  const person = await personAt('desktop')
  await person.signIn()
  person.expects(/Failed to load resource/)
  const { page } = person
  const good = Array.from({ length: 24 }, (_, i) => `pasted${i}.example.org`)
  const faulty = [
    '',
    'https://www.PASTED0.example.org/shop',
    'pasted1.example.org.',
    'Bücher.example',
    'no dots here',
    'ada@example.net',
    zone,
    'co.uk',
    '"pasted24.example.org",2027',
  ]
  await person.open('/zones/add-many')
  await person.field('Names').fill([...good, ...faulty].join('\r\n'))
  await person.sees(/^32 names, 1 empty line$/)
  down(tooMany)
  await person.button('Check the names').click()
  await person.sees(/Trying again in \d+ s/)
  up()
  await person.sees('26 can be added, 6 cannot.')
  await person.field('Only lines with a problem').click()
  for (const said of ['The same as line 1.', 'Already hosted', 'This is an email address, not a domain.'])
    await person.sees(said)
  await person.check('zones-pasted')
  assert.equal((await count('pasted')).length, 0, 'nothing is added before the list was reviewed')

  let created = 0
  // Each of the faults once; the last request before the reload is never answered.
  const faults: Readonly<Record<number, Behaviour>> = { 3: tooMany, 6: badGateway, 9: 'lose', 12: 'hang' }
  proxy.behave((path, method) =>
    path === '/api/v1/zones' && method === 'POST' ? (faults[++created] ?? 'pass') : 'pass',
  )
  await person.button('Add 26 zones').click()
  await person.sees(/Trying again in \d+ s/)
  await person.sees('8 of 26')
  await person.check('zones-adding')
  await page.reload()
  await person.sees('26 zones added.')
  await person.check('zones-added')
  const added = await count('pasted')
  assert.deepEqual(added, [...new Set([...good, 'pasted24.example.org'])].sort())
  await person.button('Add more zones').click()
  await person.field('Names').waitFor()
  person.assertQuiet()
  await page.context().close()
})

async function count(q: string): Promise<string[]> {
  const { body } = await proxy.world.api.call<{ data: { name: string }[] }>('GET', `/zones?q=${q}&limit=200`)
  return body.data.map(({ name }) => name).sort()
}
