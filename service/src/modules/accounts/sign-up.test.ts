import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { actorNamed } from '#platform/caller.ts'
import { sql } from '#platform/postgres/index.ts'
import { SecretBox } from '#platform/secrets.ts'
import { moveClock } from '#testing/move-clock.ts'
import { startTestApi } from '#testing/test-api.ts'
import { TestPerson } from '#testing/test-person.ts'
import { createAccount } from './create-account.ts'
import { queuedMails } from './queued-mails.ts'
import { signUp } from './sign-up.ts'
import { tryLimits } from './tries.ts'

const api = await startTestApi()
const { database } = api
const { db } = database

/** Everyone in this file signs up from one network address. */
test.beforeEach(() => sql`delete from account_tries`.execute(db))

async function asked(email: string): Promise<{ person: TestPerson; token: string }> {
  const person = new TestPerson(api, email)
  assert.equal((await person.auth('POST', '/sign-up/email', { email })).status, 200)
  return { person, token: person.signUpToken() }
}

async function accountsOf(email: string): Promise<{ id: string; name: string; email_confirmed: boolean }[]> {
  const { rows } = await sql<{ id: string; name: string; email_confirmed: boolean }>`
    select id, name, email_confirmed from accounts where email = ${email}`.execute(db)
  return rows
}

/** An account from before this change: anyone could sign up with the address, which was never confirmed. */
async function unconfirmed(email: string, password: string): Promise<string> {
  const other = await TestPerson.signedIn(api, `made-for-${email}`)
  const { rows } = await sql<{ id: string }>`
    with made as (insert into accounts (email, name) values (${email}, 'Mallory') returning id)
    insert into account_credentials (id, user_id, provider_id, account_id, password, created_at, updated_at)
    select gen_random_uuid(), made.id, 'credential', made.id::text, c.password, now(), now()
    from made, account_credentials c join accounts a on a.id = c.user_id where a.email = ${other.email}
    returning user_id as id`.execute(db)
  assert.equal(other.password, password)
  return rows[0]?.id ?? ''
}

