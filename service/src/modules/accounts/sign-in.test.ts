import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/db.ts'
import { moveClock } from '../../testing/move-clock.ts'
import { startTestApi, type TestAnswer } from '../../testing/test-api.ts'
import { TestPerson } from '../../testing/test-person.ts'
import { tryLimits } from './tries.ts'

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

/** What a person can see of an answer of better-auth's, without what is different each time anyway. */
function visible({ status, body }: TestAnswer): unknown {
  const { user: { id: _, createdAt: __, updatedAt: ___, email: ____, ...user } = { id: 0 }, ...rest } = body
  return { status, rest, user }
}

test('from sign-up through the mail to a session, and to two-factor authentication', async () => {
  const person = await TestPerson.signedIn(api, 'ada@example.net')
  const account = await person.call('GET', '/account')
  assert.equal(account.body.email, 'ada@example.net')
  assert.equal(account.body.email_confirmed, true)
  assert.equal(account.body.two_factor, false)
  await person.secure()
  assert.equal((await person.call('GET', '/account')).body.two_factor, true)
  assert.deepEqual(await actions(person), ['account.created', 'session.created', 'two_factor.enabled'])
})

test('nobody signs in before the mail was read', async () => {
  const person = new TestPerson(api, 'unread@example.net')
  await person.auth('POST', '/sign-up/email', { email: person.email, password: person.password, name: '' })
  assert.equal(await isSignedIn(person), false)
  assert.equal((await person.signIn()).status, 403)
})

test('no answer tells whether an address is known', async () => {
  await TestPerson.signedIn(api, 'known@example.net')
  const [known, unknown] = [new TestPerson(api, 'known@example.net'), new TestPerson(api, 'unknown@example.net')]
  for (const [path, body] of [
    ['/sign-in/email', (email: string) => ({ email, password: 'certainly wrong' })],
    ['/request-password-reset', (email: string) => ({ email })],
    ['/send-verification-email', (email: string) => ({ email })],
    ['/sign-up/email', (email: string) => ({ email, password: 'correct horse battery', name: 'x' })],
  ] as const) {
    const answers = await Promise.all([known, unknown].map(({ email }) => known.auth('POST', path, body(email))))
    const [first, second] = answers.map(visible)
    assert.deepEqual(first, second, path)
  }
  assert.equal(api.mails.findLast(({ to }) => to === 'known@example.net')?.kind, 'alreadyRegistered')
})

test('wrong passwords of one address are refused after ten, also the right one, from wherever, for a quarter of an hour', async () => {
  const person = await TestPerson.signedIn(api, 'guessed@example.net')
  for (let i = 0; i < tryLimits['sign-in'].most; i++)
    assert.equal((await person.signIn(`wrong guess ${i}`)).status, 401)
  const late = await person.signIn()
  assert.equal(late.status, 429)
  assert.equal(late.body.code, 'rate_limited')
  assert.match(String(late.headers['retry-after']), /^\d+$/)
  await moveClock(api.database, '16 minutes')
  assert.equal((await person.signIn()).status, 200)
  await moveClock(api.database, '0 seconds')
})

test('guesses that are made at once count, each of them', async () => {
  const person = await TestPerson.signedIn(api, 'hurried@example.net')
  const answers = await Promise.all(Array.from({ length: 14 }, (_, i) => person.signIn(`wrong guess ${i}`)))
  assert.equal(answers.filter(({ status }) => status === 401).length, tryLimits['sign-in'].most)
})

test('with two-factor authentication a password alone opens nothing', async () => {
  const person = await TestPerson.secured(api, 'two@example.net')
  const half = await person.signIn()
  assert.equal(half.body.twoFactorRedirect, true)
  assert.equal(await isSignedIn(person), false)
  assert.equal((await person.auth('POST', '/two-factor/verify-totp', { code: '000000' })).status, 401)
  assert.equal(await isSignedIn(person), false)
  assert.equal((await person.auth('POST', '/two-factor/verify-totp', { code: person.code() })).status, 200)
  assert.equal(await isSignedIn(person), true)
})

