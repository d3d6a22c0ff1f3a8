// Programs that check emails open every link, some of them in a browser. Opening a link must not change anything.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import {
  Browser,
  eventually,
  newcomer,
  newcomerPassword,
  peopleForTests,
  Shopper,
  signUpToken,
  worldForTests,
} from '../world/index.ts'

const world = await worldForTests()
const personAt = await peopleForTests(world)
const { base_url: site, zone } = world.facts
const known = 'reader@example.net'

/** Causes an email of each kind that strangers can cause or that offers something: to accept, to pay, to confirm, to choose. */
async function causeMails(): Promise<void> {
  const stranger = new Browser(site)
  const reader = await newcomer(world, known)
  const send = async (who: Browser, path: string, body: object, method = 'POST'): Promise<void> => {
    const { status, body: answer } = await who.call(method, path, body)
    assert.ok(status < 300, `${path}: ${status} ${JSON.stringify(answer)}`)
  }
  await send(stranger, '/api/auth/sign-up/email', { email: 'new@example.net' })
  await send(stranger, '/api/auth/sign-up/email', { email: known })
  await send(stranger, '/api/auth/request-password-reset', { email: known, redirectTo: '/app/reset-password' })
  await send(stranger, '/api/auth/sign-in/email', { email: known, password: newcomerPassword })
  await send(reader, '/api/v1/account/email', { email: 'next@example.net', password: newcomerPassword })
  for (let i = 0; i < 10; i++)
    assert.equal(
      (await stranger.call('POST', '/api/auth/sign-in/email', { email: known, password: `guess ${i}` })).status,
      401,
    )
  const shopper = await Shopper.at(world)
  await send(shopper.dashboard, `/api/v1/zones/${zone.name}/managers`, { email: known })
  const { id } = await shopper.order('linked-mail.test', { order: { client_email: 'client@example.org' } })
  await send(shopper.dashboard, `/api/v1/orders/${id}/pay-link`, {})
}

/** Every link of every received email. */
async function linksOfMails(): Promise<string[]> {
  const mails = await Promise.all((await world.mailbox.list()).map((mail) => world.mailbox.read(mail)))
  return [...new Set(mails.flatMap(({ links }) => links))].filter((link) => link.startsWith('http'))
}

/** The state in the database that people and their emails can change. */
async function state(): Promise<Record<string, Record<string, unknown>[]>> {
  const tables = [
    ...['accounts', 'account_sign_ups', 'account_credentials', 'account_sessions', 'account_verifications'],
    ...['account_devices', 'account_guesses', 'account_two_factors', 'api_keys', 'zone_managers', 'zone_invitations'],
    ...[
      'domain_invitations',
      'domain_managers',
      'orders',
      'payments',
      'pay_links',
      'webhook_endpoints',
      'audit_log',
      'mails',
    ],
  ]
  const client = new pg.Client({ connectionString: world.ownerUrl })
  await client.connect()
  try {
    const found: Record<string, Record<string, unknown>[]> = {}
    for (const table of tables) found[table] = (await client.query(`select * from ${table} t order by t::text`)).rows
    return found
  } finally {
    await client.end()
  }
}

const isWaiting = (mail: Readonly<Record<string, unknown>>): boolean => mail['due_at'] !== null

/** Opens a link as a program does, with each method, and follows its redirects within our site. */
async function open(link: string, cookie: string): Promise<void> {
  for (const method of ['HEAD', 'GET', 'GET']) {
    let at: string | undefined = link
    for (let hops = 0; at?.startsWith(site) && hops < 5; hops++) {
      const answer: Response = await fetch(at, { method, redirect: 'manual', headers: { cookie, accept: 'text/html' } })
      await answer.arrayBuffer()
      assert.ok(answer.status < 400, `${method} ${at}: ${answer.status}`)
      assert.deepEqual(answer.headers.getSetCookie(), [], at)
      const { location } = Object.fromEntries(answer.headers)
      at = location === undefined ? undefined : new URL(location, at).href
    }
  }
}

test('opening emailed links changes nothing: by a program, in a browser, signed in or not', async () => {
  await causeMails()
  const wanted = [
    '/app/create-account',
    '/api/auth/reset-password',
    '/app/confirm-email',
    '/app/pay/',
    '/app/zones',
    '/app/forgot-password',
  ]
  const links = await eventually('all mails have come', async () => {
    const came = await linksOfMails()
    return wanted.every((path) => came.some((link) => link.startsWith(site + path))) ? came : undefined
  })
  await eventually('every mail was sent', async () => !(await state())['mails']?.some(isWaiting))
  const signedIn = new Browser(site)
  const credentials = { email: known, password: newcomerPassword }
  await eventually(
    'the owner signs in after the wrong guesses',
    async () => (await signedIn.call('POST', '/api/auth/sign-in/email', credentials)).status === 200,
  )
  const person = await personAt('desktop')
  await person.signInAs(known)
  const visitor = await personAt('phone')
  await eventually('every mail was sent', async () => !(await state())['mails']?.some(isWaiting))
  const before = await state()
  for (const link of links) for (const cookie of ['', signedIn.cookieHeader]) await open(link, cookie)
  for (const link of links.filter((each) => each.startsWith(site)))
    for (const each of [person, visitor]) {
      await each.page.goto(link)
      await each.page.getByRole('heading').first().waitFor()
    }
  assert.deepEqual(await state(), before)
  for (const each of [person, visitor]) await each.page.context().close()
})

test('a link takes effect once the form on its page is submitted', async () => {
  const visitor = await personAt('desktop')
  await visitor.open(`/create-account?token=${await signUpToken(world, 'new@example.net')}`)
  await visitor.field('Password').fill(newcomerPassword)
  await visitor.button('Create account').click()
  await visitor.heading('Zones').waitFor()
  visitor.assertQuiet()
  await visitor.page.context().close()
})
