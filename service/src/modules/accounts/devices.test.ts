import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { sql } from '#platform/postgres/index.ts'
import { moveClock, stopClock } from '#testing/move-clock.ts'
import { startTestApi } from '#testing/test-api.ts'
import { TestPerson } from '#testing/test-person.ts'
import { AuthSecrets } from './auth-secrets.ts'
import { DeviceCookie } from './devices.ts'
import { tryLimits } from './tries.ts'

const api = await startTestApi()
const { database } = api
const { db } = database
const cookieName = 'zonewright.device'

test.beforeEach(async () => {
  await sql`delete from account_tries`.execute(db)
  await sql`delete from account_guesses`.execute(db)
})
test.afterEach(() => moveClock(database, '0 seconds'))

const cookieOf = (person: TestPerson): string => person.cookies.get(cookieName) ?? ''

async function idOf({ email }: TestPerson): Promise<string> {
  const { rows } = await sql<{ id: string }>`select id from accounts where email = ${email}`.execute(db)
  return rows[0]?.id ?? assert.fail(`${email} has no account`)
}

/** For a while, only known devices can try passwords of this account. */
async function besiege(person: TestPerson): Promise<void> {
  await sql`insert into account_guesses (subject, kind, source, failures, free_at)
    values (${await idOf(person)}, 'sign-in', '', 5000, app_now() + interval '1 minute')
    on conflict (subject, kind, source) do update set free_at = excluded.free_at, last_at = app_now()`.execute(db)
}

/** Whether a browser with this cookie is a known device of the account. */
async function isKnown(person: TestPerson, cookie: string): Promise<boolean> {
  await besiege(person)
  const visitor = new TestPerson(api, person.email)
  visitor.cookies.set(cookieName, cookie)
  const { status } = await visitor.signInAgain('a wrong guess, which evaluates or waits')
  assert.ok([401, 429].includes(status), String(status))
  return status === 401
}

/** How many emails of a kind a person got. */
const mailed = ({ email }: TestPerson, kind: string): number =>
  api.mails.filter((mail) => mail.to === email && mail.kind === kind).length

test('a complete sign-in makes its browser a known device, with a cookie that page scripts cannot read', async () => {
  const person = await TestPerson.signedIn(api, 'device@example.net')
  const visitor = new TestPerson(api, person.email)
  const answer = await visitor.signIn()
  const line = [answer.headers['set-cookie']].flat().find((each) => String(each).startsWith(cookieName))
  assert.match(String(line), /; Max-Age=7776000; Path=\/api; HttpOnly; SameSite=Lax$/)
  assert.equal(await isKnown(person, cookieOf(visitor)), true)
  const { rows } = await sql<{ text: string }>`select d::text as text from account_devices d`.execute(db)
  const [id = ''] = cookieOf(visitor).split('.')
  assert.ok(rows.every(({ text }) => !text.includes(id) && !text.includes(Buffer.from(id).toString('hex'))))
  assert.match(new DeviceCookie(new AuthSecrets(randomBytes(32)), 'https://dns.example.net').name, /^__Secure-/)
  assert.equal(new DeviceCookie(new AuthSecrets(randomBytes(32)), 'https://dns.example.net').attributes.secure, true)
})

test('with two-factor authentication, a password alone does not make a browser a known device', async () => {
  const person = await TestPerson.secured(api, 'half@example.net')
  const visitor = new TestPerson(api, person.email)
  await visitor.signIn()
  assert.equal(cookieOf(visitor), '')
  await visitor.auth('POST', '/two-factor/verify-backup-code', { code: 'aaaaa-aaaaa' })
  assert.equal(cookieOf(visitor), '')
  await visitor.auth('POST', '/two-factor/verify-backup-code', { code: person.backupCodes[0] })
  assert.equal(await isKnown(person, cookieOf(visitor)), true)
})

test('a known device skips only the delay and must still give the password and code', async () => {
  const person = await TestPerson.secured(api, 'still-asked@example.net')
  await besiege(person)
  assert.equal((await person.signInAgain('not my password')).status, 401)
  const half = await person.signInAgain()
  assert.deepEqual([half.status, half.body.twoFactorRedirect], [200, true])
  assert.equal((await person.call('GET', '/account')).status, 401)
  assert.equal((await person.auth('POST', '/two-factor/verify-totp', { code: '000000' })).status, 401)
  assert.equal((await person.auth('POST', '/two-factor/verify-totp', { code: person.code() })).status, 200)
})

