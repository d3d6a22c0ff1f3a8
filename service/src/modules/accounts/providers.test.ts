import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { startIdentityProvider } from '@zonewright/sandbox'
import { sql } from '#platform/postgres/index.ts'
import { eventually } from '#testing/eventually.ts'
import { ProviderVisit } from '#testing/provider-visit.ts'
import { queuedMails } from '#testing/queued-mails.ts'
import { startTestApi, type TestAnswer, testClient, testOrigin } from '#testing/test-api.ts'
import { TestPerson } from '#testing/test-person.ts'

const identity = await startIdentityProvider({ httpListen: '127.0.0.1:0', ...testClient })
after(() => identity.close())
const api = await startTestApi({ identity })
const { database } = api
const visit = new ProviderVisit(api)
const path = '/account/providers'

beforeEach(async () => {
  identity.behave({})
  await sql`delete from account_tries`.execute(database.db)
})

const codeOf = ({ status, body }: TestAnswer): unknown => [status, body.code ?? body.error?.code]
const answer = (person: TestPerson, given: object): Promise<TestAnswer> =>
  person.auth('POST', '/provider/answer', given)
const isSignedIn = async (person: TestPerson): Promise<boolean> => (await person.call('GET', '/account')).status === 200
const linkedOf = async (person: TestPerson) => (await person.call('GET', path)).body.data
const kindsFor = async (email: string): Promise<string[]> => (await queuedMails(api, email)).map(({ kind }) => kind)
const stranger = (email: string): TestPerson => new TestPerson(api, email)

async function counts(): Promise<unknown> {
  const { rows } = await sql`
    select (select count(*)::int from accounts) as accounts, (select count(*)::int from account_providers) as linked,
      (select count(*)::int from account_used_challenges) as used, (select count(*)::int from account_sessions) as sessions`.execute(
    database.db,
  )
  return rows[0]
}

async function actionsOf(email: string): Promise<string[]> {
  const { rows } = await sql<{ action: string }>`
    select l.action from audit_log l join accounts a on a.id = l.account_id where a.email = ${email} order by l.id`.execute(
    database.db,
  )
  return rows.map(({ action }) => action)
}

test('a new person is signed up with the verified address, signs in again, and needs a password where one is required', async () => {
  const email = 'new-by-provider@example.net'
  visit.add('new-1', 'New-By-Provider@Example.NET', { name: 'Grace Hopper' })
  const person = stranger(email)
  const first = await answer(person, await visit.signIn(person, 'new-1', '/domains?invited=x'))
  assert.deepEqual(first.body, { provider: 'Acme', back: '/domains?invited=x', result: 'signed_in' })
  const { body: account } = await person.call('GET', '/account')
  assert.deepEqual(
    [account.email, account.name, account.email_confirmed, account.has_password],
    [email, 'Grace Hopper', true, false],
  )
  const [linked] = await linkedOf(person)
  assert.deepEqual([linked.name, linked.email, linked.usable], ['Acme', email, true])
  assert.ok(Date.parse(linked.last_used_at) > 0)
  assert.deepEqual(await actionsOf(email), ['account.created', 'session.created', 'provider.linked'])

  assert.ok(
    (await kindsFor(email)).includes('provider_changed'),
    'the owner of the mailbox hears that there is an account',
  )

  person.cookies.clear()
  assert.equal((await visit.signedIn(person, 'new-1')).body.result, 'signed_in')
  assert.equal((await person.call('GET', '/account')).body.id, account.id, 'the same account')
  assert.ok((await kindsFor(email)).includes('signed_in'), 'from a browser that was not known')

  const noPassword = /has no password yet/
  const remove = await person.call('DELETE', `${path}/${linked.id}`, { body: { password: 'guessed' } })
  assert.match(remove.body.error.message, noPassword)
  assert.match((await person.call('DELETE', '/account', { body: { password: '' } })).body.error.message, noPassword)
  assert.match((await person.auth('POST', '/two-factor/enable', { password: 'guessed' })).body.message, noPassword)
  assert.equal((await person.signIn()).status, 401, 'nobody can sign in with a password')

  assert.equal((await person.auth('POST', '/request-password-reset', { email })).status, 200)
  const mail = api.mails.findLast(({ kind, to }) => kind === 'resetPassword' && to === email)
  const token = new URL(mail?.url ?? '').pathname.split('/').at(-1)
  assert.equal((await person.auth('POST', '/reset-password', { newPassword: person.password, token })).status, 200)
  assert.equal((await person.signIn()).status, 200)
  assert.equal((await person.call('GET', '/account')).body.has_password, true)
  const proof = { body: { password: person.password } }
  assert.equal((await person.call('DELETE', `${path}/${linked.id}`, proof)).status, 204)
  assert.deepEqual(await linkedOf(person), [])
  assert.ok((await kindsFor(email)).includes('provider_changed'))
})

