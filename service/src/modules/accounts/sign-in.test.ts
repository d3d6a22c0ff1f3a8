import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/postgres/index.ts'
import { startTestApi, type TestAnswer } from '#testing/test-api.ts'
import { TestPerson } from '#testing/test-person.ts'

const api = await startTestApi()
const { db } = api.database

const isSignedIn = async (person: TestPerson): Promise<boolean> => (await person.call('GET', '/account')).status === 200

async function actions(person: TestPerson): Promise<string[]> {
  const { rows } = await sql<{ action: string }>`
    select action from audit_log l join accounts a on a.id = l.account_id where a.email = ${person.email} order by l.id`.execute(
    db,
  )
  return rows.map(({ action }) => action)
}

/** What a person can see of better-auth's response, without the values that always differ. */
function visible({ status, body }: TestAnswer): unknown {
  const { user: { id: _, createdAt: __, updatedAt: ___, email: ____, ...user } = { id: 0 }, ...rest } = body
  return { status, rest, user }
}

test('goes from sign-up and its email to a session and two-factor authentication', async () => {
  const person = await TestPerson.signedIn(api, 'ada@example.net')
  const account = await person.call('GET', '/account')
  assert.equal(account.body.email, 'ada@example.net')
  assert.equal(account.body.email_confirmed, true)
  assert.equal(account.body.two_factor, false)
  await person.secure()
  assert.equal((await person.call('GET', '/account')).body.two_factor, true)
  assert.deepEqual(await actions(person), ['account.created', 'session.created', 'two_factor.enabled'])
})

test('a sign-in accepts a code with spaces, as authenticators display it, and no code that is not text', async () => {
  const person = await TestPerson.secured(api, 'spaces@example.net')
  const counted = async () =>
    (
      await sql`select 1 from account_guesses g join accounts a on a.id::text = g.subject
      where a.email = ${person.email} and g.kind in ('code', 'backup-code') and g.failures > 0`.execute(db)
    ).rows.length
  const give = async (kind: 'totp' | 'backup-code', code: unknown) => {
    await person.signIn()
    return (await person.auth('POST', `/two-factor/verify-${kind}`, { code })).status
  }
  const code = person.code()
  // The right code each time: it is refused for its type, not counted, and not used up.
  for (const wrongType of [Number(code), [code], { code }, true, null, undefined])
    assert.equal(await give('totp', wrongType), 400, JSON.stringify(wrongType))
  const [first = '', second = '', third = ''] = person.backupCodes
  for (const wrongType of [[first], { first }, 5, null]) assert.equal(await give('backup-code', wrongType), 400)
  assert.equal(await counted(), 0)
  assert.equal(await give('totp', ` ${code.slice(0, 3)} ${code.slice(3)}\n`), 200)
  assert.equal(await give('totp', code), 403, 'it was used')
  assert.equal(await give('totp', person.code(1).split('').join(' ')), 200)
  assert.equal(await give('backup-code', ` ${first}`), 200)
  assert.equal(await give('backup-code', `${second}\n`), 200)
  assert.equal(await give('backup-code', third), 200)
  assert.equal(await give('backup-code', first), 401, 'it was used')
})

test('no response reveals whether an address has an account', async () => {
  await TestPerson.signedIn(api, 'known@example.net')
  const [known, unknown] = [new TestPerson(api, 'known@example.net'), new TestPerson(api, 'unknown@example.net')]
  for (const [path, body] of [
    ['/sign-in/email', (email: string) => ({ email, password: 'certainly wrong' })],
    ['/request-password-reset', (email: string) => ({ email })],
    ['/sign-up/email', (email: string) => ({ email })],
  ] as const) {
    const answers = await Promise.all([known, unknown].map(({ email }) => known.auth('POST', path, body(email))))
    const [first, second] = answers.map(visible)
    assert.deepEqual(first, second, path)
  }
  assert.equal(api.mails.findLast(({ to }) => to === 'known@example.net')?.kind, 'alreadyRegistered')
})

