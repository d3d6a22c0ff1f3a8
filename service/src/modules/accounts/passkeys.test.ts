import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/postgres/index.ts'
import { queuedMails } from '#testing/queued-mails.ts'
import { startTestApi, type TestAnswer } from '#testing/test-api.ts'
import { TestPasskey } from '#testing/test-passkey.ts'
import { TestPerson } from '#testing/test-person.ts'

const api = await startTestApi()
const { database } = api
const path = '/account/passkeys'

const challenge = async (person: TestPerson): Promise<string> =>
  (await person.auth('POST', '/passkey/challenge', {})).body.challenge
const isSignedIn = async (person: TestPerson): Promise<boolean> => (await person.call('GET', '/account')).status === 200
const begin = (person: TestPerson, proof: object = {}): Promise<TestAnswer> =>
  person.call('POST', `${path}/options`, { body: { password: person.password, ...proof } })
const codeOf = ({ status, body }: TestAnswer): unknown => [status, body.code ?? body.error?.code]
const kindsFor = async (email: string): Promise<string[]> => (await queuedMails(api, email)).map(({ kind }) => kind)

async function signIn(person: TestPerson, passkey: TestPasskey, flaws: object = {}): Promise<TestAnswer> {
  person.cookies.clear()
  return person.auth('POST', '/sign-in/passkey', passkey.assertion(await challenge(person), flaws))
}

test('a passkey is added with the password and a code, signs in alone, is renamed and removed; the owner is notified', async () => {
  const person = await TestPerson.secured(api, 'passkeys@example.net')
  assert.deepEqual(codeOf(await begin(person, { password: 'not it' })), [403, 'forbidden'])
  assert.deepEqual(codeOf(await begin(person)), [403, 'code_required'])
  const passkey = await TestPasskey.added(person)
  const [listed] = (await person.call('GET', path)).body.data
  assert.deepEqual([listed.name, listed.last_used_at, listed.synced], ['Test authenticator', null, false])

  assert.deepEqual(codeOf(await signIn(person, passkey)), [200, undefined])
  assert.equal(await isSignedIn(person), true, 'no code was asked for')
  const [used] = (await person.call('GET', path)).body.data
  assert.ok(Date.parse(used.last_used_at) > 0)
  const key = { name: 'k', zones: 'all', permissions: ['records:read'], expires_in: '30d' }
  assert.equal((await person.call('POST', '/api-keys', { body: key })).body.error.code, 'code_required')

  const renamed = await person.call('PATCH', `${path}/${used.id}`, { body: { name: 'Work laptop' } })
  assert.equal(renamed.body.name, 'Work laptop')
  const remove = (proof: object) =>
    person.call('DELETE', `${path}/${used.id}`, { body: { password: person.password, ...proof } })
  assert.deepEqual(codeOf(await remove({})), [403, 'code_required'])
  const stranger = await TestPerson.signedIn(api, 'stranger@example.net')
  const theirs = { body: { password: stranger.password } }
  assert.deepEqual(codeOf(await stranger.call('DELETE', `${path}/${used.id}`, theirs)), [404, 'not_found'])
  assert.equal((await remove({ code: person.backupCodes.pop() })).status, 204)
  const late = await signIn(person, passkey)
  assert.equal(late.status, 400)
  assert.match(late.body.message, /No account has this passkey\. .*Sign in with your password/)
  assert.equal((await person.signIn()).body.twoFactorRedirect, true, 'the other way still works')
  assert.deepEqual(
    (await kindsFor(person.email)).filter((kind) => kind === 'passkey_changed'),
    ['passkey_changed', 'passkey_changed'],
  )
  const { rows } = await sql<{ action: string }>`
    select action from audit_log where action like 'passkey%' order by id`.execute(database.db)
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['passkey.added', 'passkey.renamed', 'passkey.removed'],
  )
})

