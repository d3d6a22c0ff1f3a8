import assert from 'node:assert/strict'
import { test } from 'node:test'
import { networkOf, siteOf } from '#platform/network-of.ts'
import { sql } from '#platform/postgres/index.ts'
import { moveClock, stopClock } from '#testing/move-clock.ts'
import { startTestApi, type TestAnswer } from '#testing/test-api.ts'
import { TestPerson } from '#testing/test-person.ts'
import type { GuessKind } from './guess-rules.ts'

const api = await startTestApi()
const { database } = api
const { db } = database

test.beforeEach(async () => {
  await sql`delete from account_tries`.execute(db)
  await sql`delete from account_guesses`.execute(db)
})
test.afterEach(() => moveClock(database, '0 seconds'))

async function idOf({ email }: TestPerson): Promise<string> {
  const { rows } = await sql<{ id: string }>`select id from accounts where email = ${email}`.execute(db)
  return rows[0]?.id ?? assert.fail(`${email} has no account`)
}

/** Records this many failures as of now. The next guess does not have to wait. */
async function failed(kind: GuessKind, subject: string, source: string, failures: number): Promise<void> {
  await sql`insert into account_guesses (subject, kind, source, failures) values (${subject}, ${kind}, ${source}, ${failures})
    on conflict (subject, kind, source) do update set failures = excluded.failures, free_at = app_now(), last_at = app_now()`.execute(
    db,
  )
}

async function failures(kind: GuessKind, subject: string, source: string): Promise<number> {
  const { rows } = await sql<{ failures: number }>`
    select failures from account_guesses where kind = ${kind} and subject = ${subject} and source = ${source}`.execute(
    db,
  )
  return Math.round(rows[0]?.failures ?? 0)
}

/** Another person's browser, at another address. */
function stranger(email: string, address = '203.0.113.66'): TestPerson {
  const person = new TestPerson(api, email)
  person.address = address
  return person
}

/** Checks that an answer refuses a guess because of failures, and returns its delay in seconds. */
function waitOf({ status, headers, body }: TestAnswer): number {
  assert.equal(status, 429)
  assert.equal(body.code ?? body.error.code, 'rate_limited')
  assert.match(body.message ?? body.error.message, /^Too many failed attempts\. Try again in \d+ (second|minute)s?\.$/)
  return Number(headers['retry-after'])
}

const giveCode = (person: TestPerson, code: string) => person.auth('POST', '/two-factor/verify-totp', { code })
const giveBackupCode = (person: TestPerson, code: string) =>
  person.auth('POST', '/two-factor/verify-backup-code', { code })

test('allows ten wrong passwords without a delay; each further one doubles the wait', async () => {
  const person = await TestPerson.signedIn(api, 'guessed@example.net')
  const guesser = stranger(person.email)
  await stopClock(database)
  for (let i = 0; i < 10; i++) assert.equal((await guesser.signIn(`wrong guess ${i}`)).status, 401)
  // A guess that must wait is not evaluated, even if it is right, and does not extend the wait.
  for (let i = 0; i < 3; i++) assert.equal(waitOf(await guesser.signIn()), 1)
  let after = 0
  for (const [waited, next] of [
    [1, 2],
    [2, 4],
    [4, 8],
  ] as const) {
    after += waited
    await stopClock(database, `${after} seconds`)
    assert.equal((await guesser.signIn('another wrong guess')).status, 401)
    assert.equal(waitOf(await guesser.signIn()), next)
  }
  await failed('sign-in', await idOf(person), '203.0.113.66', 40)
  assert.equal((await guesser.signIn('another wrong guess')).status, 401)
  assert.equal(waitOf(await guesser.signIn()), 900)
  await stopClock(database, `${after + 900} seconds`)
  assert.equal((await guesser.signIn()).status, 200)
  assert.equal((await guesser.signIn('a mistyped one')).status, 401, 'the right one has forgiven those before')
  assert.equal((await guesser.signIn()).status, 200)
})

