import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Browser, type Person, peopleForTests, signUpToken, worldForTests } from '../world/index.ts'

const world = await worldForTests()
const personAt = await peopleForTests(world)
const zone = world.facts.zone.name
await new Browser(world.facts.base_url).call('POST', '/api/auth/sign-up/email', { email: 'junk@example.net' })

/** Unintended input: markup, quotes, SQL, a bell, a text direction override, emoji, and very long text. */
const junk = `<b onclick="alert(1)">'";-- \u0007\u202e🦄 ../..%00{{x}} ${'x'.repeat(3_000)}`

/** Pages with fields, and the button that shows the fields if there is one. */
const signedOut = [
  '/sign-in',
  '/sign-up',
  `/create-account?token=${await signUpToken(world, 'junk@example.net')}`,
  '/forgot-password',
  '/reset-password?token=junk',
  `/pay/${'x'.repeat(200)}`,
]
const signedIn: readonly { readonly path: string; readonly opener?: RegExp }[] = [
  { path: '/zones' },
  { path: '/zones/add' },
  { path: `/zones/${zone}` },
  { path: `/zones/${zone}`, opener: /^Add records$/ },
  { path: `/zones/${zone}/import` },
  { path: `/zones/${zone}/presets` },
  { path: `/zones/${zone}/sharing` },
  { path: `/zones/${zone}/secondaries`, opener: /^Add a secondary$/ },
  { path: '/buy' },
  { path: '/orders' },
  { path: '/contacts', opener: /^New contact$/ },
  { path: '/api-keys', opener: /^Create a key$/ },
  { path: '/webhooks', opener: /^Add an endpoint$/ },
  { path: '/audit-log' },
  { path: '/account' },
]

test('pages for people who are not signed in report junk in any field, and junk breaks nothing', async () => {
  const person = await personAt('desktop')
  for (const path of signedOut) await enterJunk(person, path)
  await person.page.context().close()
})

test('every other page reports junk in any field, and junk breaks nothing', async () => {
  const person = await personAt('desktop')
  await person.signIn()
  for (const { path, opener } of signedIn) await enterJunk(person, path, opener)
  await person.page.context().close()
})

/** Enters junk into each field, submits what can be submitted, and checks that the page is still there, with nothing added to it. */
async function enterJunk(person: Person, path: string, opener?: RegExp): Promise<void> {
  const { page } = person
  person.expects(/status of 4\d\d/)
  await person.open(path)
  await page.locator('#root main').waitFor()
  if (opener) await person.button(opener).first().click()
  const fields = page
    .locator('main, [role=dialog]')
    .locator(
      'input:not([type]), input[type=text], input[type=email], input[type=password], input[type=search], input[type=url], textarea',
    )
  if (!path.startsWith('/pay/')) await fields.first().waitFor()
  for (const field of await fields.all()) {
    if (!(await field.isEditable())) continue
    await field.fill(junk)
  }
  for (const send of await page.locator('main, [role=dialog]').locator('button[type=submit]').all())
    if ((await send.isVisible()) && (await send.isEnabled())) await send.click()
  await page.getByRole('main').first().waitFor()
  assert.equal(await page.locator('b[onclick]').count(), 0, `${path} took text for markup`)
  assert.equal(await page.getByText('Page not found').count(), 0, path)
  person.assertQuiet()
}
