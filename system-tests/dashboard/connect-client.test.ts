import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jobClicksOf, type Person, peopleForTests, testedDevices, worldForTests } from '../world/index.ts'

const world = await worldForTests()
const personAt = await peopleForTests(world)
const { zone, base_url: site } = world.facts

const keyBox = (person: Person) => person.page.getByRole('combobox', { name: 'Key', exact: true })

async function chooseKey(person: Person, name: string): Promise<void> {
  const label = await keyBox(person)
    .locator('option', { hasText: `${name} (…` })
    .innerText()
  await keyBox(person).selectOption({ label })
}

/** The texts that the page offers to copy. */
async function blocks(person: Person): Promise<string[]> {
  await person.heading(/^Configuration for/).waitFor()
  const shown = person.page.locator('main pre')
  await shown.first().waitFor()
  return await shown.allInnerTexts()
}

const createKey = (name: string, permissions: string) =>
  world.admin('key', 'create', world.facts.account.email, name, '--zones', zone.name, '--permissions', permissions)

for (const device of testedDevices)
  test(`a client is connected with three clicks, and its configuration works, on a ${device}`, async () => {
    const host = `home-${device}`
    const person = await personAt(device)
    const clicks = await jobClicksOf(person)
    await person.signIn()
    await clicks.begin()
    if (device === 'phone') await person.button('Menu').click()
    await person.link('Connect a client').click()
    await person.heading('Clients').waitFor()
    await person.check('connect-a-client')
    await person.link('FRITZ!Box').click()
    await person.field('Host').fill('*.lan')
    await person.sees('Enter the name of one host, such as www.')
    await person.field('Host').fill(`${host}.${zone.name}`)
    await person.heading('New key for FRITZ!Box').waitFor()
    await person.sees(`fritzbox-${host}.${zone.name}`)
    await person.sees(`${host} in ${zone.name} (A, AAAA)`)
    await person.check('connect-a-client-key')
    await person.field(/^Code/).fill(await person.code())
    await person.button('Create the key').click()

    const [url = '', name, user, secret = ''] = await blocks(person)
    // On a phone, the menu takes one more click.
    if (device === 'desktop') clicks.done('connect a client')
    assert.deepEqual([name, user], [`${host}.${zone.name}`, `fritzbox-${host}.${zone.name}`])
    assert.match(secret, /^svc_live_\w{38}$/)
    await person.check('connect-a-client-configuration')
    await person.button('Copy Update URL').click()
    assert.equal(await person.page.evaluate(() => navigator.clipboard.readText()), url)
    // Fills in the URL as the router does.
    const filled = url
      .replace('<domain>', name ?? '')
      .replace('<ipaddr>', '192.0.2.77')
      .replace('&myipv6=<ip6addr>', '')
    const authorization = `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`
    assert.equal((await (await fetch(filled, { headers: { authorization } })).text()).trim(), 'good 192.0.2.77')

    await person.button('I have saved it').click()
    await person.sees('which ends in')
    assert.ok(!(await person.page.content()).includes(secret), 'the secret is gone from the page')
    assert.equal((await blocks(person))[3], 'svc_live_YOUR_KEY')
    await person.button('Create a new key').click()
    await person.sees(`fritzbox-${host}.${zone.name}-2`)
    await person.button('Change these').click()
    assert.equal(await person.field(`Names in ${zone.name}`).inputValue(), host)
    assert.equal(await person.field(`Types in ${zone.name}`).inputValue(), 'A, AAAA')
    assert.ok(await person.page.getByRole('checkbox', { name: 'records:write' }).isChecked())
    assert.ok(!(await person.page.getByRole('checkbox', { name: 'records:read' }).isChecked()))
    person.assertQuiet()
    await person.page.context().close()
  })

test('only the keys that a client can use are offered', async () => {
  await createKey('for domains', 'domains:read')
  await createKey('for records', 'records:write')
  await createKey('for more records', 'records:read,records:write')
  const person = await personAt('desktop')
  await person.signIn()
  await person.open('/connect-a-client?client=ddclient&host=vpn')
  await chooseKey(person, 'for records')
  await chooseKey(person, 'for more records')
  assert.doesNotMatch(await keyBox(person).innerText(), /for domains/)
  await person.sees(`vpn.${zone.name}`)
  const [configuration = ''] = await blocks(person)
  assert.match(configuration, /^login=key_\w+$/m)
  await person.page.context().close()
})

test('the account file of acme-dns and the configuration with a TSIG secret are shown', async () => {
  await createKey('acme', 'acme:dns01')
  const person = await personAt('desktop')
  await person.signIn()
  // The address that /acme-dns/register returns.
  const answer = await fetch(`${site}/acme-dns/register`, { method: 'POST' })
  const { message } = (await answer.json()) as { message: string }
  await person.page.goto(/http\S+/.exec(message)?.[0] ?? assert.fail(message))
  await chooseKey(person, 'acme')
  await person.field('Name in the certificate').fill('mail')
  await person.sees(`_acme-challenge.mail.${zone.name}`)
  const [account = ''] = await blocks(person)
  assert.equal(JSON.parse(account)[`mail.${zone.name}`].server_url, `${site}/acme-dns`)
  const link = person.link('Read the documentation')
  const page = await fetch(new URL((await link.getAttribute('href')) ?? '', site))
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.match(await page.text(), /<h1>Clients of acme-dns<\/h1>/)

  await person.page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').click()
  await person.link('certbot').click()
  await person.heading('TSIG secret of acme').waitFor()
  await person.check('connect-a-client-without-tsig')
  await person.field('Code for the TSIG secret').fill(await person.code())
  await person.button('Create the TSIG secret').click()
  const [configuration = ''] = await blocks(person)
  assert.ok(configuration.includes(`-seconds 10 -d ${zone.name}\n`), configuration)
  assert.match(configuration, /^dns_rfc2136_name = key-\w+\.\ndns_rfc2136_secret = [\w+/]{43}=$/m)
  await person.check('connect-a-client-tsig')
  await person.button('I have saved it').click()
  assert.match((await blocks(person))[0] ?? '', /^dns_rfc2136_secret = SECRET$/m)
  await person.open('/api-keys')
  await person.sees(/^TSIG secret key-/)
  await person.link('Connect a client with acme').click()
  await person.link('certbot').click()
  await person.sees('Replace SECRET with the TSIG secret of the key acme.')
  await person.open('/api-keys')
  await person.link('Connect a client with acme').click()
  await person.link('lego (DNS updates)').click()
  await person.button('Create a new TSIG secret').click()
  await person.field('Code for the TSIG secret').fill(await person.code())
  await person.button('Replace the TSIG secret').click()
  await person.button('I have saved it').waitFor()
  const [commands = ''] = await blocks(person)
  assert.match(commands, /^export RFC2136_TSIG_SECRET=[\w+/]{43}=$/m)
  person.assertQuiet()
  await person.page.context().close()
})

test('while the service does not answer, the page says so, and it continues when the service answers again', async () => {
  const person = await personAt('desktop')
  await person.signIn()
  const answersAgain = await person.fails('**/api/v1/api-keys?**')
  person.expects(/Failed to load resource/)
  await person.open('/connect-a-client?client=inadyn&host=nas')
  await person.button('Try again').waitFor()
  await person.check('connect-a-client-failed')
  await answersAgain()
  await person.triesAgain(keyBox(person))
  await person.page.context().close()
})