test('with two-factor authentication, a password alone opens no session', async () => {
  const person = await TestPerson.secured(api, 'two@example.net')
  const half = await person.signIn()
  assert.equal(half.body.twoFactorRedirect, true)
  assert.equal(await isSignedIn(person), false)
  assert.equal((await person.auth('POST', '/two-factor/verify-totp', { code: '000000' })).status, 401)
  assert.equal(await isSignedIn(person), false)
  assert.equal((await person.auth('POST', '/two-factor/verify-totp', { code: person.code() })).status, 200)
  assert.equal(await isSignedIn(person), true)
})

test('a code works once, also when two requests use it at the same time', async () => {
  const person = await TestPerson.secured(api, 'once@example.net')
  // Both codes are from the same moment: later, this period's code may be the one that was used.
  const [another, code] = [person.code(), person.code(1)]
  await person.signIn()
  assert.equal((await person.auth('POST', '/two-factor/verify-totp', { code })).status, 200)
  await person.signIn()
  assert.equal((await person.auth('POST', '/two-factor/verify-totp', { code })).body.code, 'code_wrong')
  const other = new TestPerson(api, person.email)
  await other.signIn()
  const both = await Promise.all(
    [person, other].map((one) => one.auth('POST', '/two-factor/verify-totp', { code: another })),
  )
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 403])
})

test('a session and the password are not enough to add another authenticator or to trust a device', async () => {
  const person = await TestPerson.secured(api, 'device@example.net')
  for (const method of [undefined, 'totp', 'otp']) {
    const answer = await person.auth('POST', '/two-factor/enable', { password: person.password, method })
    assert.equal(answer.status, 400, String(method))
  }
  await person.signIn()
  const given = { code: person.code(), trustDevice: true }
  assert.equal((await person.auth('POST', '/two-factor/verify-totp', given)).status, 200)
  const kept = [...person.cookies]
  person.cookies.clear()
  for (const [name, value] of kept) if (!name.includes('session')) person.cookies.set(name, value)
  const again = await person.auth('POST', '/sign-in/email', { email: person.email, password: person.password })
  assert.equal(again.body.twoFactorRedirect, true)
})

test('a backup code signs in once', async () => {
  const person = await TestPerson.secured(api, 'backup@example.net')
  const [code] = person.backupCodes
  await person.signIn()
  assert.equal((await person.auth('POST', '/two-factor/verify-backup-code', { code })).status, 200)
  assert.equal(await isSignedIn(person), true)
  await person.signIn()
  assert.notEqual((await person.auth('POST', '/two-factor/verify-backup-code', { code })).status, 200)
  assert.equal(await isSignedIn(person), false)
})

test('changing the password requires the old one and a code, and ends the other sessions', async () => {
  const person = await TestPerson.secured(api, 'change@example.net')
  const elsewhere = new TestPerson(api, person.email)
  elsewhere.totpSecret = person.totpSecret
  await elsewhere.signIn()
  await elsewhere.auth('POST', '/two-factor/verify-totp', { code: elsewhere.code() })
  assert.equal(await isSignedIn(elsewhere), true)

  const wish = { currentPassword: person.password, newPassword: 'a quite different phrase' }
  assert.equal((await person.auth('POST', '/change-password', wish)).body.code, 'code_required')
  assert.equal((await person.auth('POST', '/change-password', { ...wish, code: '000000' })).body.code, 'code_wrong')
  const [code] = person.backupCodes
  const mistyped = { ...wish, currentPassword: 'not my password', code }
  assert.equal((await person.auth('POST', '/change-password', mistyped)).body.code, 'INVALID_PASSWORD')
  for (const [newPassword, refusal] of [
    ['short', 'PASSWORD_TOO_SHORT'],
    ['long'.repeat(33), 'PASSWORD_TOO_LONG'],
    ['password123', 'PASSWORD_TOO_COMMON'],
    [person.email, 'PASSWORD_IS_A_NAME'],
  ]) {
    const unfit = await person.auth('POST', '/change-password', { ...wish, newPassword, code })
    assert.deepEqual([unfit.status, unfit.body.code], [400, refusal])
  }
  assert.equal((await person.auth('POST', '/change-password', { ...wish, code })).status, 200)
  assert.equal(await isSignedIn(person), true)
  assert.equal(await isSignedIn(elsewhere), false)
  assert.equal(api.mails.at(-1)?.kind, 'passwordChanged')
  assert.equal((await elsewhere.signIn()).status, 401)
  assert.ok((await actions(person)).includes('password.changed'))
})

