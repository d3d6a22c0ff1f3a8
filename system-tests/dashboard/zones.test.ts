import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Browser, eventually, newcomer, type Person, peopleForTests, worldForTests } from '../world/index.ts'

const parent = 'free.example.org'
const world = await worldForTests({ env: { FREE_PARENTS: parent } })
const personAt = await peopleForTests(world)
await world.admin('zone', 'add', world.facts.account.email, parent)

for (const device of ['desktop', 'phone'] as const) {
  test(`a domain is added and waits for its proof, on a ${device}`, async () => {
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
    await person.sees('Show that the name is yours')
    await person.button('Check now').click()
    await person.sees(/The proof is not there yet|Nobody could tell/)
    await person.check('zone-to-verify')
    await person.page.context().close()
  })

  test(`a free subdomain is told free or taken as it is typed, and claimed, on a ${device}`, async () => {
    const person = await personAt(device)
    await person.signIn()
    await person.open('/zones/add')
    await person.field('Name').fill('www')
    await person.seesNot(person.page.getByText('is free'))
    await person.field('Name').fill(`ada-${device}`)
    await person.sees(`ada-${device}.${parent} is free`)
    await person.button('Claim it').click()
    await person.heading(`ada-${device}.${parent}`).waitFor()
    await person.page.context().close()
  })

  test(`a zone is shared, accepted, left; deleted by its name, and brought back, on a ${device}`, async () => {
    const name = `shared-${device}.example.org`
    await world.admin('zone', 'add', world.facts.account.email, name)
    const owner = await personAt(device)
    await owner.signIn()
    const guest = await invite(owner, name, `guest-${device}@example.net`)
    await owner.open(`/zones/${name}/sharing`)
    await owner.page.getByText('Manager since').waitFor()
    await owner.check('zone-sharing')
    await owner.button(`Remove guest-${device}@example.net`).click()
    await owner.page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await owner.sees('Shared with nobody')
    assert.equal((await guest.call('GET', `/api/v1/zones/${name}`)).status, 404)
    await deleteAndRestore(owner, name)
    await owner.page.context().close()
  })

  test(`filters stand in the address, and back and forward go through them, on a ${device}`, async () => {
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
    await person.sees('Not found')
    await person.open('/nothing/here')
    await person.sees('There is no page here')
    person.assertQuiet()
    await person.page.context().close()
  })
}

/** Invites an address whose account is then made, confirmed, and accepts; returns the guest. */
async function invite(owner: Person, zone: string, email: string): Promise<Browser> {
  await owner.open(`/zones/${zone}/sharing`)
  await owner.field('Email').fill(email)
  await owner.button('Invite').click()
  await owner.button(`Take back the invitation of ${email}`).waitFor()
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
  await owner.button(`Bring ${name} back`).waitFor()
  await owner.check('zones-deleted')
  await owner.button(`Bring ${name} back`).click()
  await owner.heading(name).waitFor()
}