test('a verified address links its account and notifies the owner; the link survives a change of that address', async () => {
  const person = await TestPerson.signedIn(api, 'both@example.net')
  const { id } = (await person.call('GET', '/account')).body
  visit.add('both-1', 'BOTH@example.net')
  person.cookies.clear()
  assert.equal((await visit.signedIn(person, 'both-1')).body.result, 'signed_in')
  assert.equal((await person.call('GET', '/account')).body.id, id)
  assert.equal((await kindsFor(person.email)).filter((kind) => kind === 'provider_changed').length, 1)
  assert.ok((await actionsOf(person.email)).includes('provider.linked'))
  assert.equal((await person.signIn()).status, 200, 'the password still works')

  // The person's address at the provider changes: the linked person keeps the account, and the address alone decides nothing.
  visit.add('both-1', 'elsewhere@example.net')
  person.cookies.clear()
  assert.equal((await visit.signedIn(person, 'both-1')).status, 200)
  assert.equal((await person.call('GET', '/account')).body.id, id)
})

test('an address that the provider has not verified links no account, signs up no one and writes nothing', async () => {
  await TestPerson.signedIn(api, 'victim@example.net')
  const before = await counts()
  const messages = new Set<string>()
  for (const [i, verified] of [false, undefined, 'true', null, 0].entries())
    for (const email of ['victim@example.net', 'Victim@Example.net', 'nobody@example.net']) {
      visit.add(`false-${i}`, email, { email_verified: verified })
      const person = stranger(email)
      const refused = await visit.signedIn(person, `false-${i}`)
      assert.deepEqual(codeOf(refused), [409, 'conflict'])
      messages.add(refused.body.message)
      assert.equal(await isSignedIn(person), false)
    }
  assert.deepEqual([...messages].length, 1, 'the same whether the address has an account or not')
  assert.match([...messages][0] ?? '', /link Acme on your account page/)
  assert.deepEqual(await counts(), before)
})

test('an address does not link an account that has two-factor authentication or has not confirmed it', async () => {
  const secured = await TestPerson.secured(api, 'secured-by@example.net')
  await sql`insert into accounts (email, name) values ('unconfirmed-by@example.net', 'Mallory')`.execute(database.db)
  visit.add('sec-1', secured.email)
  visit.add('unc-1', 'unconfirmed-by@example.net')
  const before = await counts()
  for (const [subject, why] of [
    ['sec-1', /two-factor authentication\. Sign in with your password/],
    ['unc-1', /has not confirmed this address\. Choose "Forgot password\?"/],
  ] as const) {
    const person = stranger('x@example.net')
    const refused = await visit.signedIn(person, subject)
    assert.equal(refused.status, 409)
    assert.match(refused.body.message, why)
    assert.equal(await isSignedIn(person), false)
  }
  assert.deepEqual(await counts(), before)
})

