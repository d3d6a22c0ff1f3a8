// Copying records to other zones, the help of the record form, the filter by time, and the form that Health fills in.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { domainToASCII } from 'node:url'
import { newcomer, peopleForTests, testedDevices, worldForTests } from '../world/index.ts'

const world = await worldForTests()
const personAt = await peopleForTests(world)
const email = 'copier@example.net'
const browser = await newcomer(world, email)
const records = async (zone: string, rrset: string): Promise<unknown> =>
  ((await browser.call('GET', `/api/v1/zones/${zone}/rrsets/${rrset}`)).body as Record<string, unknown>)['records']

for (const device of testedDevices) {
  const zone = `from-${device}.example.org`
  const shown = [`to1-${device}.example.org`, `zürich-${device}.example.org`] as const
  const targets = [shown[0], domainToASCII(shown[1])] as const

  test(`records are copied to two other zones after one review, on a ${device}`, async () => {
    for (const each of [zone, ...targets]) await world.admin('zone', 'add', email, each)
    const put = (of: string, rrset: string, address: string) =>
      browser.call('PUT', `/api/v1/zones/${of}/rrsets/${rrset}`, { ttl: 300, records: [address] })
    await put(zone, 'www/A', '192.0.2.1')
    await put(zone, '@/A', '192.0.2.2')
    await put(targets[0], 'www/A', '192.0.2.9')
    const person = await personAt(device)
    await person.signInAs(email)
    await person.open(`/zones/${zone}?since=hour`)
    await person.page.getByRole('checkbox', { name: 'Select www A' }).check()
    await person.page.getByRole('checkbox', { name: 'Select @ A' }).check()
    await person.button('Copy to other zones').click()
    const dialog = person.page.getByRole('dialog', { name: 'Copy 2 record sets to other zones' })
    const zones = dialog.getByPlaceholder('Search for a zone')
    for (const name of shown) {
      await zones.fill(name)
      await person.page.getByRole('option', { name }).click()
    }
    await zones.press('Escape')
    await dialog.getByRole('button', { name: 'Review the changes' }).click()
    const [first, second] = shown.map((name) => dialog.getByRole('region', { name }))
    assert.ok(first && second)
    await second.getByText(shown[1], { exact: true }).waitFor()
    await first.getByText('removed: 192.0.2.9').waitFor()
    await second.getByText('www A').waitFor()
    await person.check('copy-records')
    // Someone changes one of the zones before it is saved.
    await put(targets[1], 'other/A', '192.0.2.3')
    person.expects(/status of 412/)
    await dialog.getByRole('button', { name: 'Save in 2 zones' }).click()
    await first.getByText('Saved', { exact: true }).waitFor()
    await second.getByText('Someone else has changed this zone').waitFor()
    assert.deepEqual(await records(targets[1], 'other/A'), ['192.0.2.3'])
    await dialog.getByRole('button', { name: 'Save in 1 zone' }).click()
    await second.getByText('Saved', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    for (const target of targets)
      assert.deepEqual([await records(target, 'www/A'), await records(target, '@/A')], [['192.0.2.1'], ['192.0.2.2']])
    person.assertQuiet()
    await person.page.context().close()
  })

  test(`Health fills in the form for a record, and the form explains its fields, on a ${device}`, async () => {
    const person = await personAt(device)
    await person.signInAs(email)
    await person.open(`/zones/${zone}/health`)
    await person.link(/^Add a CAA record/).click()
    const form = person.page.getByRole('form', { name: 'New records' })
    await form.waitFor()
    assert.deepEqual(
      [await form.getByLabel('Name', { exact: true }).inputValue(), await form.getByLabel('Value').inputValue()],
      ['@', 'letsencrypt.org'],
    )
    await form.getByRole('button', { name: 'Help: CAA' }).focus()
    await person.page.keyboard.press('Enter')
    await person.sees(/certificate authorities that may issue/)
    await person.check('record-help')
    await person.page.keyboard.press('Escape')
    await person.seesNot(person.page.getByText(/certificate authorities that may issue/))
    await form.getByRole('button', { name: 'Save' }).click()
    await person.button('Undo').waitFor()
    assert.deepEqual(await records(zone, '@/CAA'), ['0 issue "letsencrypt.org"'])
    assert.ok(!person.page.url().includes('add='))
    person.assertQuiet()
    await person.page.context().close()
  })
}
