import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { jobClicksOf, peopleForTests, testedDevices, worldForTests } from '../world/index.ts'

const world = await worldForTests()
const personAt = await peopleForTests(world)

/** Runs a statement in place of a worker, because no nameserver outside this machine can be queried here. */
async function asWorker(statement: string, values: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: world.databaseUrl })
  await client.connect()
  await client.query(statement, [...values])
  await client.end()
}

for (const device of testedDevices)
  test(`the records at the current provider are found and reviewed in three clicks, on a ${device}`, async () => {
    const zone = `moved-${device}.example.org`
    await world.admin('zone', 'add', world.facts.account.email, zone)
    const person = await personAt(device)
    const clicks = await jobClicksOf(person)
    await person.signIn()
    await clicks.begin()
    await person.link(zone).click()
    await person.heading('Review the records at your current provider').waitFor()
    await person.check('zone-next-step')
    await person.link('Find the records').click()
    await person.button('Find the records').click()
    await person.button('Search again').waitFor()
    await person.check('zone-scan-failed')
    await asWorker(
      `update zone_scans s set state = 'running', due_at = app_now() + interval '1 hour', finished_at = null, failure = null,
         questions = 45, records = 1
       from zones z where z.id = s.zone_id and z.name = $1`,
      [zone],
    )
    await person.page.reload()
    await person.sees('45 of at most 150 queries, 1 record found')
    await person.check('zone-scan')
    const file = `${zone}.\t300\tIN\tMX\t10 mx.example.net.\nwww.${zone}.\t300\tIN\tA\t192.0.2.1\n`
    await asWorker(
      `update zone_scans s set state = 'done', due_at = null, finished_at = app_now(), questions = 97, records = 2,
         nameserver = 'ns1.provider.example', method = 'questions', zone_file = $2
       from zones z where z.id = s.zone_id and z.name = $1`,
      [zone, file],
    )
    await person.button('Apply these 2 changes').waitFor()
    clicks.done('scan and review the current records')
    await person.sees('ns1.provider.example has 2 records with common names.')
    // The page scrolls to the review.
    await person.page.waitForFunction(() => {
      const button = [...document.querySelectorAll('button')].find(({ textContent }) =>
        textContent?.startsWith('Apply'),
      )
      return button !== undefined && button.getBoundingClientRect().bottom <= innerHeight
    })
    await person.check('zone-scan-reviewed')
    await person.button('Apply these 2 changes').click()
    await person.button('Edit www A').waitFor()
    assert.equal(await person.heading('Review the records at your current provider').count(), 0)
    person.assertQuiet()
    await person.page.context().close()
  })
