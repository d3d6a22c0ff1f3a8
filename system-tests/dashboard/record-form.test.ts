import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually, peopleForTests, testedDevices, worldForTests } from '../world/index.ts'

const world = await worldForTests()
const personAt = await peopleForTests(world)
const email = world.facts.account.email

for (const device of testedDevices)
  test(`the form of a record says what cannot be saved, and corrects what was pasted, on a ${device}`, async () => {
    const zone = `record-form-${device}.example.org`
    await world.admin('zone', 'add', email, zone)
    await world.api.put(zone, 'www', 'A', ['192.0.2.1'])
    await world.api.put(zone, 'xn--bcher-kva', 'CNAME', ['xn--mller-kva.example.net.'])
    const person = await personAt(device)
    await person.signIn()
    await person.open(`/zones/${zone}`)
    await person.sees('bücher')
    await person.sees('müller.example.net.')
    await person.button('Add records').click()
    const form = person.page.getByRole('form', { name: 'New records' })
    const name = form.getByLabel('Name', { exact: true })
    await name.fill('www')
    await form.getByRole('combobox', { name: 'Type' }).fill('CNAME')
    await person.page.keyboard.press('Tab')
    await person.sees(`www.${zone} has A records. A CNAME must be the only record at its name.`)
    await person.check('records-beside')
    await name.fill(`https://shop.${zone}/cart`)
    await person.sees(`= shop.${zone}`)
    await form.getByLabel('Target', { exact: true }).fill('https://shops.example.net/my-shop')
    assert.equal(await name.inputValue(), 'shop')
    await person.sees('→ shops.example.net.')
    await person.sees('The path /my-shop is left out.')
    await form.getByRole('combobox', { name: 'Type' }).fill('PTR')
    await person.page.keyboard.press('Tab')
    assert.equal(await form.getByLabel('Name', { exact: true }).count(), 1)
    await form.getByLabel('Host name', { exact: true }).waitFor()
    await person.check('records-form')
    await person.page.context().close()
  })

test('the distance between rows equals their height, whatever the size of the text', async () => {
  const zone = 'row-heights.example.org'
  await world.admin('zone', 'add', email, zone)
  for (let i = 0; i < 5; i++) await world.api.put(zone, `host${i}`, 'A', ['192.0.2.1', '192.0.2.2'])
  const person = await personAt('desktop')
  await person.signIn()
  await person.open(`/zones/${zone}`)
  await person.button('Edit host4 A').waitFor()
  await person.page.evaluate(() => {
    for (const row of document.querySelectorAll<HTMLElement>('.rows [role=row]')) row.style.paddingTop = '9.3px'
  })
  await eventually('the rows touch', async () => {
    const gaps = await person.page.evaluate(() => {
      const rows = [...document.querySelectorAll('.rows [role=row]')].map((row) => row.getBoundingClientRect())
      return rows.slice(1).map(({ top }, i) => top - (rows[i]?.bottom ?? 0))
    })
    return gaps.length > 4 && gaps.every((gap) => Math.abs(gap) < 0.1) ? gaps : undefined
  })
  person.assertQuiet()
  await person.page.context().close()
})