test('turning off two-factor authentication requires the password and a code, and ends the other sessions', async () => {
  const person = await TestPerson.secured(api, 'off@example.net')
  const elsewhere = new TestPerson(api, person.email)
  elsewhere.totpSecret = person.totpSecret
  await elsewhere.signIn()
  await elsewhere.auth('POST', '/two-factor/verify-totp', { code: elsewhere.code() })
  const { password } = person
  assert.equal((await person.auth('POST', '/two-factor/disable', { password })).body.code, 'code_required')
  const [code] = person.backupCodes
  const wrong = { password: 'not my password', code }
  assert.equal((await person.auth('POST', '/two-factor/disable', wrong)).status, 400)
  assert.equal((await person.call('GET', '/account')).body.two_factor, true)
  assert.equal((await person.auth('POST', '/two-factor/disable', { password, code })).status, 200)
  assert.equal((await person.call('GET', '/account')).body.two_factor, false)
  assert.equal(await isSignedIn(elsewhere), false)
})

test('a password reset by email ends every session; sign-in still requires a code', async () => {
  const person = await TestPerson.secured(api, 'forgot@example.net')
  const visitor = new TestPerson(api, person.email)
  await visitor.auth('POST', '/request-password-reset', { email: person.email })
  const url = new URL(api.mails.findLast(({ kind, to }) => kind === 'resetPassword' && to === person.email)?.url ?? '')
  const token = url.pathname.split('/').at(-1)
  const wish = { newPassword: 'remembered this time', token }
  const common = await visitor.auth('POST', '/reset-password', { ...wish, newPassword: 'Password123!' })
  assert.deepEqual([common.status, common.body.code], [400, 'PASSWORD_TOO_COMMON'], 'and the link still works')
  assert.equal((await visitor.auth('POST', '/reset-password', wish)).status, 200)
  assert.equal((await visitor.auth('POST', '/reset-password', wish)).status, 400, 'the link works once')
  assert.equal(await isSignedIn(person), false)
  assert.equal((await person.signIn()).status, 401)
  assert.equal((await person.signIn('remembered this time')).body.twoFactorRedirect, true)
})

test('a sign-in opens a new session and does not keep a planted one', async () => {
  const person = await TestPerson.signedIn(api, 'fixed@example.net')
  const planted = [...person.cookies]
  const answer = await person.auth('POST', '/sign-in/email', { email: person.email, password: person.password })
  assert.equal(answer.status, 200)
  assert.notDeepEqual([...person.cookies], planted)
  const [cookie] = [answer.headers['set-cookie']].flat() as string[]
  assert.match(cookie ?? '', /HttpOnly/)
  assert.match(cookie ?? '', /SameSite=Lax/)
})

test('with a session, changes must come from our own pages', async () => {
  const person = await TestPerson.signedIn(api, 'origin@example.net')
  for (const origin of [
    'https://evil.example',
    'null',
    'http://dashboard.test.evil.example',
    'https://dashboard.test',
  ]) {
    const answer = await person.call('PATCH', '/account', { body: { name: 'Mallory' }, headers: { origin } })
    assert.equal(answer.status, 403, origin)
    assert.notEqual((await person.auth('POST', '/sign-out', {}, { origin })).status, 200, origin)
  }
  assert.notEqual((await person.call('GET', '/account')).body.name, 'Mallory')
  assert.equal((await person.call('PATCH', '/account', { body: { name: 'Ada L.' } })).body.name, 'Ada L.')
})

test('signing out ends the session on the server, not only in the browser', async () => {
  const person = await TestPerson.signedIn(api, 'leaving@example.net')
  const cookies = [...person.cookies]
  assert.equal((await person.auth('POST', '/sign-out', {})).status, 200)
  for (const [name, value] of cookies) person.cookies.set(name, value)
  assert.equal(await isSignedIn(person), false)
})

