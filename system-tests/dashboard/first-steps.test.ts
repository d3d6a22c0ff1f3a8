import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually, newcomer, peopleForTests, RegistryOffice, testedDevices, worldForTests } from '../world/index.ts'

const parent = 'free.example.org'
const world = await worldForTests({ env: { FREE_PARENTS: parent } })
const personAt = await peopleForTests(world)
const office = await RegistryOffice.of(world)
const { account, registry } = world.facts
await world.admin('zone', 'add', account.email, parent)
const tld = registry.tlds[0] ?? 'test'

for (const device of testedDevices) {
  test(`a new account can choose among three ways to get a domain, also by keyboard, on a ${device}`, async () => {
    const email = `new-${device}@example.net`
    await newcomer(world, email)
    const person = await personAt(device)
    await person.signInAs(email)
    await person.heading('Which domain do you want to use?').waitFor()
    await person.check('first-screen')

    const part = (name: string) => person.page.getByRole('region', { name })
    const typed = part('Bring a domain').getByLabel('Domain')
    await typed.fill('https://www.example.test/shop')
    await person.sees('Another account hosts example.test here.')
    await typed.fill('co.uk')
    await person.sees('is a public suffix')
    await typed.fill(`mine-${device}.example.com`)
    await person.sees(`You can add mine-${device}.example.com.`)

    await office.registerElsewhere(`taken-${device}.${tld}`)
    const wanted = part('Buy a domain').getByLabel('Name')
    await wanted.fill(`taken-${device}.${tld}`)
    await person.sees(/In use|is taken/)
    await wanted.fill(`fresh-${device}.${tld}`)
    await person.sees(`fresh-${device}.${tld} is available`)

    const free = part('Claim a free subdomain').getByLabel('Name')
    await free.fill('www')
    await person.sees('www is reserved.')
    await free.fill(`ada-${device}.${parent}`)
    await person.sees(`ada-${device}.${parent} is available`)
    await person.check('first-screen-typed')
    await free.press('Enter')
    await person.heading(`ada-${device}.${parent}`).waitFor()
    assert.equal(await person.page.getByRole('region', { name: 'Setup' }).count(), 0)

    await person.open('/zones/add')
    await person.field('Domain').fill(`mine-${device}.example.com`)
    await person.field('Domain').press('Enter')
    await person.heading('Verify that the domain is yours').waitFor()
    await person.check('setup-verify')
    person.assertQuiet()
    await person.page.context().close()
  })

  test(`a zone shows its next step until its domain points here, on a ${device}`, async () => {
    const zone = `steps-${device}.${tld}`
    await office.delegate(zone, ['ns1.provider.example', 'ns2.provider.example'])
    await world.admin('zone', 'add', account.email, zone)
    const person = await personAt(device)
    await person.signIn()
    await person.open(`/zones/${zone}`)
    await person.heading('Review the records at your current provider').waitFor()
    await person.check('setup-records')
    const step = person.page.getByRole('link', { name: 'Set nameservers' })
    await step.focus()
    await step.press('Enter')
    await person.heading('Set the nameservers at Example Registrar').waitFor()
    await person.button('Check now').click()
    await person.sees('ns1.provider.example')
    const link = person.page.getByRole('link', { name: 'Example Registrar' })
    assert.equal(await link.getAttribute('href'), 'https://registrar.example/')
    await person.check('setup-nameservers')
    const region = person.page.getByRole('region', { name: 'Setup' })
    const servers = region.getByRole('list', { name: 'Nameservers to set' })
    for (const server of ['ns1.zonewright.test', 'ns2.zonewright.test']) {
      await servers.getByRole('button', { name: `Copy ${server}` }).click()
      assert.equal(await person.page.evaluate(() => navigator.clipboard.readText()), server)
    }

    await person.open(`/zones?q=${zone}`)
    if (device === 'desktop') {
      await person.link('Not delegated yet').click()
      await person.heading('Set the nameservers at Example Registrar').waitFor()
    } else await person.open(`/zones/${zone}?step=nameservers`)

    await office.delegate(zone, ['ns1.zonewright.test', 'ns2.zonewright.test'])
    // At most one check in ten seconds. The page shows the result without a request from the person.
    await eventually('the delegation is seen', async () => {
      const { body } = await world.api.call<{ state: string }>('POST', `/zones/${zone}/delegation/check`)
      return body.state === 'live'
    })
    await person.seesNot(region)
    await person.sees(`${zone} is delegated`)
    const mail = await world.mailbox.waitFor(account.email, 'the mail that the zone is live', ({ subject }) =>
      subject.includes(zone),
    )
    assert.equal(mail.subject, `${zone} is live`)
    assert.ok(mail.links.some((url) => url.endsWith(`/app/zones/${zone}/health`)))
    person.assertQuiet()
    await person.page.context().close()
  })
}

test('titles and errors show names as people write them', async () => {
  await world.admin('zone', 'add', account.email, 'xn--bcher-kva.example.org')
  const person = await personAt('desktop')
  await person.signIn()
  await person.open('/zones/xn--bcher-kva.example.org/health')
  await person.heading('bücher.example.org').waitFor()
  await eventually('the title is set', async () => (await person.page.title()).startsWith('bücher.example.org: health'))
  await person.open('/zones/add')
  await person.field('Domain').fill('bücher.example.org')
  person.expects(/status of 409/)
  await person.field('Domain').press('Enter')
  await person.page.getByRole('alert').getByText('This account already has the zone bücher.example.org').waitFor()
  person.assertQuiet()
  await person.page.context().close()
})