test('a forged or altered cookie, or one of another account, is not a known device', async () => {
  const person = await TestPerson.signedIn(api, 'forged@example.net')
  const other = await TestPerson.signedIn(api, 'forger@example.net')
  const cookie = cookieOf(person)
  const [id = '', signature = ''] = cookie.split('.')
  const [otherId = '', otherSignature = ''] = cookieOf(other).split('.')
  const signed = (text: string, secret = 'a guess') =>
    `${text}.${createHmac('sha256', secret).update(`known devices ${text}`).digest('base64url')}`
  assert.equal(await isKnown(person, cookie), true)
  for (const forged of [
    '',
    '.',
    id,
    `${id}.`,
    `${id}.${'A'.repeat(43)}`,
    `${id}.${signature.slice(0, -1)}${signature.endsWith('A') ? 'B' : 'A'}`,
    `${id}.${signature}x`,
    `${id}.${otherSignature}`,
    `${otherId}.${signature}`,
    `${otherId}.${id}.${signature}`,
    `${id}.${otherId}.${otherSignature}`,
    cookieOf(other),
    signed(id),
    signed(id, ''),
    signed(randomBytes(16).toString('base64url')),
    `${cookie} `.replace(id, id.toUpperCase()),
    `${cookie}; ${id}`.replace(signature, ''),
    'x'.repeat(3_000),
    `${'x.'.repeat(400)}${signature}`,
  ])
    assert.equal(await isKnown(person, forged), false, JSON.stringify(forged.slice(0, 80)))
})

test('a cookie planted in a browser does not become a known device of the person who signs in there', async () => {
  const attacker = await TestPerson.signedIn(api, 'planter@example.net')
  const planted = cookieOf(attacker)
  const person = await TestPerson.signedIn(api, 'planted@example.net')
  const browser = new TestPerson(api, person.email)
  browser.cookies.set(cookieName, planted)
  assert.equal((await browser.signInAgain()).status, 200)
  assert.notEqual(cookieOf(browser), planted)
  assert.equal(await isKnown(person, planted), false)
  assert.equal(await isKnown(person, cookieOf(browser)), true)
})

test('a browser is a known device of up to ten accounts that sign in from it', async () => {
  const people: TestPerson[] = []
  let cookie = ''
  for (let i = 0; i < 12; i++) {
    const person = new TestPerson(api, `family${i}@example.net`)
    if (cookie !== '') person.cookies.set(cookieName, cookie)
    await sql`delete from account_tries`.execute(db)
    await person.auth('POST', '/sign-up/email', { email: person.email })
    assert.equal((await person.createAccount(person.signUpToken())).status, 200)
    cookie = cookieOf(person)
    people.push(person)
  }
  const [first, , third, last] = [people[0], people[1], people[2], people[11]] as TestPerson[]
  assert.equal(await isKnown(first as TestPerson, cookie), false)
  assert.equal(await isKnown(third as TestPerson, cookie), true)
  assert.equal(await isKnown(last as TestPerson, cookie), true)
  assert.ok(cookie.length < 300)
})

test('a known device expires 90 days after its last sign-in', async () => {
  const person = await TestPerson.signedIn(api, 'seldom@example.net')
  await moveClock(database, '89 days')
  assert.equal(await isKnown(person, cookieOf(person)), true)
  await sql`delete from account_guesses`.execute(db)
  assert.equal((await person.signInAgain()).status, 200)
  await moveClock(database, '178 days')
  assert.equal(await isKnown(person, cookieOf(person)), true)
  await moveClock(database, '180 days')
  assert.equal(await isKnown(person, cookieOf(person)), false)
})

