import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  jobClicksOf,
  newcomer,
  newcomerPassword,
  nightlyTest,
  type Person,
  peopleForTests,
  worldForTests,
} from '../world/index.ts'

const world = await worldForTests()
const personAt = await peopleForTests(world)

test('the next person to sign in in the same browser gets no page, list or unsaved change of the previous account', async () => {
  const zone = 'shared-by-both.example.org'
  const owner = await newcomer(world, 'owner@example.net')
  await world.admin('zone', 'add', 'owner@example.net', zone)
  const guest = await newcomer(world, 'guest@example.net')
  await owner.call('POST', `/api/v1/zones/${zone}/managers`, { email: 'guest@example.net' })
  const { body } = await guest.call('GET', '/api/v1/invitations')
  const [invitation] = body['data'] as { id: string }[]
  assert.equal((await guest.call('POST', `/api/v1/invitations/${invitation?.id}/accept`, {})).status, 200)

  const person = await personAt('desktop')
  await person.signInAs('owner@example.net')
  await person.open(`/zones/${zone}`)
  await person.addUnsaved('unsaved')
  const other = await person.anotherTab()
  await other.signInAs('guest@example.net')
  await comeBack(person)
  await person.heading('Zones').waitFor()
  await person.button('Account menu').click()
  await person.sees('guest@example.net')
  await person.page.keyboard.press('Escape')
  await person.link(zone).click()
  await person.button('Add records').waitFor()
  await person.seesNot(person.page.getByText('1 unsaved change'))
  assert.ok(!(await person.page.evaluate(() => JSON.stringify(sessionStorage))).includes('192.0.2.1'))
  person.assertQuiet()
  other.assertQuiet()
  await person.page.context().close()
})

test('the sessions show their browsers and addresses, and the others are signed out in two clicks', async () => {
  const email = 'many-sessions@example.net'
  const elsewhere = await newcomer(world, email)
  await world.admin('zone', 'add', email, 'many-sessions.example.org')
  const person = await personAt('desktop')
  const clicks = await jobClicksOf(person)
  await person.signInAs(email)
  await clicks.begin()
  await person.link('Account').click()
  const rows = person.page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')
  await rows.nth(1).waitFor()
  const [own = '', other = ''] = (await rows.allInnerTexts()).sort((a) => (a.includes('This device') ? -1 : 1))
  assert.match(own, /Chrome on Linux\s+This device\s+From (127\.0\.0\.1|::1), signed in just now/)
  assert.match(other, /From (127\.0\.0\.1|::1), signed in just now/)
  assert.ok(!other.includes('This device'))
  await person.check('account-sessions')
  await person.button('Sign out other sessions').click()
  await person.sees('All other sessions are signed out.')
  clicks.done('sign out other sessions')
  await person.seesNot(rows.nth(1))
  assert.equal((await elsewhere.call('GET', '/api/v1/account')).status, 401)
  person.assertQuiet()
  await person.page.context().close()
})

nightlyTest('the next person to sign in does not see the unsaved changes of a deleted account', async () => {
  await newcomer(world, 'leaves@example.net')
  const zone = 'left.example.org'
  await world.admin('zone', 'add', 'leaves@example.net', zone)
  const person = await personAt('desktop')
  await person.signInAs('leaves@example.net')
  await person.open(`/zones/${zone}`)
  await person.addUnsaved('unsaved')
  await person.open('/account')
  await person.button('Delete the account leaves@example.net').click()
  await person.field('Password of the account').fill(newcomerPassword)
  await person.button('Delete leaves@example.net now').click()
  await person.button('Sign in').waitFor()
  await person.page.waitForFunction(() => !JSON.stringify(sessionStorage).includes('192.0.2.1'))
  await person.page.context().close()
})

nightlyTest(
  'after a session ends in two tabs, one sign-in restores both, and another person can sign in instead',
  async () => {
    await newcomer(world, 'two-tabs@example.net')
    await newcomer(world, 'somebody-else@example.net')
    const person = await personAt('desktop')
    await person.signInAs('two-tabs@example.net')
    const other = await person.anotherTab()
    for (const tab of [person, other]) {
      tab.expects(/status of 401/)
      await tab.open('/account')
      await tab.button('Sign out other sessions').waitFor()
    }
    await person.field('Name').fill('Typed before')
    await person.page.context().clearCookies()
    const dialogIn = ({ page }: Person) => page.getByRole('dialog', { name: 'Sign in again' })
    for (const tab of [person, other]) {
      await tab.button('Sign out other sessions').click()
      await dialogIn(tab).waitFor()
    }
    await person.page.waitForFunction(() => document.activeElement?.getAttribute('autocomplete') === 'current-password')
    await person.check('session-lost-newcomer')
    await dialogIn(other).getByLabel('Password', { exact: true }).fill(newcomerPassword)
    await dialogIn(other).getByRole('button', { name: 'Sign in' }).click()
    await other.seesNot(dialogIn(other))
    await comeBack(person)
    await person.seesNot(dialogIn(person))
    assert.equal(await person.field('Name').inputValue(), 'Typed before')

    await person.page.context().clearCookies()
    await person.button('Sign out other sessions').click()
    await dialogIn(person).getByRole('link', { name: 'Sign in with another account' }).click()
    await person.field('Email').fill('somebody-else@example.net')
    await person.field('Password').fill(newcomerPassword)
    await person.button('Sign in').click()
    await person.heading('Account').first().waitFor()
    await person.button('Delete the account somebody-else@example.net').waitFor()
    person.assertQuiet()
    other.assertQuiet()
    await person.page.context().close()
  },
)

/** The person returns to this tab. A headless browser shows all tabs at once, and sends no event. */
async function comeBack({ page }: Person): Promise<void> {
  await page.evaluate(() => dispatchEvent(new Event('focus')))
}
