import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  newcomer,
  newcomerPassword,
  type Person,
  peopleForTests,
  sharedPersonForTests,
  worldForTests,
} from '../world/index.ts'

const world = await worldForTests()
const personAt = await peopleForTests(world)
const zone = 'lost-access.example.org'
const email = 'manages@example.net'
const owner = await newcomer(world, 'gives@example.net')
await world.admin('zone', 'add', 'gives@example.net', zone)
const manager = await newcomer(world, email)
for (const [name, address] of [
  ['first', '192.0.2.1'],
  ['second', '192.0.2.2'],
])
  await owner.call('PUT', `/api/v1/zones/${zone}/rrsets/${name}/A`, { ttl: 300, records: [address] })

/** The tests share the manager, who is signed in after each of them. */
const somebody = sharedPersonForTests(async () => {
  const person = await personAt('desktop')
  await person.signInAs(email)
  person.expects(/status of 40[14]/)
  return person
})

/** A manager's job in progress: the page has what was typed, and `act` sends it. */
interface Begun {
  readonly act: () => Promise<void>
  readonly keeps: () => Promise<void>
  /** Back from a dialog to the page. */
  readonly back?: () => Promise<void>
  /** The job succeeds once the person has access. */
  readonly done: () => Promise<void>
}

const jobs: Readonly<Record<string, (person: Person, host: string) => Promise<Begun>>> = {
  'a record form': async (person, host) => {
    await person.open(`/zones/${zone}`)
    await person.button('Add records').click()
    await person.field('Name').fill(host)
    await person.field('IPv4 address').fill('192.0.2.7')
    return {
      act: () => person.field('IPv4 address').press('Enter'),
      keeps: () => person.button(`Edit ${host} A`).waitFor(),
      done: async () => {
        await person.button('Save the change').click()
        await person.sees('Saved. ')
      },
    }
  },
  'a review': async (person, host) => {
    await person.open(`/zones/${zone}`)
    await person.addUnsaved(host)
    await person.button('Review and save').click()
    const dialog = person.page.getByRole('dialog', { name: 'Review the changes' })
    await dialog.getByRole('list', { name: 'Changes' }).waitFor()
    return {
      act: () => dialog.getByRole('button', { name: 'Save the change' }).click(),
      keeps: () => person.sees('1 unsaved change'),
      back: () => dialog.getByRole('button', { name: 'Back' }).click(),
      done: async () => {
        await dialog.getByRole('button', { name: 'Save the change' }).click()
        await person.sees('Saved. ')
      },
    }
  },
  'an import': async (person, host) => {
    await person.open(`/zones/${zone}/import`)
    const file = person.field('Zone file')
    await file.fill(`${host} 300 IN A 192.0.2.7`)
    await person.button('Show what would change').click()
    const apply = person.button('Apply this change')
    return {
      act: () => apply.click(),
      keeps: async () => assert.match(await file.inputValue(), /192\.0\.2\.7/),
      done: async () => {
        await apply.click()
        await person.button(`Edit ${host} A`).waitFor()
      },
    }
  },
  'a way back': async (person) => {
    await person.open(`/zones/${zone}/history`)
    await person.button('Restore version 1').click()
    const dialog = person.page.getByRole('dialog', { name: 'Restore version 1' })
    await dialog.getByRole('list', { name: 'Changes' }).waitFor()
    const apply = dialog.getByRole('button', { name: 'Restore version 1' })
    return {
      act: () => apply.click(),
      keeps: () => dialog.waitFor(),
      back: () => dialog.getByRole('button', { name: 'Cancel' }).click(),
      done: async () => {
        await apply.click()
        await person.sees('The records are as in version 1 again.')
      },
    }
  },
}

for (const [place, begin] of Object.entries(jobs)) {
  test(`a manager removed in the middle of ${place} sees why, can copy what was typed, and goes to the zones`, async () => {
    const remove = await invited()
    const person = await somebody()
    const { act, keeps, back } = await begin(person, 'removed')
    await remove()
    await act()
    const told = person.page.getByRole('alert').filter({ hasText: 'You no longer have access to this zone' })
    await told.waitFor()
    await keeps()
    await back?.()
    // Nothing offers what cannot work, or repeats the message in other words.
    await person.seesNot(person.page.getByRole('alert').filter({ hasText: 'Not found' }))
    assert.equal(await person.button(/^(Save|Review and save)/).count(), 0)
    await person.check(`access-lost-${place.replaceAll(' ', '-')}`)
    await told.getByRole('button', { name: /go to your zones/i }).click()
    await person.heading('Zones').waitFor()
    await person.seesNot(person.link(zone))
    assert.deepEqual(
      await person.page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('zonewright-edits'))),
      [],
    )
    person.assertQuiet()
  })

  test(`a person signed out in the middle of ${place} signs in over it, and completes it`, async () => {
    const remove = await invited()
    const person = await somebody()
    const host = `signed-out-${Object.keys(jobs).indexOf(place)}`
    const { act, keeps, done } = await begin(person, host)
    await person.losesSessionAt('**/api/v1/**')
    await act()
    const dialog = person.page.getByRole('dialog', { name: 'Sign in again' })
    await dialog.getByLabel('Password', { exact: true }).fill(newcomerPassword)
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await person.seesNot(dialog)
    await keeps()
    await done()
    person.assertQuiet()
    await remove()
  })
}

test('an open form keeps what was typed when its zone is taken away, and the page reports the loss automatically', async () => {
  const remove = await invited()
  const person = await somebody()
  await person.open(`/zones/${zone}`)
  await person.button('Edit first A').click()
  await person.field('IPv4 address').fill('192.0.2.9')
  await remove()
  // The person comes back to this tab a while later.
  await person.page.evaluate(() => {
    const now = Date.now
    Date.now = () => now() + 60_000
    dispatchEvent(new Event('visibilitychange'))
  })
  await person.sees('You no longer have access to this zone')
  assert.equal(await person.field('IPv4 address').inputValue(), '192.0.2.9')
  person.assertQuiet()
})

/** Makes the manager a manager of the zone. The returned function ends this. */
async function invited(): Promise<() => Promise<void>> {
  await owner.call('POST', `/api/v1/zones/${zone}/managers`, { email })
  const { body } = await manager.call('GET', '/api/v1/invitations')
  const [invitation] = body['data'] as { id: string }[]
  const accepted = await manager.call('POST', `/api/v1/invitations/${invitation?.id}/accept`, {})
  assert.equal(accepted.status, 200)
  const managers = await owner.call('GET', `/api/v1/zones/${zone}/managers`)
  const [{ account }] = managers.body['data'] as [{ account: string }]
  return async () => {
    const removed = await owner.call('DELETE', `/api/v1/zones/${zone}/managers/${account}`)
    assert.ok(removed.status < 300, String(removed.status))
  }
}
