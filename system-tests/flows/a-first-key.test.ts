import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { Api, authenticatorCode, Browser, freshCode, worldForTests } from '../world/index.ts'

const world = await worldForTests({ serviceRole: 'zonewright_service' })
const browser = new Browser(world.facts.base_url)
const email = 'grace@example.net'
const password = 'a phrase that nobody guesses'
const secrets = new Map([['password', password]])

test('a newcomer signs up by email, sets up two-factor authentication, creates a key and makes the first call', async () => {
  const signUp = await browser.call('POST', '/api/auth/sign-up/email', { email })
  assert.equal(signUp.status, 200)
  const mail = await world.mailbox.waitFor(email, 'the mail with the link')
  const link = mail.links.find((url) => url.includes('/create-account')) ?? ''
  assert.ok(link.startsWith(`${world.facts.base_url}/app/`), `a link to the dashboard: ${mail.links.join(' ')}`)
  for (const method of ['GET', 'HEAD', 'GET']) assert.equal((await browser.call(method, link)).status, 200)
  assert.equal((await browser.call('GET', '/api/v1/account')).status, 401, 'to open the link is not enough')
  const token = new URL(link).searchParams.get('token') ?? ''
  secrets.set('token of the link', token)
  const created = await browser.call('POST', '/api/auth/sign-up/complete', { token, name: 'Grace', password })
  assert.equal(created.status, 200, JSON.stringify(created.body))
  assert.equal((await browser.call('GET', '/api/v1/account')).body['email'], email)

  const wish = { name: 'first', zones: 'all', permissions: ['records:read', 'zones:manage'], expires_in: '90d' }
  const early = await browser.call('POST', '/api/v1/api-keys', { ...wish, code: '123456' })
  assert.equal((early.body['error'] as { code: string }).code, 'two_factor_required')

  const begun = await browser.call('POST', '/api/auth/two-factor/enable', { password })
  const totpSecret = new URL(String(begun.body['totpURI'])).searchParams.get('secret') ?? ''
  secrets.set('authenticator', totpSecret)
  for (const code of begun.body['backupCodes'] as string[]) secrets.set(`backup code ${code.slice(0, 2)}`, code)
  const first = { code: await freshCode(totpSecret) }
  assert.equal((await browser.call('POST', '/api/auth/two-factor/verify-totp', first)).status, 200)

  const made = await browser.call('POST', '/api/v1/api-keys', { ...wish, code: await freshCode(totpSecret) })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const key = String(made.body['secret'])
  secrets.set('API key', key)
  await world.mailbox.waitFor(email, 'the mail about the key', ({ subject }) => subject.includes('first'))

  const api = new Api(world.facts.base_url, [key])
  assert.equal((await api.call('GET', '/zones')).status, 200)
  assert.equal((await api.call('POST', '/zones', { name: 'first-key.example.com' })).status, 201)
  const log = await browser.call('GET', '/api/v1/audit-log?actor=first')
  assert.deepEqual(
    (log.body['data'] as { action: string }[]).map(({ action }) => action),
    ['zone.added'],
  )

  assert.equal((await browser.call('DELETE', `/api/v1/api-keys/${made.body['id']}`)).status, 204)
  assert.equal((await api.call('GET', '/zones')).status, 401)
})

test('the demo account can sign in with the credentials that npm start prints', async () => {
  const demo = new Browser(world.facts.base_url)
  const { account } = world.facts
  const half = await demo.call('POST', '/api/auth/sign-in/email', { email: account.email, password: account.password })
  assert.equal(half.body['twoFactorRedirect'], true)
  const code = { code: authenticatorCode(account.totp_secret) }
  assert.equal((await demo.call('POST', '/api/auth/two-factor/verify-totp', code)).status, 200)
  assert.equal((await demo.call('GET', '/api/v1/account')).body['email'], account.email)
})

test('none of these secrets is in a log, or in plain text in the database', async () => {
  secrets.set('demo key', world.facts.api_key)
  secrets.set('demo password', world.facts.account.password)
  secrets.set('demo authenticator', world.facts.account.totp_secret)
  secrets.set('webhook secret', world.facts.webhook.secret)
  for (const [n, cookie] of browser.cookies.entries()) secrets.set(`cookie ${n}`, cookie)
  const written = [...(await logs()), ...(await tables())]
  for (const seen of [email, 'key.created'])
    assert.ok(
      written.some(({ text }) => text.includes(seen)),
      'the search finds what is there',
    )
  for (const [what, secret] of secrets)
    for (const { where, text } of written)
      for (const form of new Set([secret, decodeURIComponent(secret)]))
        assert.ok(!text.includes(form), `the ${what} stands in ${where}`)
})

interface Written {
  readonly where: string
  readonly text: string
}

async function logs(): Promise<Written[]> {
  const folder = join(world.dataDir, 'logs')
  const names = await readdir(folder)
  return Promise.all(names.map(async (name) => ({ where: name, text: await readFile(join(folder, name), 'utf8') })))
}

/** Every row of every table, as text. */
async function tables(): Promise<Written[]> {
  const client = new pg.Client({ connectionString: world.ownerUrl })
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  const written: Written[] = []
  for (const { name } of rows) {
    const found = await client.query<{ text: string }>(`select t::text as text from ${name} t`)
    written.push(...found.rows.map(({ text }) => ({ where: name, text })))
  }
  await client.end()
  return written
}