test('lists the sessions, and one session can end another', async () => {
  const person = await TestPerson.signedIn(api, 'devices@example.net')
  const phone = new TestPerson(api, person.email)
  await phone.signIn()
  const sessions = (await person.auth('GET', '/list-sessions')).body as { token: string; ipAddress: string }[]
  assert.equal(sessions.length, 2)
  assert.deepEqual([...new Set(sessions.map(({ ipAddress }) => ipAddress))], ['127.0.0.1'])
  const own = decodeURIComponent([...person.cookies.values()].join()).split('.')[0]
  const token = sessions.find((session) => session.token !== own)?.token
  assert.equal((await person.auth('POST', '/revoke-session', { token })).status, 200)
  assert.equal(await isSignedIn(phone), false)
  assert.equal(await isSignedIn(person), true)
})

test('routes of better-auth that we do not serve return 404', async () => {
  const person = await TestPerson.signedIn(api, 'curious@example.net')
  for (const path of ['/delete-user', '/change-email', '/update-user', '/sign-in/social', '/two-factor/send-otp'])
    assert.equal((await person.auth('POST', path, {})).status, 404, path)
})

test('ignores a client address that the caller makes up', async () => {
  const person = new TestPerson(api, 'devices@example.net')
  await person.auth(
    'POST',
    '/sign-in/email',
    { email: person.email, password: person.password },
    { 'x-zonewright-address': '203.0.113.9', 'x-forwarded-for': '203.0.113.9' },
  )
  const { rows } = await sql<{ ip_address: string }>`
    select distinct ip_address from account_sessions s join accounts a on a.id = s.account_id where a.email = ${person.email}`.execute(
    db,
  )
  assert.deepEqual(rows, [{ ip_address: '127.0.0.1' }])
})

/** Everyone in this file signs up from one network address. */
const forgetAllTries = () => sql`delete from account_tries`.execute(db)

test('refuses an invalid or too long address on every route, and sends no email', async () => {
  await forgetAllTries()
  const visitor = new TestPerson(api, 'nobody@example.net')
  const before = api.mails.length
  for (const path of ['/sign-up/email', '/sign-in/email', '/request-password-reset'])
    for (const email of [
      'x'.repeat(9_000),
      `${'x'.repeat(250)}@example.net`,
      'ada',
      '',
      7,
      null,
      { at: 'x@example.net' },
    ])
      assert.equal((await visitor.auth('POST', path, { email, password: 'x' })).status, 400, `${path} ${email}`)
  assert.equal((await visitor.auth('POST', '/sign-up/email', { email: 'x'.repeat(20_000) })).status, 413)
  assert.equal(api.mails.length, before)
})

test('a session that is days old can list the sessions and end the others', async () => {
  await forgetAllTries()
  const person = await TestPerson.signedIn(api, 'faithful@example.net')
  await sql`
    update account_sessions set created_at = created_at - interval '10 days', updated_at = updated_at - interval '10 days'
    where account_id = (select id from accounts where email = ${person.email})`.execute(db)
  const phone = new TestPerson(api, person.email)
  await phone.signIn()
  const listed = await person.auth('GET', '/list-sessions')
  assert.deepEqual([listed.status, listed.body.length], [200, 2])
  assert.equal((await person.auth('POST', '/revoke-other-sessions', {})).status, 200)
  assert.equal(await isSignedIn(phone), false)
  assert.equal(await isSignedIn(person), true)
})

test('a session lasts 14 days from its sign-in, in the database and in the browser, however it is used', async () => {
  const person = await TestPerson.signedIn(api, 'daily@example.net')
  const { rows } = await sql<{ expires_at: Date; days: number }>`
    update account_sessions set expires_at = expires_at - interval '10 days'
    where account_id = (select id from accounts where email = ${person.email})
    returning expires_at, round(extract(epoch from expires_at + interval '10 days' - now()) / 86400)::int as days`.execute(
    db,
  )
  assert.equal(rows[0]?.days, 14)
  assert.equal(await isSignedIn(person), true)
  assert.equal((await person.auth('GET', '/get-session')).headers['set-cookie'], undefined)
  const { rows: after } = await sql<{ expires_at: Date }>`
    select expires_at from account_sessions
    where account_id = (select id from accounts where email = ${person.email})`.execute(db)
  assert.deepEqual(after, [{ expires_at: rows[0]?.expires_at }])
})