test('the owner can sign in from another network immediately, however many guesses failed elsewhere', async () => {
  const person = await TestPerson.signedIn(api, 'from-elsewhere@example.net')
  await stopClock(database)
  for (const [attacker, elsewhere, same] of [
    ['192.0.2.1', '192.0.2.2', '192.0.2.1'],
    ['192.0.2.3', '2001:db8::1', '::ffff:192.0.2.3'],
    ['2001:db8:0:1::1', '2001:db8:0:2::1', '2001:db8:0:1:ffff::9'],
    ['2001:db8:1:1::1', '192.0.2.4', '2001:DB8:1:1::2'],
    ['198.51.100.255', '198.51.100.254', '198.51.100.255'],
    ['fe80::1', '192.0.2.5', 'fe80::2'],
  ] as const) {
    await failed('sign-in', await idOf(person), networkOf(attacker), 30)
    assert.equal((await stranger(person.email, attacker).signIn('a wrong guess')).status, 401)
    assert.equal(waitOf(await stranger(person.email, same).signIn()), 900, same)
    assert.equal((await stranger(person.email, elsewhere).signIn()).status, 200, elsewhere)
  }
})

test('concurrent guesses are all counted', async () => {
  const person = await TestPerson.signedIn(api, 'hurried@example.net')
  await stopClock(database)
  const answers = await Promise.all(
    Array.from({ length: 14 }, (_, i) => stranger(person.email).signIn(`wrong guess ${i}`)),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [...new Array(10).fill(401), ...new Array(4).fill(429)])
})

test('guesses for an address without an account are delayed in the same way', async () => {
  const person = await TestPerson.signedIn(api, 'real@example.net')
  await stopClock(database)
  const [known, unknown] = [stranger(person.email, '203.0.113.1'), stranger('unreal@example.net', '203.0.113.2')]
  const seen = async ({ email, address }: TestPerson): Promise<unknown[]> => {
    const answers: unknown[] = []
    for (let i = 0; i < 13; i++) {
      const { status, body, headers } = await stranger(email, address).signIn(`wrong guess ${i}`)
      answers.push({ status, body, wait: headers['retry-after'] })
    }
    return answers
  }
  assert.deepEqual(await seen(known), await seen(unknown))
})

test('a request without an address or a password, or with an invalid one, does not count as a guess', async () => {
  const person = await TestPerson.signedIn(api, 'shapeless@example.net')
  const guesser = stranger(person.email, '203.0.113.3')
  for (const body of [
    { email: person.email },
    { email: person.email, password: 7 },
    { email: person.email, password: null },
    { email: person.email, password: 'x'.repeat(129) },
    { email: person.email, password: ['x'] },
    { email: 'nobody', password: 'x' },
    { password: 'x' },
  ])
    assert.equal((await guesser.auth('POST', '/sign-in/email', body)).status, 400, JSON.stringify(body).slice(0, 60))
  assert.equal(await failures('sign-in', await idOf(person), '203.0.113.3'), 0)
})

test('guesses from many networks delay everyone a little, and a known device not at all', async () => {
  const person = await TestPerson.signedIn(api, 'distributed@example.net')
  const id = await idOf(person)
  await stopClock(database)
  for (const [before, wait] of [
    [150, 0],
    [199, 1],
    [450, 2],
    [1_399, 60],
    [100_000, 60],
  ] as const) {
    await failed('sign-in', id, '', before)
    assert.equal((await stranger(person.email, `198.51.100.${before % 250}`).signIn('a wrong guess')).status, 401)
    const elsewhere = await stranger(person.email, '192.0.2.99').signIn('a wrong guess')
    if (wait === 0) assert.equal(elsewhere.status, 401)
    else assert.equal(waitOf(elsewhere), wait)
    assert.equal((await person.signInAgain()).status, 200)
    if (wait > 0)
      assert.equal((await failures('sign-in', id, '')) > before, true, 'the device’s sign-in forgives nobody')
  }
})

test('a network that guesses at many accounts is delayed for all of them', async () => {
  const [person, other] = [
    await TestPerson.signedIn(api, 'one-of-a-list@example.net'),
    await TestPerson.signedIn(api, 'two-of-a-list@example.net'),
  ]
  await stopClock(database)
  for (const [address, neighbour] of [
    ['203.0.113.10', '203.0.113.10'],
    ['2001:db8:5:1::1', '2001:db8:5:9::1'],
  ] as const) {
    await failed('sign-in', '', siteOf(address), 99)
    assert.equal((await stranger('nobody-knows@example.net', address).signIn('a wrong guess')).status, 401)
    assert.equal(waitOf(await stranger(person.email, neighbour).signIn()), 1)
    other.address = neighbour
    assert.equal((await other.signInAgain()).status, 200, 'a known device does not wait')
  }
})

