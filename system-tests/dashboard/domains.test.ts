import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  Api,
  eventually,
  jobClicksOf,
  newcomer,
  type Person,
  peopleForTests,
  RegistryOffice,
  testedDevices,
  withOwner,
  worldForTests,
} from '../world/index.ts'

const world = await worldForTests()
const personAt = await peopleForTests(world)
const office = await RegistryOffice.of(world)
const { account } = world.facts
await world.admin('credit', 'grant', account.email, '100000000')
const contactIds = [await contact('Ada Obi'), await contact('Ben Okri')]
const backupCodes: string[] = []

for (const device of testedDevices) {
  const name = `kept-${device}.test`

  test(`a domain is renewed, locked and unlocked, changes nameservers and registrant, and is shared, on a ${device}`, async () => {
    await register(name)
    const person = await personAt(device)
    await person.signIn()
    await person.open('/domains?q=kept-')
    await person.link(name).click()
    await person.heading(name).waitFor()
    await person.check('domain')
    await person.open('/domains')
    await person.link(name).waitFor()
    await person.check('domains')
    await person.link(name).click()
    await turnRenewal(person, name)
    await changeNameservers(person, name)
    await lockAndUnlock(person, name)
    await changeRegistrant(person, name)
    await shareDomain(person, device)
    await renew(person, name)
    person.assertQuiet()
    await person.page.context().close()
  })

  test(`a transfer to another registrar is requested, rejected, and later approved, on a ${device}`, async () => {
    const leaving = `leaving-${device}.test`
    await register(leaving)
    const person = await personAt(device)
    await person.signIn()
    await person.open(`/domains/${leaving}`)
    await unlock(person, leaving)
    const code = await revealTransferCode(person)
    await askFor(leaving, code)
    const alert = person.page
      .getByRole('alert')
      .filter({ hasText: `Another registrar requested a transfer of ${leaving}` })
    await untilAsked(leaving)
    await person.page.reload()
    await alert.waitFor()
    await alert.getByText(/If you do not answer by \d+ \w+ \d{4}/).waitFor()
    await person.page
      .getByRole('region', { name: 'Registration' })
      .getByText(/^The domain expires/)
      .waitFor()
    await person.check('domain-asked-for')
    await alert.getByRole('button', { name: 'Reject' }).click()
    await alert.waitFor({ state: 'detached' })
    assert.equal((await office.domain(leaving))?.sponsor, 'zonewright')
    await askFor(leaving, code)
    await untilAsked(leaving)
    await person.page.reload()
    await alert.getByRole('button', { name: 'Approve' }).click()
    await person.page
      .getByRole('dialog')
      .getByRole('button', { name: `Approve the transfer of ${leaving}` })
      .click()
    await person.heading('Domains').waitFor()
    await person.seesNot(person.link(leaving))
    assert.equal((await office.domain(leaving))?.sponsor, 'rival')
    await person.open(`/domains/${leaving}`)
    person.expects(/status of 404/)
    await person.sees('Not found')
    person.assertQuiet()
    await person.page.context().close()
  })
}

test('many domains are locked, renewed and set to auto-renew at once; one is locked in one click, renewed in three', async () => {
  const names = ['bulk-a.test', 'bulk-b.test', 'bulk-c.test']
  for (const name of names) await register(name)
  const person = await personAt('desktop')
  await person.signIn()
  const clicks = await jobClicksOf(person)
  const { page } = person
  // The state after each domain was unlocked, without waiting for three codes.
  await withOwner(world, (client) => client.query(`update domains set statuses = '{ok}' where name like 'bulk-%'`))
  const openList = async () => {
    await person.open('/domains?q=bulk-')
    await person.link(names[0] ?? '').waitFor()
  }
  await clicks.begin('/domains?q=bulk-')
  await person.button('Lock bulk-a.test').click()
  await person.sees('bulk-a.test is locked.')
  clicks.done('lock a domain')
  assert.ok((await domainOf('bulk-a.test')).locked)

  await openList()
  await person.field('Select all').click()
  await person.sees('3 selected')
  await person.check('domains-selected')
  await person.page.getByRole('region', { name: 'Selected domains' }).getByRole('button', { name: 'Lock' }).click()
  await person.sees('Locked: 2 domains.')
  for (const name of names) assert.ok((await domainOf(name)).locked, name)
  for (const [act, said, isOn] of [
    ['Turn on auto-renew', 'Auto-renew is on for 3 domains.', true],
    ['Turn off auto-renew', 'Auto-renew is off for 3 domains.', false],
  ] as const) {
    await person.button(act).click()
    await person.sees(said)
    for (const name of names) assert.equal((await domainOf(name)).auto_renew, isOn, name)
  }
  const expiryOf = async (name: string) => Date.parse((await domainOf(name)).expires_at)
  const before = await Promise.all(names.map(expiryOf))
  await person.link('Renew').click()
  await person.button('Renew 3 domains').waitFor()
  await person.check('domains-renew')
  await person.button('Renew 3 domains').click()
  await person.sees('3 domains ordered')
  for (const [i, name] of names.entries())
    await eventually(`${name} is renewed`, async () => (await expiryOf(name)) > (before[i] ?? 0))
  await page.reload()
  await person.sees('No domain is selected')

  await clicks.begin('/domains?q=bulk-')
  await person.field('Select bulk-a.test').click()
  await person.link('Renew').click()
  await person.button('Renew 1 domain').click()
  await person.sees('1 domain ordered')
  clicks.done('renew a domain')
  person.assertQuiet()
  await page.context().close()
})