test('a code works once: not a second time, not for two at once', async () => {
  const person = await TestPerson.secured(api, 'once@example.net')
  // Both of one moment: later, this period's code may be the one that was given.
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

test('neither another authenticator nor a device can be made to count, by whoever has a session and the password', async () => {
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

test('after five wrong codes the right one is refused, too, in every half-finished sign-in', async () => {
  const person = await TestPerson.secured(api, 'codes@example.net')
  await person.signIn()
  for (let i = 0; i < tryLimits.code.most; i++) await person.auth('POST', '/two-factor/verify-totp', { code: '000000' })
  await person.signIn()
  assert.equal((await person.auth('POST', '/two-factor/verify-totp', { code: person.code() })).status, 429)
  assert.equal(
    (await person.auth('POST', '/two-factor/verify-backup-code', { code: person.backupCodes[0] })).status,
    429,
  )
})

test('a backup code opens the door once', async () => {
  const person = await TestPerson.secured(api, 'backup@example.net')
  const [code] = person.backupCodes
  await person.signIn()
  assert.equal((await person.auth('POST', '/two-factor/verify-backup-code', { code })).status, 200)
  assert.equal(await isSignedIn(person), true)
  await person.signIn()
  assert.notEqual((await person.auth('POST', '/two-factor/verify-backup-code', { code })).status, 200)
  assert.equal(await isSignedIn(person), false)
})

test('changing the password asks for it and for a code, and ends the other sessions', async () => {
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

test('turning two-factor authentication off asks for the password and a code, and ends the other sessions', async () => {
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

test('a session does not help to find out the password: wrong ones count wherever they are asked for', async () => {
  // From above: an account without a second factor.
  const person = new TestPerson(api, 'off@example.net')
  assert.equal((await person.signIn()).status, 200)
  const paths = ['/two-factor/enable', '/change-password']
  const guess = (i: number, password: string) => {
    const wish = { password, currentPassword: password, newPassword: 'a quite different phrase' }
    return person.auth('POST', paths[i % 2] ?? '', wish)
  }
  const { most } = tryLimits['sign-in']
  for (let i = 1; i < most; i++) assert.equal((await guess(i, `guess ${i} of many`)).status, 400)
  assert.equal((await guess(0, person.password)).status, 200)
  assert.equal((await person.signIn()).status, 200, 'the right one forgives those before')
  for (let i = 0; i < most; i++) assert.equal((await guess(i, `guess ${i} of many`)).status, 400)
  for (const i of [0, 1]) assert.equal((await guess(i, person.password)).status, 429)
})

test('a forgotten password is set anew by mail, and every session ends; the code is still asked for', async () => {
  const person = await TestPerson.secured(api, 'forgot@example.net')
  const visitor = new TestPerson(api, person.email)
  await visitor.auth('POST', '/request-password-reset', { email: person.email })
  const url = new URL(api.mails.findLast(({ kind, to }) => kind === 'resetPassword' && to === person.email)?.url ?? '')
  const token = url.pathname.split('/').at(-1)
  const wish = { newPassword: 'remembered this time', token }
  assert.equal((await visitor.auth('POST', '/reset-password', wish)).status, 200)
  assert.equal((await visitor.auth('POST', '/reset-password', wish)).status, 400, 'the link works once')
  assert.equal(await isSignedIn(person), false)
  assert.equal((await person.signIn()).status, 401)
  assert.equal((await person.signIn('remembered this time')).body.twoFactorRedirect, true)
})

test('a session that somebody planted is not the one that a sign-in opens', async () => {
  const person = await TestPerson.signedIn(api, 'fixed@example.net')
  const planted = [...person.cookies]
  const answer = await person.auth('POST', '/sign-in/email', { email: person.email, password: person.password })
  assert.equal(answer.status, 200)
  assert.notDeepEqual([...person.cookies], planted)
  const [cookie] = [answer.headers['set-cookie']].flat() as string[]
  assert.match(cookie ?? '', /HttpOnly/)
  assert.match(cookie ?? '', /SameSite=Lax/)
})

test('with a session, what changes anything must come from our own pages', async () => {
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

test('sessions are listed, and one of them can be ended from another', async () => {
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

test('what better-auth can do and we do not serve is not there', async () => {
  const person = await TestPerson.signedIn(api, 'curious@example.net')
  for (const path of ['/delete-user', '/change-email', '/update-user', '/sign-in/social', '/two-factor/send-otp'])
    assert.equal((await person.auth('POST', path, {})).status, 404, path)
})

test('an address that a caller makes up is not believed', async () => {
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

/** All people of this file sign up from one address. */
const forgetAllTries = () => sql`delete from account_tries`.execute(db)

test('a session of many days lists the sessions and ends the others', async () => {
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

test('a session lasts 14 days from its sign-in, in the database as in the browser, however it is used', async () => {
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

test('nobody is written to more than five times an hour by sign-ups of the address', async () => {
  await forgetAllTries()
  const person = new TestPerson(api, 'flooded@example.net')
  const signUp = (email: string) =>
    person.auth('POST', '/sign-up/email', { email, password: person.password, name: 'x' })
  for (let i = 0; i < tryLimits.mail.most; i++) assert.equal((await signUp(person.email)).status, 200)
  const refused = await signUp('Flooded@example.net')
  assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limited'])
  assert.equal(api.mails.filter(({ to }) => to === person.email).length, tryLimits.mail.most)
  assert.equal((await person.auth('POST', '/request-password-reset', { email: person.email })).status, 429)
  assert.equal((await signUp('spared@example.net')).status, 200)
})

test('what a sign-up says of a person is bounded as what is said later is', async () => {
  await forgetAllTries()
  const { email, password } = new TestPerson(api, 'long@example.net')
  const signUp = (more: object) =>
    new TestPerson(api, email).auth('POST', '/sign-up/email', { email, password, name: 'Ada', ...more })
  for (const more of [
    { name: 'x'.repeat(101) },
    { name: 7 },
    { image: 'https://example.net/ada.png' },
    { email: `${'x'.repeat(250)}@example.net` },
  ])
    assert.equal((await signUp(more)).status, 400, JSON.stringify(more).slice(0, 40))
  assert.equal((await signUp({ callbackURL: `/${'x'.repeat(20_000)}` })).status, 413)
  for (const path of ['/sign-in/email', '/request-password-reset', '/send-verification-email'])
    assert.equal(
      (await new TestPerson(api, email).auth('POST', path, { email: 'x'.repeat(9_000), password })).status,
      400,
    )
  assert.equal(api.mails.filter(({ to }) => to === email).length, 0)
  assert.equal((await signUp({ name: 'x'.repeat(100) })).status, 200)
})

/** The network of all people of this file. */
const network = '127.0.0.1'

/** How many tries of a kind count against it. */
async function counted(kind: 'sign-in-from' | 'code-from'): Promise<number | undefined> {
  const { rows } = await sql<{ tries: number }>`
    select tries from account_tries where kind = ${kind} and subject = ${network}`.execute(db)
  return rows[0]?.tries
}

/** So many of a kind failed there just now. */
const failed = (kind: 'sign-in-from' | 'code-from', tries: number) =>
  sql`insert into account_tries (kind, subject, tries) values (${kind}, ${network}, ${tries})
    on conflict (kind, subject) do update set tries = excluded.tries, began_at = app_now()`.execute(db)

test('sign-ins that succeed do not count against their network, and do not make up for those that failed', async () => {
  await forgetAllTries()
  const person = await TestPerson.signedIn(api, 'office@example.net')
  const { most } = tryLimits['sign-in-from']
  await failed('sign-in-from', most - 1)
  for (let i = 0; i < 3; i++) assert.equal((await person.signIn()).status, 200)
  assert.equal(await counted('sign-in-from'), most - 1)
  assert.equal((await person.signIn('wrong guess')).status, 401)
  assert.equal((await person.signIn()).status, 429)
  await forgetAllTries()
})

test('wrong codes count against their network, whosever they are, and so does a sign-in until its code is given', async () => {
  await forgetAllTries()
  const person = await TestPerson.secured(api, 'of-a-list@example.net')
  const other = await TestPerson.secured(api, 'next-of-a-list@example.net')
  const { most } = tryLimits['code-from']
  await failed('code-from', most - 2)
  await failed('sign-in-from', 0)
  await person.signIn()
  assert.equal(await counted('sign-in-from'), 1)
  assert.equal((await person.auth('POST', '/two-factor/verify-totp', { code: person.code() })).status, 200)
  assert.deepEqual([await counted('sign-in-from'), await counted('code-from')], [0, most - 2])
  for (const who of [person, other]) {
    who.cookies.clear()
    await who.signIn()
    assert.equal((await who.auth('POST', '/two-factor/verify-totp', { code: '000000' })).status, 401)
  }
  assert.equal(await counted('sign-in-from'), 2)
  const right = await other.auth('POST', '/two-factor/verify-totp', { code: other.code() })
  assert.deepEqual([right.status, right.body.code], [429, 'rate_limited'])
  await forgetAllTries()
})
