import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  type Browser,
  eventually,
  newcomer,
  type Person,
  peopleForTests,
  RegistryOffice,
  startDnsProvider,
  testedDevices,
  worldForTests,
} from '../world/index.ts'

const parent = 'free.example.org'
const world = await worldForTests({ env: { FREE_PARENTS: parent } })
const personAt = await peopleForTests(world)
await world.admin('zone', 'add', world.facts.account.email, parent)

for (const device of testedDevices) {
  test(`a domain is added and waits for its verification, on a ${device}`, async () => {
    const person = await personAt(device)
    await person.signIn()
    await person.link('Add a zone').click()
    await person.field('Domain').fill('not a domain')
    person.expects(/status of 4\d\d/)
    await person.button('Add the domain').click()
    await person.page.getByRole('alert').waitFor()
    await person.check('zone-add')
    await person.field('Domain').fill(`waiting-${device}.example.com`)
    await person.button('Add the domain').click()
    await person.sees('Verify that the domain is yours')
    await person.button('Check now').click()
    await person.sees(/The proof was not found yet|nameservers did not respond/)
    await person.check('zone-to-verify')
    await person.page.context().close()
  })

  test(`a free subdomain is shown as available or taken while it is typed, and is then claimed, on a ${device}`, async () => {
    const person = await personAt(device)
    await person.signIn()
    await person.open('/zones/add')
    await person.field('Name').fill('www')
    await person.seesNot(person.page.getByText('is available'))
    await person.field('Name').fill(`ada-${device}`)
    await person.sees(`ada-${device}.${parent} is available`)
    await person.button('Claim it').click()
    await person.heading(`ada-${device}.${parent}`).waitFor()
    await person.page.context().close()
  })

  test(`a zone is shared until the manager is removed, deleted by typing its name, and restored, on a ${device}`, async () => {
    const name = `shared-${device}.example.org`
    await world.admin('zone', 'add', world.facts.account.email, name)
    const owner = await personAt(device)
    await owner.signIn()
    const guest = await invite(owner, name, `guest-${device}@example.net`)
    await owner.open(`/zones/${name}/sharing`)
    await owner.page.getByText('Joined').waitFor()
    await owner.check('zone-sharing')
    await owner.button(`Remove guest-${device}@example.net`).click()
    await owner.page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await owner.sees('Not shared')
    assert.equal((await guest.call('GET', `/api/v1/zones/${name}`)).status, 404)
    await deleteAndRestore(owner, name)
    await owner.page.context().close()
  })

  test(`filters are in the address, and back and forward restore them, on a ${device}`, async () => {
    const person = await personAt(device)
    await person.signIn()
    await person.open('/zones?q=example.test')
    await person.sees(/^1 of /)
    await person.link('example.test').click()
    await person.button('Add records').waitFor()
    await person.page.goBack()
    await person.sees(/^1 of /)
    assert.equal(await person.field('Filter zones').inputValue(), 'example.test')
    await person.field('Filter zones').fill('nothing has this')
    await person.sees('No zone matches')
    await person.check('zones-no-match')
    await person.button('Show all').click()
    await person.link('example.test').waitFor()
    await person.open('/zones/nobody-has.example.net')
    person.expects(/status of 404/)
    await person.heading('Zone not found').waitFor()
    await person.check('zone-not-found')
    await person.open('/nothing/here')
    await person.heading('Page not found').waitFor()
    await person.check('page-not-found')
    person.assertQuiet()
    await person.page.context().close()
  })
}

test('a shared zone and one’s own pending zone of the same name can each be opened, and a key can name either', async () => {
  const name = 'twice.example.net'
  const owner = await newcomer(world, 'first@example.net')
  await world.admin('zone', 'add', 'first@example.net', name)
  const invited = await owner.call('POST', `/api/v1/zones/${name}/managers`, { email: world.facts.account.email })
  assert.ok(invited.status < 300)
  const person = await personAt('desktop')
  await person.signIn()
  await person.button('Accept').click()
  await person.link(name).waitFor()
  await person.open('/zones/add')
  await person.field('Domain').fill(name)
  await person.button('Add the domain').click()
  await person.sees('Verify that the domain is yours')
  await person.open(`/zones?q=${name}`)
  const row = (state: string) =>
    person.page.getByRole('row').filter({ hasText: state }).getByRole('link', { name, exact: true })
  await row('Live').click()
  await person.heading(name).waitFor()
  await person.seesNot(person.page.getByText('Verify that the domain is yours'))
  await person.open(`/zones?q=${name}`)
  await row('To verify').click()
  await person.sees('Verify that the domain is yours')
  await addAddress(person, 'www')
  await person.sees('Saved. It is published once the zone is verified.')
  assert.equal((await owner.call('GET', `/api/v1/zones/${name}/rrsets/www/A`)).status, 404)
  await person.open('/api-keys')
  await person.button('Create a key').click()
  await person.page.getByRole('radio', { name: 'Only these' }).click()
  await person.page.getByRole('combobox', { name: 'Which ones' }).fill(name)
  await person.page.getByRole('option', { name: `${name} (zone to verify)` }).click()
  await person.page.getByRole('option', { name: `${name} (zone, shared with me)` }).waitFor()
  person.assertQuiet()
  await person.page.context().close()
})