test('linking requires the password and a code, and ends in the same session; sign-in then still requires a code', async () => {
  const person = await TestPerson.secured(api, 'linker@example.net')
  visit.add('link-1', 'another-address@example.net', { email_verified: false })
  const begin = (proof: object) =>
    person.call('POST', `${path}/link`, { body: { provider: 'acme', password: person.password, ...proof } })
  assert.deepEqual(codeOf(await begin({ password: 'not it' })), [403, 'forbidden'])
  assert.deepEqual(codeOf(await begin({})), [403, 'code_required'])
  assert.deepEqual(codeOf(await begin({ code: 'aaaaa-aaaaa' })), [403, 'code_wrong'])
  assert.deepEqual(codeOf(await begin({ provider: 'google' })), [409, 'conflict'])
  const given = await visit.link(person, 'link-1', { code: person.backupCodes.pop() })
  const session = new Map(person.cookies)

  // Someone who steals the answer has another session, or none.
  const thief = await TestPerson.signedIn(api, 'thief@example.net')
  assert.deepEqual(codeOf(await answer(thief, given)), [409, 'conflict'])
  for (const [name, value] of session) if (name.endsWith('.provider')) thief.cookies.set(name, value)
  assert.deepEqual(codeOf(await answer(thief, given)), [409, 'conflict'])
  assert.deepEqual(await linkedOf(thief), [])

  assert.deepEqual((await answer(person, given)).body, { provider: 'Acme', back: '/account', result: 'linked' })
  const [linked] = await linkedOf(person)
  assert.deepEqual([linked.email, linked.last_used_at], [null, null], 'an address that is not verified is not shown')
  assert.equal((await kindsFor(person.email)).filter((kind) => kind === 'provider_changed').length, 1)

  person.cookies.clear()
  const half = await visit.signedIn(person, 'link-1')
  assert.equal(half.body.result, 'code_needed')
  assert.equal(await isSignedIn(person), false)
  assert.equal((await person.auth('POST', '/two-factor/verify-totp', { code: '000000' })).status >= 400, true)
  await sql`delete from account_guesses`.execute(database.db)
  const done = await person.auth('POST', '/two-factor/verify-backup-code', { code: person.backupCodes.pop() })
  assert.equal(done.status, 200, JSON.stringify(done.body))
  assert.equal(await isSignedIn(person), true)

  // In the browser of another account, the code counts for the account of the provider.
  assert.equal((await thief.signIn()).status, 200)
  assert.equal((await visit.signedIn(thief, 'link-1')).body.result, 'code_needed')
  assert.equal(await isSignedIn(thief), false)
  const code = person.backupCodes.pop()
  assert.equal((await thief.auth('POST', '/two-factor/verify-backup-code', { code })).status, 200)
  assert.equal((await thief.call('GET', '/account')).body.email, person.email)
  await thief.auth('POST', '/sign-out', {})
  assert.equal((await thief.signIn()).status, 200)

  // Unlinking also ends a sign-in that waits for its code.
  const other = stranger(person.email)
  assert.equal((await visit.signedIn(other, 'link-1')).body.result, 'code_needed')
  const remove = (proof: object) =>
    person.call('DELETE', `${path}/${linked.id}`, { body: { password: person.password, ...proof } })
  assert.deepEqual(codeOf(await remove({})), [403, 'code_required'])
  const theirs = { body: { password: thief.password } }
  assert.deepEqual(codeOf(await thief.call('DELETE', `${path}/${linked.id}`, theirs)), [404, 'not_found'])
  assert.equal((await remove({ code: person.backupCodes.pop() })).status, 204)
  const late = await other.auth('POST', '/two-factor/verify-backup-code', { code: person.backupCodes.pop() })
  assert.equal(late.status, 401)
  assert.deepEqual(
    (await actionsOf(person.email)).filter((action) => action.startsWith('provider')),
    ['provider.linked', 'provider.unlinked'],
  )
})

test('does not link a provider if the session ends while the provider is queried', async () => {
  const person = await TestPerson.signedIn(api, 'ended@example.net')
  visit.add('ended-1', 'ended-1@example.net')
  const given = await visit.link(person, 'ended-1')
  const gate = Promise.withResolvers<void>()
  identity.behave({ tokenWaitsFor: gate.promise })
  const asked = identity.requests.get('token') ?? 0
  const answering = answer(person, given)
  await eventually('the provider is asked', async () => (identity.requests.get('token') ?? 0) > asked)
  const owner = stranger(person.email)
  assert.equal((await owner.signIn()).status, 200)
  assert.equal((await owner.auth('POST', '/revoke-other-sessions', {})).status, 200)
  gate.resolve()
  assert.match((await answering).body.message, /no longer signed in as when you began/)
  assert.deepEqual(await linkedOf(owner), [])
})