test('a successful sign-in does not count against its network; one that still lacks its code does', async () => {
  const person = await TestPerson.secured(api, 'office@example.net')
  const site = '203.0.113.20'
  await failed('sign-in', '', site, 50)
  const someone = stranger(person.email, site)
  assert.equal((await someone.signIn()).body.twoFactorRedirect, true)
  assert.equal(await failures('sign-in', '', site), 51)
  assert.equal((await giveBackupCode(someone, person.backupCodes[0] ?? '')).status, 200)
  assert.equal(await failures('sign-in', '', site), 50)
  const plain = await TestPerson.signedIn(api, 'plain-office@example.net')
  assert.equal((await stranger(plain.email, site).signIn()).status, 200)
  assert.equal(await failures('sign-in', '', site), 50)
  assert.equal((await stranger(plain.email, site).signIn('mistyped once')).status, 401)
  assert.equal(await failures('sign-in', '', site), 51)
})

test('failure counts halve in a day', async () => {
  const person = await TestPerson.signedIn(api, 'forgiven@example.net')
  await stopClock(database)
  await failed('sign-in', await idOf(person), '203.0.113.66', 16)
  // Also creates the partitions of that day.
  await moveClock(database, '24 hours')
  await stopClock(database, '24 hours')
  assert.equal((await stranger(person.email).signIn('a wrong guess')).status, 401)
  assert.equal((await stranger(person.email).signIn('a wrong guess')).status, 401, 'nine and ten of sixteen')
  assert.equal(waitOf(await stranger(person.email).signIn()), 1)
})

test('a password reset ends every delay, even in the attacker’s network', async () => {
  const person = await TestPerson.secured(api, 'resetting@example.net')
  const id = await idOf(person)
  const address = '2001:db8:7:1::1'
  await stopClock(database)
  await failed('sign-in', id, networkOf(address), 500)
  await failed('sign-in', id, '', 2_000)
  await failed('sign-in', '', siteOf(address), 520)
  await failed('code', id, networkOf(address), 30)
  await failed('code', id, '', 30)
  await failed('code', '', siteOf(address), 120)
  const attacker = stranger(person.email, address)
  assert.equal((await attacker.signIn('a wrong guess')).status, 401)
  assert.ok(waitOf(await stranger(person.email, address).signIn()) >= 900)

  await person.auth('POST', '/request-password-reset', { email: person.email })
  const token = new URL(api.mails.at(-1)?.url ?? '').pathname.split('/').at(-1)
  assert.ok(waitOf(await stranger(person.email, address).signIn()) >= 900, 'to ask for it is not enough')
  person.password = 'chosen after the attack'
  assert.equal((await person.auth('POST', '/reset-password', { token, newPassword: person.password })).status, 200)
  const owner = stranger(person.email, address)
  owner.totpSecret = person.totpSecret
  assert.equal((await owner.signIn(person.password)).body.twoFactorRedirect, true)
  assert.equal((await giveCode(owner, owner.code())).status, 200)
  assert.deepEqual(
    [
      await failures('sign-in', id, ''),
      await failures('sign-in', '', siteOf(address)),
      await failures('code', '', siteOf(address)),
    ],
    [0, 20, 90],
  )
})

test('access to the mailbox gives no more code guesses: the account’s count survives a reset', async () => {
  const person = await TestPerson.secured(api, 'mailbox-thief@example.net')
  const id = await idOf(person)
  await stopClock(database)
  await failed('code', id, '', 45)
  await person.auth('POST', '/request-password-reset', { email: person.email })
  const token = new URL(api.mails.at(-1)?.url ?? '').pathname.split('/').at(-1)
  const thief = stranger(person.email)
  thief.password = 'chosen by the thief'
  assert.equal((await thief.auth('POST', '/reset-password', { token, newPassword: thief.password })).status, 200)
  await thief.signIn()
  assert.equal((await giveCode(thief, '000000')).status, 401)
  assert.equal(waitOf(await giveCode(thief, '000001')), 3_600)
})

/** Text that cannot be a code of an authenticator or a backup code. */
const malformed = [
  '12345',
  '1234567',
  'abcdef',
  '12 34',
  '１２３４５６',
  '123456x',
  '-12345',
  '1e5',
  'aaaaa-aaaa',
  'aaaaa_aaaaa',
  'äaaaa-aaaaa',
  "' or 1=1 --",
]

