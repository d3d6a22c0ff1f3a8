import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/postgres/index.ts'
import { moveClock, stopClock } from '#testing/move-clock.ts'
import { startTestApi, type TestAnswer } from '#testing/test-api.ts'
import { TestPerson } from '#testing/test-person.ts'

const api = await startTestApi()
const { database } = api

/** The token in the last link that was mailed to an address. */
function tokenFor(email: string): string {
  const mail = api.mails.findLast(({ kind, to }) => kind === 'confirmNewAddress' && to === email)
  return new URL(mail?.url ?? '').searchParams.get('token') ?? ''
}

function ask(person: TestPerson, email: string, proof: object = {}): Promise<TestAnswer> {
  return person.call('POST', '/account/email', { body: { email, password: person.password, ...proof } })
}

function confirm(person: TestPerson, email: string): Promise<TestAnswer> {
  return person.call('POST', '/account/email/confirm', { body: { token: tokenFor(email) } })
}

async function emailOf(person: TestPerson): Promise<string> {
  return (await person.call('GET', '/account')).body.email
}

test('confirming the link changes the address, ends other sessions and notifies the previous address', async () => {
  const person = await TestPerson.secured(api, 'old@example.net')
  const phone = new TestPerson(api, person.email)
  await phone.signIn()
  await phone.auth('POST', '/two-factor/verify-backup-code', { code: person.backupCodes[0] })
  assert.equal((await ask(person, 'new@example.net', { password: 'not it' })).body.error.code, 'forbidden')
  assert.equal((await ask(person, 'new@example.net')).body.error.code, 'code_required')
  assert.equal((await ask(person, 'new@example.net', { code: '000000' })).body.error.code, 'code_wrong')
  assert.equal((await ask(person, 'New@Example.net', { code: person.backupCodes[1] })).status, 204)
  assert.equal(await emailOf(person), 'old@example.net', 'not before the link was followed')

  const confirmed = await confirm(person, 'new@example.net')
  assert.equal(confirmed.status, 200)
  assert.equal(confirmed.body.email, 'new@example.net')
  assert.equal(await emailOf(person), 'new@example.net')
  assert.equal((await phone.call('GET', '/account')).status, 401)
  assert.equal((await person.signIn()).status, 401, 'the former address signs in no more')
  assert.equal((await new TestPerson(api, 'new@example.net').signIn()).status, 200)
  const { rows } = await sql<{ to_address: string }>`
    select to_address from mails where kind = 'email_changed'`.execute(database.db)
  assert.deepEqual(rows, [{ to_address: 'old@example.net' }])
})

test('opening a link twice is harmless; a link requested before the last change no longer works', async () => {
  const person = await TestPerson.signedIn(api, 'one@example.net')
  await ask(person, 'two@example.net')
  await ask(person, 'three@example.net')
  assert.equal((await confirm(person, 'two@example.net')).status, 200)
  assert.equal((await confirm(person, 'two@example.net')).status, 200)
  assert.equal((await confirm(person, 'three@example.net')).body.error.code, 'conflict')
  assert.equal(await emailOf(person), 'two@example.net')
})

test('no other reader of the email can use its link', async () => {
  const person = await TestPerson.signedIn(api, 'typo@example.net')
  const stranger = await TestPerson.signedIn(api, 'stranger@example.net')
  await ask(person, 'strange@example.net')
  assert.equal((await confirm(stranger, 'strange@example.net')).body.error.code, 'conflict')
  assert.equal((await confirm(new TestPerson(api, 'nobody@example.net'), 'strange@example.net')).status, 401)
  assert.equal(await emailOf(stranger), 'stranger@example.net')
})

test('a taken address is notified only by email; an address taken before confirmation stays with its account', async () => {
  const person = await TestPerson.signedIn(api, 'wishes@example.net')
  await TestPerson.signedIn(api, 'taken@example.net')
  assert.equal((await ask(person, 'taken@example.net')).status, 204)
  assert.equal(api.mails.at(-1)?.kind, 'alreadyRegistered')
  assert.equal((await ask(person, 'soon@example.net')).status, 204)
  await TestPerson.signedIn(api, 'soon@example.net')
  assert.equal((await confirm(person, 'soon@example.net')).body.error.code, 'conflict')
  assert.equal(await emailOf(person), 'wishes@example.net')
})

test('only one of two accounts that confirm the same address at once gets it', async () => {
  const people = [
    await TestPerson.signedIn(api, 'left@example.net'),
    await TestPerson.signedIn(api, 'right@example.net'),
  ]
  const tokens: string[] = []
  for (const person of people) {
    assert.equal((await ask(person, 'both@example.net')).status, 204)
    tokens.push(tokenFor('both@example.net'))
  }
  const answers = await Promise.all(
    people.map((person, i) => person.call('POST', '/account/email/confirm', { body: { token: tokens[i] } })),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
})

test('an account can send only 10 confirmation emails an hour to new addresses', async () => {
  const person = await TestPerson.signedIn(api, 'talkative@example.net')
  for (let i = 0; i < 10; i++) assert.equal((await ask(person, `stranger${i}@example.net`)).status, 204)
  assert.equal((await ask(person, 'one-more@example.net')).body.error.code, 'rate_limited')
  assert.ok(!api.mails.some(({ to }) => to === 'one-more@example.net'))
})

test('changing the address invalidates a password reset link sent to the previous address', async () => {
  const person = await TestPerson.signedIn(api, 'former@example.net')
  await ask(person, 'latter@example.net')
  await person.auth('POST', '/request-password-reset', { email: person.email, redirectTo: '/app/reset-password' })
  const { url } = api.mails.findLast(({ kind }) => kind === 'resetPassword') ?? {}
  assert.equal((await confirm(person, 'latter@example.net')).status, 200)
  const token = new URL(url ?? '').pathname.split('/').at(-1)
  const reset = await person.auth('POST', '/reset-password', { token, newPassword: 'taken over by mail' })
  assert.equal(reset.status, 400)
})

test('a link expires after a day', async () => {
  const person = await TestPerson.signedIn(api, 'slow@example.net')
  await ask(person, 'slower@example.net')
  await moveClock(database, '24 hours 1 minute')
  assert.equal((await confirm(person, 'slower@example.net')).body.error.code, 'conflict')
  await moveClock(database, '0 seconds')
})

test('wrong passwords of a signed-in person delay that browser; guesses by others at the sign-in do not', async () => {
  const person = await TestPerson.signedIn(api, 'besieged@example.net')
  const stranger = new TestPerson(api, person.email)
  for (let i = 0; i < 11; i++) await stranger.signIn('a guess of mine')
  const change = { currentPassword: person.password, newPassword: 'a better phrase than that' }
  assert.equal((await person.auth('POST', '/change-password', change)).status, 200)
  person.password = 'never this one'
  await stopClock(database)
  for (let i = 0; i < 10; i++) assert.equal((await ask(person, 'elsewhere@example.net')).body.error.code, 'forbidden')
  const late = await ask(person, 'elsewhere@example.net')
  assert.deepEqual([late.body.error.code, late.headers['retry-after']], ['rate_limited', '1'])
  await moveClock(database, '0 seconds')
})