test('a bought domain is locked against transfers and nothing else, and its page says so', async () => {
  const name = 'locked-from-the-start.test'
  await register(name)
  const person = await personAt('desktop')
  await person.signIn()
  await person.open(`/domains/${name}`)
  const lock = person.page.getByRole('region', { name: 'Lock' })
  await lock.getByText('Locked', { exact: true }).waitFor()
  await person.check('domain-locked')
  assert.deepEqual((await office.domain(name))?.statuses, ['clientTransferProhibited'])
  await person.open(`/domains?q=${name}`)
  await person.link(name).waitFor()
  assert.equal(await person.button(`Lock ${name}`).count(), 0)
  person.assertQuiet()
  await person.page.context().close()
})

test('a key is created for a domain only, and the list of keys says what it covers', async () => {
  const name = 'for-a-key.test'
  await register(name)
  const person = await personAt('desktop')
  await person.signIn()
  await person.open('/api-keys')
  await person.button('Create a key').click()
  await person.field(/^Name/).fill('domain robot')
  await person.page.getByRole('radio', { name: 'Only these' }).click()
  await person.page.getByRole('combobox', { name: 'Which ones' }).fill(name)
  await person.page.getByRole('option', { name: `${name} (zone)`, exact: true }).waitFor()
  await person.page.getByRole('option', { name: `${name} (domain)`, exact: true }).click()
  await person.page.keyboard.press('Escape')
  await person.page.getByRole('checkbox', { name: 'domains:read' }).check()
  await person.field(/^Code/).fill(await freshCode(person))
  await person.button('Create the key').click()
  await person.heading('The key domain robot was created').waitFor()
  const key = /svc_live_\w+/.exec(await person.page.locator('main').innerText())?.[0] ?? ''
  const api = new Api(world.facts.base_url, [key])
  assert.equal((await api.call('GET', `/domains/${name}`)).status, 200)
  assert.equal((await api.call('GET', `/zones/${name}`)).status, 403)
  await person.button('I have saved it').click()
  await person.sees(`Only ${name} (domain)`)
  person.assertQuiet()
  await person.page.context().close()
})

test('a key is limited to some records of a zone, and the list of keys says which', async () => {
  const name = 'for-a-router.test'
  await register(name)
  const person = await personAt('phone')
  await person.signIn()
  await person.open('/api-keys')
  await person.button('Create a key').click()
  await person.field(/^Name/).fill('router')
  await person.page.getByRole('radio', { name: 'Only these' }).click()
  await person.page.getByRole('checkbox', { name: /^Only some records/ }).check()
  await person.page.getByRole('combobox', { name: 'Which ones' }).fill(name)
  await person.page.getByRole('option', { name: `${name} (zone)`, exact: true }).click()
  await person.page.keyboard.press('Escape')
  await person.sees('Enter names and types for each zone.')
  await person.field(`Names in ${name}`).fill('home, *.lan')
  await person.field(`Types in ${name}`).fill('a aaaa')
  await person.check('api-keys-limited')
  await person.page.getByRole('checkbox', { name: 'records:write' }).check()
  await person.field(/^Code/).fill(await freshCode(person))
  await person.button('Create the key').click()
  await person.heading('The key router was created').waitFor()
  const key = /svc_live_\w+/.exec(await person.page.locator('main').innerText())?.[0] ?? ''
  const api = new Api(world.facts.base_url, [key])
  const body = { records: ['192.0.2.1'] }
  assert.equal((await api.call('PUT', `/zones/${name}/rrsets/nas.lan/A`, body)).status, 201)
  assert.equal((await api.call('PUT', `/zones/${name}/rrsets/www/A`, body)).status, 403)
  await person.button('I have saved it').click()
  await person.sees(`Limited to home, *.lan in ${name} (A, AAAA)`)
  person.assertQuiet()
  await person.page.context().close()
})

