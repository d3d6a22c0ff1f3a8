import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addManyRrsets,
  addManyZones,
  listIsWhole,
  type Person,
  peopleForTests,
  rowsInDocument,
  worldForTests,
} from '../world/index.ts'

const world = await worldForTests()
const personAt = await peopleForTests(world)
const zone = 'long.example.org'
const zoneCount = 3_000
const rrsetCount = 1_500
const mostRows = 100
await world.admin('zone', 'add', world.facts.account.email, zone)
await addManyZones(world, zoneCount - 2)
await addManyRrsets(world, zone, rrsetCount)

for (const device of ['desktop', 'phone'] as const)
  test(`of thousands of zones and records the document has 100 rows at most, and every one is found, on a ${device}`, async () => {
    const person = await personAt(device)
    await person.signIn()
    await listIsWhole(person, zoneCount)
    await keepsFewRows(person, 'n2997.long.example')
    await person.check('zones-many')
    await person.field('Filter zones').fill('n1234')
    await person.link('n1234.long.example').waitFor()
    await person.sees(/^1 of 3,000 zones/)
    await person.open(`/zones/${zone}`)
    await person.page.getByRole('status').filter({ hasText: 'record sets' }).waitFor()
    await keepsFewRows(person, 'h1499')
    await person.check('records-many')
    await person.field('Filter records').fill('h0777')
    await person.button('Edit h0777 A').click()
    await person.field('IPv4 address').fill(device === 'desktop' ? '192.0.2.251' : '192.0.2.252')
    await person.button('Keep the change').click()
    await person.button('Review and save').click()
    await person.button('Save the change').click()
    await person.sees('Saved. Live on ns1 and ns2.')
    person.assertQuiet()
    await person.page.context().close()
  })

/** At the top, and wherever one scrolls to, until the last one has come into sight. */
async function keepsFewRows(person: Person, last: string): Promise<void> {
  const { page } = person
  assert.ok((await rowsInDocument(person)) <= mostRows)
  await page.waitForFunction(
    ({ text, most }) => {
      const rows = [...document.querySelectorAll('[role=row]')]
      if (rows.length > most) throw new Error(`${rows.length} rows are in the document`)
      if (rows.some(({ textContent }) => textContent?.includes(text))) return true
      scrollBy(0, innerHeight * 20)
      return false
    },
    { text: last, most: mostRows },
  )
  await page.evaluate(() => scrollTo(0, 0))
}
