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
  test(`a first load that hangs shows the shell, then a sentence and a way to try again, on a ${device}`, async () => {
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

test('a first load that fails says what happened and goes on from there', async () => {
  const person = await personAt('desktop')
  await person.signIn()
  person.expects(/Failed to load resource/, /did not answer as it should/, /too many requests/)
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

test('a list that hangs is requested again, and the edits beside it stay', async () => {
  const person = await personAt('desktop')
  await person.signIn()
  await person.open(`/zones/${zone}`)
  await person.addUnsaved('kept')
  proxy.behave((path) => (/\/(history|versions)/.test(path) ? 'hang' : 'pass'))
  await person.link('History').click()
  await person.sees('The service is taking longer than usual. You can keep working.')
  await person.check('slow-list')
  await person.link(/^Records/).click()
  await person.sees('1 change not saved')
  await person.link('History').click()
  await person.sees('The service is taking longer than usual. You can keep working.')
  up()
  await person.button('Try again').click()
  await person.seesNot(person.page.getByText(/(service|change) is taking longer/))
  await person.link(/^Records/).click()
  await person.sees('1 change not saved')
  person.assertQuiet()
  await person.page.context().close()
})

test('a change that takes long says so, and one that fails keeps what was typed', async () => {
  const person = await personAt('desktop')
  await person.signIn()
  await person.open('/account')
  await person.field('Name').fill('Typed once')
  proxy.behave((path, method) => (path.endsWith('/account') && method === 'PATCH' ? { afterMs: 4_000 } : 'pass'))
  const save = person.button('Save the name')
  await save.click()
  await person.sees('Your change is taking longer than usual. Keep this page open.')
  await person.seesNot(person.page.getByText(/(service|change) is taking longer/))
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

test('a page whose files hang leaves the one before it usable', async () => {
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