test('an invited person accepts in the dashboard, does what a manager may do, and leaves', async () => {
  const [name, email] = ['shared.test', 'mo@example.net']
  await register(name)
  const owner = await personAt('desktop')
  await owner.signIn()
  await owner.open(`/domains/${name}`)
  await owner.field('Email').fill(email)
  await owner.button('Invite').click()
  await owner.button(`Cancel the invitation of ${email}`).waitFor()
  await newcomer(world, email)
  const guest = await personAt('phone')
  await guest.signInAs(email)
  await guest.open('/domains')
  await guest.sees(`invites you to manage ${name}`)
  await guest.check('domains-invited')
  await guest.button('Accept').click()
  await guest.link(name).click()
  await guest.heading(name).waitFor()
  await guest.heading('Nameservers').waitFor()
  assert.equal(await guest.heading('Registrant').count(), 0)
  assert.equal(await guest.heading('Transfer code').count(), 0)
  if (await guest.button('Lock it').isVisible()) await guest.button('Lock it').click()
  await guest.page.getByText('Locked', { exact: true }).waitFor()
  assert.equal(await guest.button('Unlock it').count(), 0)
  await guest.check('domain-managed')
  await guest.button('Leave').click()
  await guest.page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  await guest.heading('Domains').waitFor()
  await guest.seesNot(guest.link(name))
  for (const person of [owner, guest]) {
    person.assertQuiet()
    await person.page.context().close()
  }
})

test('junk, a lost connection and a lost session are reported, and nothing typed is lost', async () => {
  const name = 'stormy.test'
  await register(name)
  const person = await personAt('desktop')
  await person.signIn()
  await person.open(`/domains/${name}`)
  await person.button('Change nameservers').click()
  const field = person.field('Nameservers of the domain')
  await field.fill('not a nameserver, -bad-.example, ns1.example.net')
  person.expects(/status of (4\d\d|503)/)
  await person.button(/^Set these/).click()
  const alert = person.page.getByRole('alert')
  await alert.getByText('"not a nameserver" is not a host name such as ns1.example.net.').waitFor()
  await alert.getByText('"-bad-.example" is not a host name such as ns1.example.net.').waitFor()
  await person.button('Set these 3 nameservers').waitFor()
  await person.check('domain-bad-nameservers')
  const reach = await person.fails('**/nameservers')
  person.expects(/ERR_FAILED/)
  await field.fill('ns1.example.net\nns2.example.net')
  await person.button('Set these 2 nameservers').click()
  await person.sees('No connection')
  await reach()
  await person.losesSessionAt('**/nameservers')
  await person.button('Set these 2 nameservers').click()
  const dialog = person.page.getByRole('dialog', { name: 'Sign in again' })
  await dialog.getByLabel('Password', { exact: true }).fill(account.password)
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await dialog.getByLabel('Code').fill(await freshCode(person))
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.equal(await field.inputValue(), 'ns1.example.net\nns2.example.net')
  await person.button('Set these 2 nameservers').click()
  await person.page.getByRole('list', { name: 'Nameservers' }).getByText('ns2.example.net').waitFor()
  person.assertQuiet()
  await person.page.context().close()
})

async function turnRenewal(person: Person, name: string): Promise<void> {
  const renews = person.page.getByRole('switch', { name: 'Auto-renew' })
  const before = await renews.isChecked()
  await renews.click({ force: true })
  await person.sees(before ? `Auto-renew is off for ${name}.` : `Auto-renew is on for ${name}.`)
  await renews.click({ force: true })
  await person.sees(before ? `Auto-renew is on for ${name}.` : `Auto-renew is off for ${name}.`)
  assert.equal(await person.page.getByText(/^Auto-renew is .* for /).count(), 1, 'a toast replaces the earlier one')
}

async function changeNameservers(person: Person, name: string): Promise<void> {
  const shown = person.page.getByRole('list', { name: 'Nameservers' })
  await person.button('Change nameservers').click()
  await person.field('Nameservers of the domain').fill(`ns1.${name} 192.0.2.53 2001:db8::53\nns2.example.net`)
  await person.sees(/None of these nameservers is ours/)
  await person.check('domain-nameservers')
  await person.button('Set these 2 nameservers').click()
  await shown.getByText(`ns1.${name}`).waitFor()
  assert.deepEqual((await office.domain(name))?.nameservers.toSorted(), [`ns1.${name}`, 'ns2.example.net'])
  await person.button('Change nameservers').click()
  await person.button('Use ours').click()
  await person.button('Set these 2 nameservers').click()
  await shown.getByText('ns1.zonewright.test').waitFor()
}