test('a person at a provider has at most one account, and an account at most five such people', async () => {
  const [one, other] = [
    await TestPerson.signedIn(api, 'one@example.net'),
    await TestPerson.signedIn(api, 'two@example.net'),
  ]
  for (const i of [1, 2, 3, 4, 5, 6]) visit.add(`many-${i}`, `many-${i}@example.net`)
  assert.equal((await answer(one, await visit.link(one, 'many-1'))).status, 200)
  assert.match((await answer(one, await visit.link(one, 'many-1'))).body.message, /linked already/)
  assert.match((await answer(other, await visit.link(other, 'many-1'))).body.message, /linked to another account/)
  for (const i of [2, 3, 4, 5]) assert.equal((await answer(one, await visit.link(one, `many-${i}`))).status, 200)
  assert.match((await answer(one, await visit.link(one, 'many-6'))).body.message, /can have 5 linked providers/)
  visit.add('many-7', one.email)
  assert.match((await visit.signedIn(stranger(one.email), 'many-7')).body.message, /can have 5 linked providers/)
  assert.equal((await linkedOf(one)).length, 5)
})

test('an answer works once, for ten minutes, only in the browser and for the sign-in that it belongs to', async () => {
  visit.add('once-1', 'once@example.net')
  const person = stranger('once@example.net')
  const given = await visit.signIn(person, 'once-1')
  const cookies = new Map(person.cookies)
  assert.deepEqual(codeOf(await answer(stranger('x@example.net'), given)), [409, 'conflict'], 'no cookie')
  const other = stranger('x@example.net')
  await visit.signIn(other, 'once-1')
  assert.match((await answer(other, given)).body.message, /not begun in this browser/)
  assert.match((await answer(person, { ...given, state: undefined })).body.message, /not begun in this browser/)
  for (const provider of ['google', '', 'ACME'])
    assert.match((await answer(person, { ...given, provider })).body.message, /not begun in this browser/, 'handed on')
  for (const junk of ['x', 'A'.repeat(5_000), '%00', `${cookies.get('zonewright.provider')}A`]) {
    person.cookies.set('zonewright.provider', junk)
    assert.deepEqual(codeOf(await answer(person, given)), [409, 'conflict'])
  }
  for (const [name, value] of cookies) person.cookies.set(name, value)
  assert.equal((await answer(person, given)).status, 200)
  assert.equal(person.cookies.has('zonewright.provider'), false, 'the cookie is gone')
  for (const [name, value] of cookies) person.cookies.set(name, value)
  assert.deepEqual(codeOf(await answer(person, given)), [409, 'conflict'], 'the provider refuses the code')

  const twice = stranger('once@example.net')
  const again = await visit.signIn(twice, 'once-1')
  const both = await Promise.all([answer(twice, again), answer(twice, again)])
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409], 'one of two at once')
})