for (const [what, act] of Object.entries({
  'a password reset': async (person: TestPerson) => {
    await person.auth('POST', '/request-password-reset', { email: person.email })
    const token = new URL(api.mails.at(-1)?.url ?? '').pathname.split('/').at(-1)
    assert.equal((await person.auth('POST', '/reset-password', { token, newPassword: 'another phrase' })).status, 200)
    return 'nothing is kept' as const
  },
  'ending all other sessions': async (person: TestPerson) => {
    assert.equal((await person.auth('POST', '/revoke-other-sessions', {})).status, 200)
  },
  'ending the one session': async (person: TestPerson, lost: TestPerson) => {
    const token = decodeURIComponent(lost.cookies.get('zonewright.session_token') ?? '').split('.')[0]
    assert.equal((await person.auth('POST', '/revoke-session', { token })).status, 200)
  },
  'changing the password': async (person: TestPerson) => {
    const wish = { currentPassword: person.password, newPassword: 'another phrase' }
    assert.equal((await person.auth('POST', '/change-password', wish)).status, 200)
  },
  'changing the email address': async (person: TestPerson) => {
    const email = `new-${person.email}`
    await person.call('POST', '/account/email', { body: { email, password: person.password } })
    const token = new URL(api.mails.at(-1)?.url ?? '').searchParams.get('token')
    assert.equal((await person.call('POST', '/account/email/confirm', { body: { token } })).status, 200)
    return email
  },
  'turning two-factor authentication off': async (person: TestPerson) => {
    await person.secure()
    const body = { password: person.password, code: person.backupCodes[0] }
    assert.equal((await person.auth('POST', '/two-factor/disable', body)).status, 200)
  },
}))
  test(`${what} forgets the known devices of the sessions that it ends`, async () => {
    const person = await TestPerson.signedIn(api, `${what.replaceAll(/\W/g, '-')}@example.net`)
    const lost = new TestPerson(api, person.email)
    await lost.signIn()
    assert.equal(await isKnown(person, cookieOf(lost)), true)
    const outcome = await act(person, lost)
    const now = outcome === undefined || outcome === 'nothing is kept' ? person : new TestPerson(api, outcome)
    assert.equal(await isKnown(now, cookieOf(lost)), false)
    assert.equal(await isKnown(now, cookieOf(person)), outcome !== 'nothing is kept')
  })

test('signing out keeps the device known; another account’s session cannot end it', async () => {
  const person = await TestPerson.signedIn(api, 'signs-out@example.net')
  const other = await TestPerson.signedIn(api, 'ends-others@example.net')
  const token = decodeURIComponent(person.cookies.get('zonewright.session_token') ?? '').split('.')[0]
  await other.auth('POST', '/revoke-session', { token })
  assert.equal(await isKnown(person, cookieOf(person)), true)
  assert.equal((await person.auth('POST', '/sign-out', {})).status, 200)
  assert.equal(await isKnown(person, cookieOf(person)), true)
})

test('a stolen device cookie is also delayed, and delays no one else', async () => {
  const person = await TestPerson.signedIn(api, 'stolen@example.net')
  const thief = new TestPerson(api, person.email)
  thief.address = '203.0.113.9'
  thief.cookies.set(cookieName, cookieOf(person))
  await stopClock(database)
  for (let i = 0; i < 10; i++) assert.equal((await thief.signInAgain(`wrong guess ${i}`)).status, 401)
  const late = await thief.signInAgain()
  assert.deepEqual([late.status, late.body.code], [429, 'rate_limited'])
  thief.address = '203.0.113.10'
  assert.equal((await thief.signInAgain()).status, 429, 'from wherever')
  assert.equal((await new TestPerson(api, person.email).signIn()).status, 200)
})

test('an account has at most 20 known devices; a new one replaces the oldest', async () => {
  const person = await TestPerson.signedIn(api, 'many-devices@example.net')
  const id = await idOf(person)
  await sql`insert into account_devices (device_sha256, account_id, session_id, expires_at)
    select sha256(n::text::bytea), ${id}, gen_random_uuid(), app_now() + interval '91 days' from generate_series(1, 30) n`.execute(
    db,
  )
  await new TestPerson(api, person.email).signIn()
  const { rows } = await sql`select 1 from account_devices where account_id = ${id}`.execute(db)
  assert.equal(rows.length, 20)
})

test('the owner gets an email about a sign-in from a new browser, and not about any other', async () => {
  const person = await TestPerson.secured(api, 'told@example.net')
  assert.equal(mailed(person, 'signedIn'), 0, 'not about the one that the sign-up itself opened')
  await person.signInAgain()
  await person.auth('POST', '/two-factor/verify-backup-code', { code: person.backupCodes[0] })
  assert.equal(mailed(person, 'signedIn'), 0, 'nor about a known browser')
  const phone = new TestPerson(api, person.email)
  await phone.signIn()
  assert.equal(mailed(person, 'signedIn'), 0, 'nor before the code is given')
  await phone.auth('POST', '/two-factor/verify-totp', { code: '000000' })
  assert.equal(mailed(person, 'signedIn'), 0)
  await phone.auth('POST', '/two-factor/verify-backup-code', { code: person.backupCodes[1] })
  assert.equal(mailed(person, 'signedIn'), 1)
  await phone.signInAgain()
  await phone.auth('POST', '/two-factor/verify-backup-code', { code: person.backupCodes[2] })
  assert.equal(mailed(person, 'signedIn'), 1)
})