test('an answer for another site, page or purpose, without a verified person, or used before, signs no one in', async () => {
  const person = await TestPerson.signedIn(api, 'careful@example.net')
  const passkey = await TestPasskey.added(person)
  const options = (await begin(person)).body
  for (const [flaw, why] of [
    [{ origin: 'https://evil.example' }, /another site/],
    [{ crossOrigin: true }, /another site/],
    [{ rpId: 'evil.example' }, /another site/],
    [{ type: 'webauthn.create' }, /something else/],
    [{ flags: 0x01 }, /did not verify the person/],
    [{ flags: 0x04 }, /did not verify the person/],
    [{ challenge: 'made-up' }, /expired or is not ours/],
    [{ challenge: options.challenge }, /expired or is not ours/],
  ] as const) {
    const refused = await signIn(person, passkey, flaw)
    assert.equal(refused.status, 400, JSON.stringify(flaw))
    assert.match(refused.body.message, why)
    assert.equal(await isSignedIn(person), false)
  }
  const answer = passkey.assertion(await challenge(person))
  const forged = { ...answer, signature: new TestPasskey().assertion('x').signature }
  assert.match((await person.auth('POST', '/sign-in/passkey', forged)).body.message, /signature is wrong/)
  const both = await Promise.all([1, 2].map(() => person.auth('POST', '/sign-in/passkey', answer)))
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 400], 'one of two at once')
  assert.match((await person.auth('POST', '/sign-in/passkey', answer)).body.message, /already used/)
})

test('a counter that does not grow indicates a copied passkey, which is refused', async () => {
  const person = await TestPerson.signedIn(api, 'copied@example.net')
  const passkey = await TestPasskey.added(person)
  passkey.counter = 5
  assert.equal((await signIn(person, passkey)).status, 200)
  for (const counter of [5, 4, 0])
    assert.match((await signIn(person, passkey, { counter })).body.message, /another device has a copy/)
  assert.equal((await signIn(person, passkey, { counter: 6 })).status, 200)
})

test('passkey options work once, and only for the session that requested them', async () => {
  const person = await TestPerson.signedIn(api, 'options@example.net')
  const stranger = await TestPerson.signedIn(api, 'other@example.net')
  const elsewhere = new TestPerson(api, person.email)
  await elsewhere.signIn()
  const { challenge: given } = (await begin(person)).body
  const passkey = new TestPasskey()
  const body = passkey.registration(given)
  for (const one of [stranger, elsewhere])
    assert.deepEqual(codeOf(await one.call('POST', path, { body })), [422, 'validation_failed'])
  const unverified = passkey.registration(given, { flags: 0x41 })
  assert.match((await person.call('POST', path, { body: unverified })).body.error.message, /did not verify/)
  assert.equal((await person.call('POST', path, { body })).status, 201)
  assert.match((await person.call('POST', path, { body })).body.error.message, /already used/)
  const again = passkey.registration((await begin(stranger)).body.challenge)
  assert.deepEqual(codeOf(await stranger.call('POST', path, { body: again })), [409, 'conflict'])
  assert.deepEqual((await stranger.call('GET', path)).body.data, [])
  const forSignIn = new TestPasskey().registration(await challenge(person))
  assert.deepEqual(codeOf(await person.call('POST', path, { body: forSignIn })), [422, 'validation_failed'])
  for (const junk of [
    { ...body, authenticator_data: 'AAAA' },
    { ...body, client_data: 'AAAA' },
    { ...body, id: 'AA' },
  ])
    assert.deepEqual(codeOf(await person.call('POST', path, { body: junk })), [422, 'validation_failed'])
})

test('a deleted account’s passkey signs no one in, and the last way to sign in cannot be removed', async () => {
  const person = await TestPerson.signedIn(api, 'leaving@example.net')
  const passkey = await TestPasskey.added(person)
  const [{ id }] = (await person.call('GET', path)).body.data
  const { rows } = await sql<{ password: string }>`
    delete from account_credentials where user_id = (select id from accounts where email = ${person.email}) returning password`.execute(
    database.db,
  )
  assert.equal(rows.length, 1)
  const { removePasskey } = await import('./passkeys.ts')
  const accountId: string = (await person.call('GET', '/account')).body.id
  const actor = { kind: 'system', name: 'test', id: null, source: 'system', requestId: null, address: null } as const
  const mail = { secrets: api.parts.secrets, site: 'http://dashboard.test' }
  await assert.rejects(
    database.transact((tx) => removePasskey(tx, { actor, accountId }, id, mail)),
    /only way to sign in/,
  )
  assert.equal((await signIn(person, passkey)).status, 200)
  await sql`update accounts set deleted_at = app_now(), deleted_email = email, email = 'deleted:' || id
    where id = ${accountId}`.execute(database.db)
  assert.match((await signIn(person, passkey)).body.message, /No account has this passkey/)
})