test('concurrent sign-ups of one person with a provider create one account', async () => {
  visit.add('race-1', 'race@example.net')
  const visits = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const person = stranger('race@example.net')
      return { person, given: await visit.signIn(person, 'race-1') }
    }),
  )
  const answers = await Promise.all(visits.map(({ person, given }) => answer(person, given)))
  assert.ok(answers.some(({ status }) => status === 200))
  for (const { status } of answers) assert.ok([200, 409].includes(status), String(status))
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from accounts where email = 'race@example.net'`.execute(database.db)
  assert.deepEqual(rows, [{ n: 1 }])
})

test('an error says what to do if the provider fails, and says so if the person did not continue there', async () => {
  visit.add('down-1', 'down@example.net')
  const person = stranger('down@example.net')
  for (const fault of ['drop', 'hang', 'html', 'endless', 'moved', 'broken'] as const) {
    const given = await visit.signIn(person, 'down-1')
    identity.behave({ faults: { token: fault } })
    const away = await answer(person, given)
    assert.deepEqual(codeOf(away), [503, 'provider_unavailable'], fault)
    assert.equal(away.headers['retry-after'], '60')
    assert.match(away.body.message, /Acme does not respond as expected\. .*sign in another way/)
    identity.behave({})
  }
  const declined = await answer(person, await visit.signIn(person, 'decline'))
  assert.match(declined.body.message, /You did not continue at Acme/)
  for (const behaviour of [{ claims: { nonce: 'x' } }, { signs: 'none' }, { claims: { aud: 'x' } }] as const) {
    const given = await visit.signIn(person, 'down-1')
    identity.behave(behaviour)
    assert.match((await answer(person, given)).body.message, /The answer of Acme was not accepted/)
    identity.behave({})
  }
  assert.equal(await isSignedIn(person), false)
  assert.deepEqual(codeOf(await person.auth('POST', '/provider/begin', { provider: 'google' })), [409, 'conflict'])
  assert.match(
    (await person.auth('POST', '/provider/begin', { provider: 'google' })).body.message,
    /no longer offers this way .*Forgot password/,
  )
})

test('beginning writes nothing, returns only to dashboard pages, and is refused for other sites', async () => {
  const before = await counts()
  const person = stranger('begin@example.net')
  for (const back of ['https://evil.example/', '//evil.example', '/\\evil.example'])
    assert.equal((await person.auth('POST', '/provider/begin', { provider: 'acme', back })).status, 200)
  assert.deepEqual(await counts(), before)
  visit.add('begin-1', 'begin@example.net')
  assert.equal((await answer(person, await visit.signIn(person, 'begin-1', '//evil.example'))).body.back, '/')
  const evil = { origin: 'https://evil.example' }
  assert.equal((await person.auth('POST', '/provider/begin', { provider: 'acme' }, evil)).status, 403)
  const line = String(
    (await stranger('y@example.net').auth('POST', '/provider/begin', { provider: 'acme' })).headers['set-cookie'],
  )
  assert.match(line, /HttpOnly; SameSite=Lax$/)
  assert.match(line, /Max-Age=600; Path=\/api;/)
  assert.ok(!line.includes(identity.issuer), 'sealed')
})

test('one network can send 100 answers in ten minutes and create 20 accounts an hour', async () => {
  visit.add('limit-1', 'limit@example.net')
  const person = stranger('limit@example.net')
  const given = await visit.signIn(person, 'limit-1')
  const subject = '127.0.0.1'
  await sql`insert into account_tries (kind, subject, tries) values ('provider-answer', ${subject}, 100)`.execute(
    database.db,
  )
  assert.deepEqual(codeOf(await answer(person, given)), [429, 'rate_limited'])
  await sql`delete from account_tries`.execute(database.db)
  await sql`insert into account_tries (kind, subject, tries) values ('sign-up-from', ${subject}, 20)`.execute(
    database.db,
  )
  assert.deepEqual(codeOf(await answer(person, given)), [429, 'rate_limited'])
})

test('a removed provider is listed as not usable and can be unlinked; deleting an account unlinks its people', async () => {
  const person = await TestPerson.signedIn(api, 'removed@example.net')
  visit.add('removed-1', 'at-acme@example.net')
  assert.equal((await answer(person, await visit.link(person, 'removed-1'))).status, 200)
  const without = await startTestApi({ databaseUrl: database.url })
  const there = new TestPerson(without, person.email)
  assert.equal((await there.signIn()).status, 200)
  const [linked] = await linkedOf(there)
  assert.deepEqual([linked.name, linked.usable], ['Acme', false])
  const proof = { body: { password: person.password } }
  assert.equal((await there.call('DELETE', `${path}/${linked.id}`, proof)).status, 204)

  assert.equal((await answer(person, await visit.link(person, 'removed-1'))).status, 200)
  const { id } = (await person.call('GET', '/account')).body
  assert.equal((await person.call('DELETE', '/account', proof)).status, 204)
  const { rows } = await sql`select 1 from account_providers where account_id = ${id}`.execute(database.db)
  assert.deepEqual(rows, [])
  const next = stranger('at-acme@example.net')
  assert.equal((await visit.signedIn(next, 'removed-1')).body.result, 'signed_in')
  assert.notEqual((await next.call('GET', '/account')).body.id, id)
})

test('the return page is at the site’s address', async () => {
  const { body } = await stranger('z@example.net').auth('POST', '/provider/begin', { provider: 'acme' })
  assert.equal(new URL(body.url).searchParams.get('redirect_uri'), `${testOrigin}/app/provider/acme`)
})
