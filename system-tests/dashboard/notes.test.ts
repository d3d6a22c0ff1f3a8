// Comments and labels of zones and record sets: written in forms, shown in lists, and found by filters.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newcomer, peopleForTests, testedDevices, worldForTests } from '../world/index.ts'

const world = await worldForTests()
const personAt = await peopleForTests(world)
const email = 'labeller@example.net'
const browser = await newcomer(world, email)

for (const device of testedDevices) {
  test(`a record set and its zone get a comment and labels, and are found by them, on a ${device}`, async () => {
    const zone = `notes-${device}.example.org`
    await world.admin('zone', 'add', email, zone)
    const path = `/api/v1/zones/${zone}/rrsets`
    for (const name of ['www', 'mail'])
      await browser.call('PUT', `${path}/${name}/A`, { ttl: 300, records: ['192.0.2.1'] })
    const person = await personAt(device)
    await person.signInAs(email)
    await person.open(`/zones/${zone}`)
    await person.button('Edit www A').click()
    await person.button('Comment or labels').click()
    await person.field('Comment').fill('Ask Ada before you change this.')
    await person.field('Labels').fill('Größe')
    await person.sees(/größe is not a label/)
    await person.field('Labels').fill('shop eu')
    await person.check('record-notes')
    await person.button('Save').click()
    await person.seesNot(person.field('Comment'))
    await person.sees('Ask Ada before you change this.')
    await person.seesNot(person.page.getByRole('region', { name: 'Unsaved changes' }))
    const stored = (await browser.call('GET', `${path}/www/A`)).body as Record<string, unknown>
    assert.deepEqual(
      [stored['comment'], stored['labels'], stored['records']],
      ['Ask Ada before you change this.', ['shop', 'eu'], ['192.0.2.1']],
    )
    assert.equal(await person.button('Undo').count(), 0, 'a comment is in no version to go back to')
    await person.field('Filter records').fill('shop')
    await person.sees(/^1 of \d+ record sets/)
    await person.check('records-labels')
    await person.field('Filter records').fill('')
    // Together with the records, as one of several changes.
    await person.button('Edit mail A').click()
    await person.button('Comment or labels').click()
    await person.field('Comment').fill('Mail.')
    await person.field('IPv4 address').fill('192.0.2.9')
    await person.button('Add to changes').click()
    await person.button('Review and save').click()
    await person.sees('The comment or the labels of 1 record set change.')
    await person.button('Save the change').click()
    await person.button('Undo').waitFor()
    const mail = (await browser.call('GET', `${path}/mail/A`)).body as Record<string, unknown>
    assert.deepEqual([mail['comment'], mail['records']], ['Mail.', ['192.0.2.9']])
    await person.link('Settings').click()
    await person.field('Comment').fill('Our shop.')
    await person.field('Labels').fill(`eu customer-${device}`)
    await person.check('zone-notes')
    await person.page.getByRole('form', { name: 'Comment and labels' }).getByRole('button', { name: 'Save' }).click()
    await person.sees('The comment and the labels are saved.')
    await person.open(`/zones?q=customer-${device}`)
    await person.link(zone).waitFor()
    await person.sees('Our shop.')
    // A row has room for one label.
    await person.page.getByText(`customer-${device}`, { exact: true }).waitFor()
    await person.page.getByLabel('eu', { exact: true }).waitFor()
    await person.check('zones-labels')
    person.assertQuiet()
    await person.page.context().close()
  })
}
