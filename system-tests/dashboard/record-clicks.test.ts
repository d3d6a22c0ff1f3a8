import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Person, peopleForTests, worldForTests } from '../world/index.ts'

const world = await worldForTests()
const personAt = await peopleForTests(world)
const email = world.facts.account.email

/** Counts clicks as pointerdown events, and Enter on a button as one. */
async function countClicks(person: Person): Promise<(what: string, most: number) => Promise<void>> {
  await person.page.evaluate(() => {
    const counted = globalThis as unknown as { clicks: number }
    counted.clicks = 0
    const count = (): void => {
      counted.clicks++
    }
    document.addEventListener('pointerdown', count, true)
    document.addEventListener(
      'keydown',
      ({ key, target }) => {
        if (key === 'Enter' && target instanceof HTMLButtonElement) count()
      },
      true,
    )
  })
  return async (what, most) => {
    const clicks = await person.page.evaluate(() => {
      const counted = globalThis as unknown as { clicks: number }
      const { clicks } = counted
      counted.clicks = 0
      return clicks
    })
    assert.ok(clicks <= most, `${what}: ${clicks} clicks, at most ${most}`)
  }
}

const oneA = async (zone: string, name: string): Promise<string[] | undefined> =>
  (await world.api.call<{ records?: string[] }>('GET', `/zones/${zone}/rrsets/${name}/A`)).body.records

test('a record is added, edited and deleted in two clicks each, and each change is undone in one', async () => {
  const zone = 'two-clicks.example.org'
  await world.admin('zone', 'add', email, zone)
  const person = await personAt('desktop')
  await person.signIn()
  await person.open(`/zones/${zone}`)
  await person.button('Add records').waitFor()
  const clicked = await countClicks(person)

  await person.button('Add records').click()
  await person.field('Name').fill('www')
  await person.field('IPv4 address').fill('192.0.2.1')
  await person.button('Save').click()
  await person.sees('Saved. Live on ns1 and ns2.')
  await clicked('add', 2)
  assert.deepEqual(await oneA(zone, 'www'), ['192.0.2.1'])
  await person.check('records-saved')
  await person.button('Undo').click()
  await person.sees('Undone. Live on ns1 and ns2.')
  await clicked('undo of the first change of the zone', 1)
  assert.equal(await oneA(zone, 'www'), undefined)

  await world.api.put(zone, 'www', 'A', ['192.0.2.1'])
  await person.page.reload()
  const clickedAgain = await countClicks(person)
  await person.button('Edit www A').click()
  await person.field('IPv4 address').fill('192.0.2.2')
  await person.button('Save').click()
  await person.sees('Saved. Live on ns1 and ns2.')
  await clickedAgain('edit', 2)
  assert.deepEqual(await oneA(zone, 'www'), ['192.0.2.2'])
  await person.button('Undo').click()
  await person.sees('Undone. Live on ns1 and ns2.')
  await clickedAgain('undo of an edit', 1)
  assert.deepEqual(await oneA(zone, 'www'), ['192.0.2.1'])

  await person.button('Delete www A').click()
  await person.button('Save 1 change').click()
  await person.sees('Saved. Live on ns1 and ns2.')
  await clickedAgain('delete', 2)
  assert.equal(await oneA(zone, 'www'), undefined)

  await world.api.put(zone, 'other', 'A', ['192.0.2.9'])
  person.expects(/status of 412/)
  await person.button('Undo').click()
  await person.sees('Someone else has changed this zone since then')
  assert.deepEqual(await oneA(zone, 'other'), ['192.0.2.9'])
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
  await person.signIn()
  await person.open(`/zones/${zone}`)
  await person.field('Select h00 A').waitFor()
  const clicked = await countClicks(person)
  await person.field('Select h00 A').click()
  await person.page.mouse.wheel(0, 10_000)
  await person.field('Select h49 A').click({ modifiers: ['Shift'] })
  await person.sees('50 selected')
  await person.check('records-selected')
  await person.button('Change TTL').click()
  await person.page.getByRole('dialog').getByLabel('TTL in seconds').fill('600')
  await person.check('records-change-ttl')
  await person.page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await person.sees('Saved. Live on ns1 and ns2.')
  await clicked('TTL', 4)
  const { body } = await world.api.call<{ data: { type: string; ttl: number }[] }>(
    'GET',
    `/zones/${zone}/rrsets?type=A`,
  )
  assert.ok(body.data.length === 50 && body.data.every(({ ttl }) => ttl === 600))
  person.assertQuiet()
  await person.page.context().close()
})