async function lockAndUnlock(person: Person, name: string): Promise<void> {
  if (await person.button('Lock it').isVisible()) await person.button('Lock it').click()
  await person.page.getByText('Locked', { exact: true }).waitFor()
  await person.button('Unlock it').click()
  await person.field(/^Code for unlocking/).fill('000000')
  person.expects(/status of 4\d\d/)
  await person.button(`Unlock ${name}`).click()
  await person.page.getByRole('alert').waitFor()
  await person.check('domain-unlock')
  await person.field(/^Code for unlocking/).fill(await freshCode(person))
  await person.button(`Unlock ${name}`).click()
  await person.page.getByText('Not locked', { exact: true }).waitFor()
}

async function changeRegistrant(person: Person, name: string): Promise<void> {
  await person.button('Change registrant').click()
  await person.page.getByRole('combobox', { name: 'Contact' }).click()
  await person.page.getByRole('option', { name: /^Ben Okri/ }).click()
  await person.button(`Change the registrant of ${name}`).click()
  await person.page.getByRole('region', { name: 'Registrant' }).getByText('Ben Okri').waitFor()
}

async function shareDomain(person: Person, device: string): Promise<void> {
  const email = `helper-${device}@example.net`
  await person.field('Email').fill(email)
  await person.button('Invite').click()
  await person.button(`Cancel the invitation of ${email}`).click()
  await person.page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await person.sees('Not shared')
}

async function renew(person: Person, name: string): Promise<void> {
  const before = (await office.domain(name))?.expiresAt ?? 0
  await person.link('Renew').click()
  await person.heading(`Renew ${name}`).waitFor()
  await person.seesMenuEntry('Domains')
  // Enabled once the credit has been read.
  await person.page.getByRole('button', { name: 'Place order', disabled: false }).waitFor()
  await person.check('order-renew')
  await person.button('Place order').click()
  await person.seesStatus('Completed')
  assert.ok(((await office.domain(name))?.expiresAt ?? 0) > before + 300 * 86_400_000)
}

async function unlock(person: Person, name: string): Promise<void> {
  await person.button('Unlock it').click()
  await person.field(/^Code for unlocking/).fill(await freshCode(person))
  await person.button(`Unlock ${name}`).click()
  await person.page.getByText('Not locked', { exact: true }).waitFor()
}

/** The code disappears from the page once the person has kept it. */
async function revealTransferCode(person: Person): Promise<string> {
  await person.button('Show the transfer code').click()
  await person.field(/^Code for the transfer code/).fill(await freshCode(person))
  await person.button('Show it').click()
  await person.sees('It is shown only once.')
  const section = person.page.getByRole('region', { name: 'Transfer code' })
  const code = await section.locator('code').innerText()
  await person.check('domain-transfer-code')
  await section.getByRole('button', { name: 'I have saved it' }).click()
  assert.ok(!(await person.page.content()).includes(code), 'the code is gone from the page')
  return code
}

/** Returns a backup code, because an authenticator shows a new code only every 30 seconds. */
async function freshCode(person: Person): Promise<string> {
  if (backupCodes.length === 0) {
    const answer = await person.page.request.post('/api/auth/two-factor/generate-backup-codes', {
      headers: { origin: world.facts.base_url },
      data: { password: account.password, code: await person.code() },
    })
    assert.equal(answer.status(), 200, await answer.text())
    backupCodes.push(...((await answer.json()) as { backupCodes: string[] }).backupCodes)
  }
  return backupCodes.pop() ?? ''
}

let asked = 0

async function askFor(name: string, authInfo: string): Promise<void> {
  const { kind } = await office.rival.domains.requestTransfer({ name, authInfo }, `ask-${++asked}`)
  assert.equal(kind, 'pending')
}

async function untilAsked(name: string): Promise<void> {
  await eventually(
    'the service knows who has asked',
    async () =>
      (await world.api.call<{ transfer_out: object | null }>('GET', `/domains/${name}`)).body.transfer_out ?? undefined,
  )
}

async function contact(name: string): Promise<string> {
  const details = { email: 'ada@example.net', phone: '+2348031234567', address1: '1 Marina Road', city: 'Lagos' }
  const { status, body } = await world.api.call<{ id: string }>('POST', '/contacts', {
    name,
    ...details,
    country: 'NG',
  })
  assert.equal(status, 201)
  return body.id
}

/** Buys a domain with credit, and waits for its lock, which follows a moment after the order. */
async function register(name: string): Promise<void> {
  const quote = await world.api.call<{ id: string }>('POST', '/quotes', { kind: 'register', name })
  const wish = { quote_id: quote.body.id, contact_id: contactIds[0], use_credit: true }
  assert.equal((await world.api.call('POST', '/orders', wish)).status, 201)
  await eventually(`${name} is here and locked`, async () => (await domainOf(name)).locked)
}

async function domainOf(name: string): Promise<{ locked: boolean; auto_renew: boolean; expires_at: string }> {
  const { body } = await world.api.call<{ locked: boolean; auto_renew: boolean; expires_at: string }>(
    'GET',
    `/domains/${name}`,
  )
  return body
}