/** The content of every table except those for the maintenance of sessions. */
async function everything(): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select quote_ident(tablename) as name from pg_tables where schemaname = 'public' order by 1`.execute(db)
  const parts: string[] = []
  for (const { name } of rows) {
    const { rows: found } = await database.pool.query<{ text: string }>(
      `select t::text as text from ${name} t order by 1`,
    )
    parts.push(name, ...found.map(({ text }) => text))
  }
  return parts.join('\n')
}

test('a sign-up stores only the address, whatever else the request contains', async () => {
  const email = 'victim@example.net'
  const attacker = new TestPerson(api, email)
  for (const more of [
    {},
    { password: attacker.password, name: 'Mallory' },
    { password: attacker.password, name: '', callbackURL: '/app/confirmed' },
    { name: 'x'.repeat(5_000), image: 'https://evil.example/x.png', emailVerified: true },
    { token: 'mine', id: '00000000-0000-4000-8000-000000000000', password: ['a'] },
  ])
    assert.deepEqual((await attacker.auth('POST', '/sign-up/email', { email, ...more })).body, { status: true })
  assert.deepEqual(await accountsOf(email), [])
  assert.equal((await attacker.signIn()).status, 401)
  const { rows } = await sql`select * from account_sign_ups where email = ${email}`.execute(db)
  assert.deepEqual(Object.keys(rows[0] ?? {}).sort(), ['email', 'expires_at', 'token_sha256'])
  assert.equal(rows.length, 5)
  assert.ok(!(await everything()).includes('Mallory'))
})

test('the form of the link creates the account by POST, with the name and password of the email’s reader, and signs in', async () => {
  const { person, token } = await asked('Reader@Example.net'.toLowerCase())
  assert.deepEqual((await person.auth('POST', '/sign-up/link', { token })).body, { email: person.email })
  const created = await person.createAccount(token, { name: '  Grace ' })
  assert.equal(created.status, 200)
  assert.deepEqual([created.body.user.email, created.body.user.name], [person.email, 'Grace'])
  const { body } = await person.call('GET', '/account')
  assert.deepEqual([body.email, body.name, body.email_confirmed, body.two_factor], [person.email, 'Grace', true, false])
  const { rows } = await sql<{ action: string; address: string }>`
    select action, address from audit_log where account_id = ${body.id} order by id`.execute(db)
  assert.deepEqual(rows, [
    { action: 'account.created', address: '127.0.0.1' },
    { action: 'session.created', address: '127.0.0.1' },
  ])
  assert.equal((await person.signIn()).status, 200, 'the password is the one that was chosen')
})

test('an address with a Unicode domain is one account, however it is spelled', async () => {
  const person = new TestPerson(api, 'idn@xn--bcher-kva.example')
  assert.equal((await person.auth('POST', '/sign-up/email', { email: 'Idn@BÜCHER.example' })).status, 200)
  assert.equal((await person.createAccount(person.signUpToken())).status, 200)
  for (const email of ['idn@bücher.example', 'idn@xn--bcher-kva.example', 'IDN@Bücher.Example']) {
    person.cookies.clear()
    assert.equal((await person.auth('POST', '/sign-in/email', { email, password: person.password })).status, 200, email)
    const resets = () => api.mails.filter(({ kind, to }) => kind === 'resetPassword' && to === person.email).length
    const before = resets()
    const asked = { email, redirectTo: '/app/reset-password' }
    assert.equal((await person.auth('POST', '/request-password-reset', asked)).status, 200)
    assert.equal(resets(), before + 1, email)
  }
})

test('refuses an address that cannot get email or sign in, and says why', async () => {
  const person = new TestPerson(api, 'none@example.net')
  for (const [email, why] of [
    ['ädä@example.net', /ASCII/],
    [`${'x'.repeat(65)}@example.net`, /At most 64/],
    ['ada@example', /not a domain name/],
    ['ada@пример.рф', /Accounts cannot use this address/],
    ['a!b@example.net', /Accounts cannot use this address/],
  ] as const)
    for (const path of ['/sign-up/email', '/sign-in/email', '/request-password-reset']) {
      const { status, body } = await person.auth('POST', path, { email, password: person.password })
      assert.equal(status, 400, `${path} ${email}`)
      assert.match(body.message, why, `${path} ${email}`)
    }
})

test('opening a link of an email changes nothing, however often, and wherever it redirects', async () => {
  const { person } = await asked('scanned@example.net')
  const owner = await TestPerson.signedIn(api, 'scanned-owner@example.net')
  await owner.auth('POST', '/request-password-reset', { email: owner.email, redirectTo: '/app/reset-password' })
  await owner.auth('POST', '/sign-up/email', { email: owner.email })
  await owner.call('POST', '/account/email', { body: { email: 'scanned-new@example.net', password: owner.password } })
  const links = api.mails.flatMap(({ url }) => url ?? [])
  assert.deepEqual(
    [...new Set(links.map((url) => new URL(url).pathname.replace(/reset-password\/.*/, 'reset-password/')))].sort(),
    ['/api/auth/reset-password/', '/app/confirm-email', '/app/create-account'],
  )
  const old =
    'http://dashboard.test/api/auth/verify-email?token=eyJhbGciOiJIUzI1NiJ9.e30.x&callbackURL=%2Fapp%2Fconfirmed'
  const before = await everything()
  for (const url of [...links, old])
    for (const method of ['GET', 'HEAD', 'GET'])
      for (const cookies of [[], [...owner.cookies]]) {
        const scanner = new TestPerson(api, 'scanner@example.net')
        for (const [name, value] of cookies) scanner.cookies.set(name, value)
        let at: string | undefined = url
        for (let hops = 0; at !== undefined && hops < 5; hops++) {
          const { pathname, search }: URL = new URL(at, url)
          const answer = await scanner.call(method, pathname + search, { prefix: '' })
          assert.equal(answer.headers['set-cookie'], undefined, `${method} ${at}`)
          const { location } = answer.headers as { location?: string }
          at = location
        }
      }
  assert.equal(await everything(), before)
  assert.deepEqual(await accountsOf(person.email), [])
  assert.equal((await person.createAccount(person.signUpToken())).status, 200, 'and the link works afterwards')
})

test('a link works once; an invalid link, or a link of another kind, does not work', async () => {
  const { person, token } = await asked('once@example.net')
  assert.equal((await person.createAccount(token)).status, 200)
  const stranger = new TestPerson(api, person.email)
  stranger.password = 'taken over by a link'
  const reset = await TestPerson.signedIn(api, 'other-link@example.net')
  await reset.auth('POST', '/request-password-reset', { email: reset.email })
  const resetToken = new URL(api.mails.at(-1)?.url ?? '').pathname.split('/').at(-1) ?? ''
  for (const wrong of [
    token,
    `${token}x`,
    token.slice(1),
    token.toUpperCase(),
    'x',
    '',
    resetToken,
    ' ',
    "' or 1=1 --",
  ]) {
    assert.deepEqual((await stranger.auth('POST', '/sign-up/link', { token: wrong })).body.code, 'conflict', wrong)
    const answer = await stranger.createAccount(wrong)
    assert.deepEqual([answer.status, answer.body.code], [409, 'conflict'], wrong)
  }
  for (const wrong of [undefined, 7, null, [token], 'x'.repeat(101)])
    assert.equal(
      (await stranger.auth('POST', '/sign-up/complete', { token: wrong, name: '', password: stranger.password }))
        .status,
      400,
    )
  assert.equal((await stranger.signIn()).status, 401)
  assert.equal((await person.signIn()).status, 200)
})

test('a link expires after a day', async () => {
  const { person, token } = await asked('late@example.net')
  await moveClock(database, '23 hours 59 minutes')
  assert.equal((await person.auth('POST', '/sign-up/link', { token })).status, 200)
  await moveClock(database, '24 hours 1 second')
  assert.equal((await person.createAccount(token)).status, 409)
  await moveClock(database, '0 seconds')
  assert.equal((await person.createAccount(token)).status, 200)
})

test('a repeated sign-up sends another link; each link works until one is used', async () => {
  const { token: first } = await asked('again@example.net')
  const { person, token: second } = await asked('again@example.net')
  assert.notEqual(first, second)
  assert.equal((await person.auth('POST', '/sign-up/link', { token: first })).status, 200)
  assert.equal((await person.createAccount(second)).status, 200)
  assert.equal((await person.createAccount(first)).status, 409)
  assert.equal((await accountsOf(person.email)).length, 1)
})

test('concurrent uses of one address’s links create one account', async () => {
  const { person, token } = await asked('twice@example.net')
  const { token: another } = await asked('twice@example.net')
  const people = [token, token, another, token, another].map((used, i) => {
    const each = new TestPerson(api, person.email)
    each.password = `the phrase of number ${i}`
    return { each, used }
  })
  const answers = await Promise.all(people.map(({ each, used }) => each.createAccount(used)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409, 409])
  assert.equal((await accountsOf(person.email)).length, 1)
  const winner = people[answers.findIndex(({ status }) => status === 200)]?.each
  assert.equal((await winner?.signIn())?.status, 200, 'the password is that of the one that was told so')
  const { rows } = await sql`
    select 1 from audit_log l join accounts a on a.id = l.account_id
    where a.email = ${person.email} and action = 'account.created'`.execute(db)
  assert.equal(rows.length, 1)
})

test('the name and password have limits, and a refused form does not use up the link', async () => {
  const { person, token } = await asked('choosy@example.net')
  for (const [more, code] of [
    [{ password: 'short' }, 'PASSWORD_TOO_SHORT'],
    [{ password: '' }, 'PASSWORD_TOO_SHORT'],
    [{ password: 'long'.repeat(33) }, 'PASSWORD_TOO_LONG'],
    [{ password: 'password123' }, 'PASSWORD_TOO_COMMON'],
    [{ password: 'choosy2026' }, 'PASSWORD_IS_A_NAME'],
    [{ name: 'x'.repeat(101) }, 'VALIDATION_ERROR'],
    [{ name: 7 }, 'VALIDATION_ERROR'],
    [{ name: null }, 'VALIDATION_ERROR'],
    [{ password: 1_234_567_890 }, 'VALIDATION_ERROR'],
  ] as const) {
    const answer = await person.createAccount(token, more)
    assert.deepEqual([answer.status, answer.body.code], [400, code], JSON.stringify(more).slice(0, 60))
  }
  assert.equal((await person.createAccount(token, { name: 'x'.repeat(100) })).status, 200)
})

test('another site can neither sign up nor create an account in a visitor’s browser', async () => {
  const { person, token } = await asked('lured@example.net')
  for (const origin of ['https://evil.example', 'null', 'http://dashboard.test.evil.example']) {
    const headers = { origin, cookie: 'zonewright.device=x', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }
    const body = { token, name: 'Ada', password: person.password }
    assert.equal((await person.auth('POST', '/sign-up/complete', body, headers)).status, 403, origin)
  }
  assert.deepEqual(await accountsOf(person.email), [])
})

test('the account, its audit entries and its session are stored together or not at all; the link works until they are', async () => {
  const { person, token } = await asked('atomic@example.net')
  for (const table of ['account_credentials', 'audit_log', 'account_sessions', 'account_devices']) {
    await sql`create function fail() returns trigger language plpgsql as $$ begin raise exception 'planted'; end $$`.execute(
      db,
    )
    await sql`create trigger planted before insert on ${sql.table(table)} for each row execute function fail()`.execute(
      db,
    )
    assert.ok((await person.createAccount(token)).status >= 500, table)
    await sql`drop function fail cascade`.execute(db)
    assert.deepEqual(await accountsOf(person.email), [], table)
  }
  assert.equal((await person.createAccount(token)).status, 200)
})

test('the address is stored together with its email, or not at all', async () => {
  const mails = queuedMails({ secrets: new SecretBox(randomBytes(32)), site: 'http://dashboard.test' })
  const email = 'mailed@example.net'
  const store = () => database.transact((tx) => signUp(tx, { mails, site: 'http://dashboard.test' }, email))
  const kept = async () => {
    const { rows } = await sql<{ stored: number; mailed: number }>`
      select (select count(*)::int from account_sign_ups where email = ${email}) as stored,
        (select count(*)::int from mails where to_address = ${email} and kind = 'finish_sign_up') as mailed`.execute(db)
    return rows[0]
  }
  for (const table of ['mails', 'account_sign_ups']) {
    await sql`create function fail() returns trigger language plpgsql as $$ begin raise exception 'planted'; end $$`.execute(
      db,
    )
    await sql`create trigger planted before insert on ${sql.table(table)} for each row execute function fail()`.execute(
      db,
    )
    await assert.rejects(store(), /planted/)
    await sql`drop function fail cascade`.execute(db)
    assert.deepEqual(await kept(), { stored: 0, mailed: 0 }, table)
  }
  await store()
  assert.deepEqual(await kept(), { stored: 1, mailed: 1 })
})

test('an address that has an account gets an email that says so; an account created in the meantime stays unchanged', async () => {
  const owner = await TestPerson.signedIn(api, 'known@example.net')
  const answer = await owner.auth('POST', '/sign-up/email', { email: 'Known@Example.NET' })
  assert.deepEqual([answer.status, answer.body], [200, { status: true }])
  assert.equal(api.mails.at(-1)?.kind, 'alreadyRegistered')
  assert.equal(api.mails.at(-1)?.url, undefined)

  const { person, token } = await asked('meanwhile@example.net')
  const actor = actorNamed('operator', 'support')
  await database.transact((tx) => createAccount(tx, actor, { email: person.email, name: 'Theirs' }))
  const late = await person.createAccount(token)
  assert.deepEqual([late.status, late.body.code], [409, 'conflict'])
  assert.match(late.body.message, /already has an account\. Sign in/)
  assert.equal((await accountsOf(person.email))[0]?.name, 'Theirs')
})

test('an older unconfirmed account belongs to no one until the owner of its address opens the email', async () => {
  const email = 'squatted@example.net'
  const attacker = new TestPerson(api, email)
  const id = await unconfirmed(email, attacker.password)
  assert.notEqual((await attacker.signIn()).status, 200)
  const { token } = await asked(email)
  const owner = new TestPerson(api, email)
  owner.password = 'chosen by its owner'
  assert.equal((await owner.createAccount(token, { name: 'Owner' })).status, 200)
  assert.deepEqual(await accountsOf(email), [{ id, name: 'Owner', email_confirmed: true }])
  assert.equal((await attacker.signIn()).status, 401)
  assert.equal((await owner.signIn()).status, 200)
})

test('a password reset also confirms an older account', async () => {
  const email = 'squatted-too@example.net'
  const attacker = new TestPerson(api, email)
  await unconfirmed(email, attacker.password)
  await attacker.auth('POST', '/request-password-reset', { email })
  const token = new URL(api.mails.at(-1)?.url ?? '').pathname.split('/').at(-1)
  const owner = new TestPerson(api, email)
  owner.password = 'chosen by its owner'
  assert.equal((await owner.auth('POST', '/reset-password', { token, newPassword: owner.password })).status, 200)
  assert.equal((await owner.signIn()).status, 200)
  assert.equal((await attacker.signIn()).status, 401)
})

test('the migration removes the password and name of every account that was never confirmed, and of no other', async () => {
  const email = 'migrated@example.net'
  const id = await unconfirmed(email, new TestPerson(api, email).password)
  const confirmed = await TestPerson.signedIn(api, 'confirmed-before@example.net')
  await sql`drop table account_sign_ups, account_guesses, account_devices`.execute(db)
  await database.pool.query(await readFile(new URL('../../../migrations/0016-sign-up.sql', import.meta.url), 'utf8'))
  const { rows } = await sql`select password from account_credentials where user_id = ${id}`.execute(db)
  assert.deepEqual(rows, [{ password: null }])
  assert.deepEqual(await accountsOf(email), [{ id, name: '', email_confirmed: false }])
  assert.equal((await confirmed.signIn()).status, 200)
  assert.equal((await confirmed.call('GET', '/account')).body.name, 'Ada')
})

test('an older link redirects to the page that sends a new one', async () => {
  const answer = await api.call('GET', '/verify-email?token=x&callbackURL=%2Fapp%2Fconfirmed', { prefix: '/api/auth' })
  assert.deepEqual([answer.status, answer.headers['location']], [302, '/app/create-account'])
})

test('an address gets at most five sign-up emails an hour, which do not use up its password resets', async () => {
  const owner = await TestPerson.signedIn(api, 'flooded@example.net')
  await sql`delete from account_tries`.execute(db)
  const { most } = tryLimits['sign-up-mail']
  const before = api.mails.length
  for (let i = 0; i < most; i++) assert.equal((await asked(owner.email)).person.email, owner.email)
  const refused = await owner.auth('POST', '/sign-up/email', { email: 'Flooded@example.net' })
  assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limited'])
  assert.match(String(refused.headers['retry-after']), /^\d+$/)
  assert.equal(api.mails.length - before, most)
  assert.equal((await owner.auth('POST', '/request-password-reset', { email: owner.email })).status, 200)
  assert.equal(api.mails.at(-1)?.kind, 'resetPassword')
  assert.equal((await asked('spared@example.net')).person.email, 'spared@example.net')
})
