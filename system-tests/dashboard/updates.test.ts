import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually, newcomer, newcomerPassword, peopleForTests, scrollToShare, worldForTests } from '../world/index.ts'

// A separate world, because the tests count all streams of the service, and kill it.
const world = await worldForTests({ env: {} })
const personAt = await peopleForTests(world)
const zone = 'followed.example.org'
await world.admin('zone', 'add', world.facts.account.email, zone)

/** Waits until the service has this many open streams, over all browsers. */
async function streamsAre(count: number): Promise<void> {
  await eventually(`${count} streams are open`, async () => {
    const metrics = await fetch(`${world.facts.base_url}/metrics`).then(
      (answer) => answer.text(),
      () => '',
    )
    return new RegExp(`^zonewright_update_streams ${count}$`, 'm').test(metrics)
  })
}

test('a list changes when someone else changes something, and the person’s place and edits stay', async () => {
  const many = Array.from({ length: 150 }, (_, n) => `host${String(n).padStart(3, '0')}`)
  for (let n = 0; n < many.length; n += 50)
    await Promise.all(many.slice(n, n + 50).map((name) => world.api.put(zone, name, 'A', ['192.0.2.1'])))
  const person = await personAt('desktop')
  await person.signIn()
  await person.open(`/zones/${zone}`)
  await person.button('Edit host000 A').waitFor()
  await person.addUnsaved('unsaved')
  await scrollToShare(person, 0.5)
  const middle = person.button('Edit host075 A')
  await middle.waitFor()
  const placeOf = async (): Promise<number> => Math.round((await middle.boundingBox())?.y ?? -1)
  const before = await placeOf()
  const count = Number.parseInt((await person.page.getByText(/^\d+ record sets/).textContent()) ?? '', 10)
  const sets = (more: number): string => `${count + more} record sets, including 2 of the service`

  for (const name of ['aaa1', 'aaa2', 'aaa3']) await world.api.put(zone, name, 'A', ['192.0.2.9'])
  await person.sees(sets(3))
  await eventually('the row is where it was', async () => Math.abs((await placeOf()) - before) <= 1)
  await person.sees('1 unsaved change')
  await world.api.put(zone, 'host075', 'A', ['192.0.2.75'])
  await person.sees('192.0.2.75')
  await eventually('the row is where it was', async () => Math.abs((await placeOf()) - before) <= 1)

  // An open form keeps what was typed.
  await person.button('Edit host076 A').click()
  await person.button('Another value').click()
  await person.field('IPv4 address, value 2').fill('192.0.2.2')
  await world.api.put(zone, 'aaa4', 'A', ['192.0.2.9'])
  await person.sees(sets(4))
  assert.equal(await person.field('IPv4 address, value 2').inputValue(), '192.0.2.2')
  person.assertQuiet()
  await person.page.context().close()
})

test('zones and keys that are created elsewhere appear, and deleted ones disappear', async () => {
  const [person, other] = [await personAt('desktop'), await personAt('desktop')]
  await person.signIn()
  await other.signIn()
  await person.open('/zones')
  await person.link(zone).waitFor()
  await world.admin('zone', 'add', world.facts.account.email, 'appears.example.org')
  await person.link('appears.example.org').waitFor()
  await other.open('/zones')
  const status = await other.page.evaluate(async () => {
    const body = JSON.stringify({ name: 'appears.example.org' })
    const headers = { 'content-type': 'application/json' }
    return (await fetch('/api/v1/zones/appears.example.org', { method: 'DELETE', headers, body })).status
  })
  assert.equal(status, 204)
  await person.seesNot(person.link('appears.example.org'))
  await person.open('/api-keys')
  await person.heading('API keys').waitFor()
  await world.admin('key', 'create', world.facts.account.email, 'made-elsewhere')
  await person.sees('made-elsewhere')
  for (const one of [person, other]) {
    one.assertQuiet()
    await one.page.context().close()
  }
})

test('the tabs of a browser share one stream, and another tab reads it when the first one is closed', async () => {
  const person = await personAt('desktop')
  await person.signIn()
  await person.open(`/zones/${zone}`)
  await person.button('Add records').waitFor()
  await streamsAre(1)
  const other = await person.anotherTab()
  await other.open(`/zones/${zone}`)
  await other.button('Add records').waitFor()
  const third = await person.anotherTab()
  await third.open('/zones')
  await third.link(zone).waitFor()
  await world.api.put(zone, 'in-both', 'A', ['192.0.2.1'])
  for (const tab of [person, other]) await tab.field('Filter records').fill('in-both')
  for (const tab of [person, other]) await tab.button('Edit in-both A').waitFor()
  await streamsAre(1)

  await person.page.close()
  await streamsAre(1)
  await other.field('Filter records').fill('after')
  await world.api.put(zone, 'after-it', 'A', ['192.0.2.1'])
  await other.button('Edit after-it A').waitFor()
  // Tabs that are opened and closed leave one stream.
  for (let n = 0; n < 5; n++) {
    const tab = await other.anotherTab()
    await tab.open('/zones')
    await tab.link(zone).waitFor()
    await tab.page.close()
  }
  await streamsAre(1)
  other.assertQuiet()
  await other.page.context().close()
})

test('without the stream, the visible page is refreshed every 30 seconds', async () => {
  const person = await personAt('desktop')
  await person.signIn()
  await person.page.route('**/api/v1/updates', (route) => route.abort())
  person.expects(/Failed to load resource.*ERR_FAILED/)
  await person.page.clock.install()
  await person.open(`/zones/${zone}`)
  await person.button('Add records').waitFor()
  await world.api.put(zone, 'polled', 'A', ['192.0.2.1'])
  await person.field('Filter records').fill('polled')
  await person.page.clock.runFor(20_000)
  assert.equal(await person.button('Edit polled A').isVisible(), false)
  await person.page.clock.runFor(12_000)
  await person.button('Edit polled A').waitFor()
  await person.page.context().close()
})

test('the stream continues after the service is killed, and includes the changes made in the meantime', async () => {
  const person = await personAt('desktop')
  await person.signIn()
  await person.open(`/zones/${zone}`)
  await person.field('Filter records').fill('killed')
  await streamsAre(1)
  person.expects(/Failed to load resource/, /ERR_/)
  process.kill(world.programs.service.pid ?? assert.fail(), 'SIGKILL')
  await eventually('the service is back', () =>
    world.api.call('GET', '/zones').then(
      () => true,
      () => false,
    ),
  )
  await world.api.put(zone, 'killed', 'A', ['192.0.2.1'])
  await person.button('Edit killed A').waitFor()
  await streamsAre(1)
  await person.page.context().close()
})

test('a session that is ended elsewhere shows the sign-in dialog, and signing out leaves no stream', async () => {
  const elsewhere = await newcomer(world, 'leaves@example.net')
  const person = await personAt('desktop')
  await person.signInAs('leaves@example.net')
  await streamsAre(1)
  person.expects(/status of 401/)
  assert.equal((await elsewhere.call('POST', '/api/auth/revoke-other-sessions', {})).status, 200)
  await person.page.getByRole('dialog', { name: 'Sign in again' }).waitFor()
  await person.field('Password').fill(newcomerPassword)
  await person.button('Sign in').click()
  await streamsAre(1)
  await person.button('Account menu').click()
  await person.page.getByRole('menuitem', { name: 'Sign out' }).click()
  await person.button('Sign in').waitFor()
  await streamsAre(0)
  person.assertQuiet()
  await person.page.context().close()
})