test('a program that keeps no cookies can sign in and does not fill the mailbox', async () => {
  const person = await TestPerson.signedIn(api, 'scripted@example.net')
  const { most } = tryLimits['device-mail']
  await sql`insert into account_tries (kind, subject, tries) values ('device-mail', ${await idOf(person)}, ${most - 1})`.execute(
    db,
  )
  for (let i = 0; i < 3; i++) assert.equal((await new TestPerson(api, person.email).signIn()).status, 200)
  assert.equal(mailed(person, 'signedIn'), 1)
})

/** Lets this many passwords or codes fail for an account, each from a different address, so that none has to wait. */
async function fail(person: TestPerson, what: 'passwords' | 'codes', count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const guesser = new TestPerson(api, person.email)
    guesser.address = `198.51.100.${i}`
    guesser.totpSecret = person.totpSecret
    if (what === 'passwords') assert.equal((await guesser.signIn(`wrong guess ${i}`)).status, 401)
    else {
      assert.equal((await guesser.signIn(person.password)).status, 200)
      const [path, code] = i % 2 === 0 ? ['totp', '000000'] : ['backup-code', 'aaaaa-aaaaa']
      assert.equal((await guesser.auth('POST', `/two-factor/verify-${path}`, { code })).status, 401)
    }
  }
}

test('ten wrong passwords within an hour send the owner one email a day', async () => {
  const person = await TestPerson.signedIn(api, 'told-passwords@example.net')
  await fail(person, 'passwords', 9)
  assert.equal(mailed(person, 'guessesFailed'), 0)
  await fail(person, 'passwords', 1)
  assert.deepEqual([mailed(person, 'guessesFailed'), api.mails.at(-1)?.what], [1, 'password'])
  await fail(person, 'passwords', 11)
  assert.equal(mailed(person, 'guessesFailed'), 1)
  await moveClock(database, '23 hours 50 minutes')
  await fail(person, 'passwords', 11)
  assert.equal(mailed(person, 'guessesFailed'), 1)
  await moveClock(database, '24 hours 20 minutes')
  await fail(person, 'passwords', 1)
  assert.equal(mailed(person, 'guessesFailed'), 2)
})

test('wrong passwords count wherever they are entered, and only within the past hour', async () => {
  const person = await TestPerson.signedIn(api, 'told-mixed@example.net')
  await fail(person, 'passwords', 9)
  await moveClock(database, '61 minutes')
  await fail(person, 'passwords', 8)
  assert.equal(mailed(person, 'guessesFailed'), 0)
  await person.auth('POST', '/two-factor/enable', { password: 'not my password' })
  assert.equal(mailed(person, 'guessesFailed'), 0)
  await person.call('POST', '/account/email', { body: { email: 'x@example.org', password: 'not my password' } })
  assert.equal(mailed(person, 'guessesFailed'), 1)
})

test('five wrong codes of either kind within an hour send the owner an email, wherever they are entered', async () => {
  const person = await TestPerson.secured(api, 'told-codes@example.net')
  await fail(person, 'codes', 3)
  const key = { name: 'ci', zones: 'all', permissions: ['records:read'], expires_in: '30d', code: '000000' }
  assert.equal((await person.call('POST', '/api-keys', { body: key })).body.error.code, 'code_wrong')
  assert.equal((await person.call('POST', '/api-keys', { body: { ...key, code: '12345' } })).status, 422)
  assert.equal(mailed(person, 'guessesFailed'), 0)
  await fail(person, 'codes', 1)
  assert.deepEqual(
    [mailed(person, 'guessesFailed'), api.mails.findLast(({ kind }) => kind === 'guessesFailed')?.what],
    [1, 'code'],
  )
  await fail(person, 'passwords', 10)
  assert.equal(mailed(person, 'guessesFailed'), 1, 'one mail a day in all')
})

test('right passwords, delayed guesses and addresses without an account send no email', async () => {
  const person = await TestPerson.signedIn(api, 'told-nothing@example.net')
  const nobody = new TestPerson(api, 'no-account@example.net')
  await fail(nobody, 'passwords', 11)
  const guesser = new TestPerson(api, person.email)
  guesser.address = '192.0.2.77'
  for (let i = 0; i < 9; i++) assert.equal((await guesser.signIn(`wrong guess ${i}`)).status, 401)
  await besiege(person)
  for (let i = 0; i < 5; i++) assert.equal((await guesser.signIn(`wrong guess ${i}`)).status, 429)
  assert.equal(
    api.mails.filter(({ kind, to }) => kind === 'guessesFailed' && [person.email, nobody.email].includes(to)).length,
    0,
  )
})