test('refuses a malformed code without counting it, wherever a code is required', async () => {
  const person = await TestPerson.secured(api, 'malformed@example.net')
  const id = await idOf(person)
  const attacker = stranger(person.email)
  await attacker.signIn()
  for (const code of [...malformed, '', ' ', 'x'.repeat(90)]) {
    for (const give of [giveCode, giveBackupCode]) {
      const answer = await give(attacker, code)
      assert.deepEqual([answer.status, answer.body.code], [400, 'validation_failed'], code)
    }
    const inAForm = await person.call('POST', '/account/email', {
      body: { email: 'elsewhere@example.org', password: person.password, code },
    })
    const blank = code.trim() === ''
    assert.equal(inAForm.body.error.code, blank ? 'code_required' : 'validation_failed', code)
    if (!blank) assert.equal(inAForm.body.error.details[0].path, '/code')
  }
  // Each kind of code, where the other kind is expected.
  assert.equal((await giveCode(attacker, 'aaaaa-aaaaa')).status, 400)
  assert.equal((await giveBackupCode(attacker, '123456')).status, 400)
  for (const kind of ['code', 'backup-code'] as const)
    for (const source of ['', '203.0.113.66', '127.0.0.1']) assert.equal(await failures(kind, id, source), 0)
  assert.equal((await giveCode(attacker, person.code())).status, 200)
})

test('five wrong codes per network are free; an attacker with the password cannot block backup codes or known devices', async () => {
  const person = await TestPerson.secured(api, 'codes@example.net')
  const id = await idOf(person)
  await stopClock(database)
  const attacker = stranger(person.email)
  await attacker.signIn()
  for (let i = 0; i < 5; i++) assert.equal((await giveCode(attacker, '000000')).status, 401)
  for (let i = 0; i < 3; i++) assert.equal(waitOf(await giveCode(attacker, person.code())), 1)
  const elsewhere = stranger(person.email, '192.0.2.50')
  await elsewhere.signIn()
  assert.equal((await giveCode(elsewhere, '000000')).status, 401, 'another network does not wait yet')

  await failed('code', id, '', 60)
  const another = stranger(person.email, '192.0.2.51')
  await another.signIn()
  assert.equal((await giveCode(another, '000000')).status, 401)
  for (const address of ['192.0.2.52', '2001:db8:8::1', '198.51.100.7']) {
    const guesser = stranger(person.email, address)
    await guesser.signIn()
    assert.equal(
      waitOf(await giveCode(guesser, person.code())),
      3_600,
      'codes of an account are bounded, from however many networks',
    )
  }
  const owner = stranger(person.email, '192.0.2.60')
  await owner.signIn()
  assert.equal((await giveBackupCode(owner, person.backupCodes[0] ?? '')).status, 200)
  assert.equal((await person.signInAgain()).body.twoFactorRedirect, true)
  assert.equal((await giveCode(person, person.code(1))).status, 200, 'the known device')
})

test('a code given without the password does not count against the account', async () => {
  const person = await TestPerson.secured(api, 'needs-password@example.net')
  const id = await idOf(person)
  const passer = stranger(person.email)
  for (const code of ['000000', person.code(), 'aaaaa-aaaaa'])
    for (const give of [giveCode, giveBackupCode]) assert.equal((await give(passer, code)).status, 401)
  for (const kind of ['code', 'backup-code'] as const) assert.equal(await failures(kind, id, '203.0.113.66'), 0)
})

test('a session gives no extra password guesses, wherever the password is required', async () => {
  const person = await TestPerson.signedIn(api, 'session-guesses@example.net')
  for (const name of person.cookies.keys()) if (name.endsWith('.device')) person.cookies.delete(name)
  await stopClock(database)
  const guess = (i: number, password: string): Promise<TestAnswer> => {
    const wish = { password, currentPassword: password, newPassword: 'a quite different phrase' }
    if (i % 3 === 2) return person.call('POST', '/account/email', { body: { email: 'x@example.org', password } })
    return person.auth('POST', i % 3 === 0 ? '/two-factor/enable' : '/change-password', wish)
  }
  for (let i = 0; i < 9; i++) assert.ok([400, 403].includes((await guess(i, `guess ${i} of many`)).status))
  assert.equal((await guess(0, person.password)).status, 200)
  for (let i = 0; i < 10; i++) assert.ok([400, 403].includes((await guess(i, `guess ${i} of many`)).status), 'forgiven')
  for (const i of [0, 1, 2]) assert.equal(waitOf(await guess(i, person.password)), 1)
  assert.equal((await stranger(person.email).signIn()).status, 200, 'a sign-in has counts of its own')
})