test('a change saved before the zone is verified says so, and the page notices the verification automatically', async () => {
  const name = 'proved.test'
  const elsewhere = 'ns.provider.test'
  const provider = await startDnsProvider([name])
  after(() => provider.close())
  const office = await RegistryOffice.of(world)
  await office.setHost(elsewhere, provider.address)
  await office.delegate(name, [elsewhere])
  const person = await personAt('desktop')
  await person.signIn()
  await person.open('/zones/add')
  await person.field('Domain').fill(name)
  await person.button('Add the domain').click()
  await person.sees('Verify that the domain is yours')
  await addAddress(person, 'www')
  await person.sees('Saved. It is published once the zone is verified.')
  await person.check('zone-saved-unverified')
  type Zone = { state: string; verification: { txt: { name: string; value: string } } }
  const { verification } = (await world.api.call<Zone>('GET', `/zones/${name}`)).body
  provider.set(verification.txt.name, [verification.txt.value])
  await eventually('the proof is found', async () => {
    await world.api.call('POST', `/zones/${name}/verify`)
    return (await world.api.call<Zone>('GET', `/zones/${name}`)).body.state === 'live'
  })
  await person.seesNot(person.page.getByText('Verify that the domain is yours'))
  await person.sees('Saved. Live on ns1 and ns2.')
  person.assertQuiet()
  await person.page.context().close()
})

test('the page stops waiting for a change that does not reach a nameserver', async () => {
  const name = 'slow.example.org'
  await world.admin('zone', 'add', world.facts.account.email, name)
  const person = await personAt('desktop')
  await person.signIn()
  await person.page.route('**/propagation?*', async (route) => {
    const answer = await route.fetch()
    const seen = (await answer.json()) as { nameservers: object[] }
    const nameservers = seen.nameservers.map((server, i) => ({ ...server, in_sync: i === 0 }))
    await route.fulfill({ response: answer, json: { ...seen, replicated: false, nameservers } })
  })
  await person.page.clock.install()
  await person.open(`/zones/${name}`)
  await addAddress(person, 'www')
  await person.sees('Saved. Live on ns1; the others follow…')
  await person.page.clock.fastForward(31_000)
  await person.sees('Saved. Live on ns1; not yet on the others.')
  await person.check('zone-saved-behind')
  await person.page.unroute('**/propagation?*')
  await person.link('See the propagation').click()
  await person.heading('Propagation').waitFor()
  person.assertQuiet()
  await person.page.context().close()
})

/** Adds one address to the zone that the page shows, and saves it. */
async function addAddress(person: Person, name: string): Promise<void> {
  await person.addUnsaved(name)
  await person.button('Review and save').click()
  await person.button('Save the change').click()
}

/** Invites an address whose account is then created and confirmed, and accepts. Returns the guest. */
async function invite(owner: Person, zone: string, email: string): Promise<Browser> {
  await owner.open(`/zones/${zone}/sharing`)
  await owner.field('Email').fill(email)
  await owner.button('Invite').click()
  await owner.button(`Cancel the invitation of ${email}`).waitFor()
  const guest = await newcomer(world, email)
  const { body } = await guest.call('GET', '/api/v1/invitations')
  const [invitation] = body['data'] as { id: string }[]
  assert.equal((await guest.call('POST', `/api/v1/invitations/${invitation?.id}/accept`, {})).status, 200)
  return guest
}

async function deleteAndRestore(owner: Person, name: string): Promise<void> {
  await owner.open(`/zones/${name}/settings`)
  await owner.button(`Delete ${name}`).click()
  const dialog = owner.page.getByRole('dialog')
  assert.ok(await dialog.getByRole('button', { name: `Delete ${name}` }).isDisabled())
  await dialog.getByLabel(`Type ${name} to confirm`).fill(name)
  await owner.check('zone-delete')
  await dialog.getByRole('button', { name: `Delete ${name}` }).click()
  await owner.heading('Zones').waitFor()
  await eventually('the zone is gone', async () => (await world.api.call('GET', `/zones/${name}`)).status === 404)
  await owner.open('/zones/deleted')
  await owner.button(`Restore ${name}`).waitFor()
  await owner.check('zones-deleted')
  await owner.button(`Restore ${name}`).click()
  await owner.heading(name).waitFor()
}
