import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashPassword } from 'better-auth/crypto'
import { sql } from '#platform/postgres/index.ts'
import { asAnotherProcess } from '#testing/platform/test-database.ts'
import { startTestApi, type TestAnswer } from '#testing/test-api.ts'
import { TestPerson } from '#testing/test-person.ts'
import { untilBlocked } from '#testing/until-blocked.ts'
import { guessDelays } from './guess-rules.ts'

const api = await startTestApi({ passwords: 'scrypt' })
const { db } = api.database
const elsewhere = asAnotherProcess(api.database.url)

async function resetToken(person: TestPerson): Promise<string> {
  await person.auth('POST', '/request-password-reset', { email: person.email })
  const mail = api.mails.findLast(({ kind, to }) => kind === 'resetPassword' && to === person.email)
  return new URL(mail?.url ?? '').pathname.split('/').at(-1) ?? ''
}

test('a new password ends earlier reset links and sign-ins that wait for their code', async () => {
  const person = await TestPerson.secured(api, 'two-links@example.net')
  const halfWay = new TestPerson(api, person.email)
  halfWay.totpSecret = person.totpSecret
  await halfWay.signIn()
  const [first, second] = [await resetToken(person), await resetToken(person)]
  const reset = (token: string) => person.auth('POST', '/reset-password', { newPassword: 'the next phrase', token })
  assert.equal((await reset(second)).status, 200)
  assert.equal((await reset(first)).status, 400, 'the other link')
  assert.equal((await halfWay.auth('POST', '/two-factor/verify-totp', { code: halfWay.code() })).status, 401)

  await person.signIn('the next phrase')
  await person.auth('POST', '/two-factor/verify-backup-code', { code: person.backupCodes[0] })
  const third = await resetToken(person)
  const wish = { currentPassword: 'the next phrase', newPassword: 'the phrase after', code: person.backupCodes[1] }
  assert.equal((await person.auth('POST', '/change-password', wish)).status, 200)
  assert.equal((await reset(third)).status, 400, 'a link from before the change')
})

test('a sign-in with the old password gets no session if the password changes in the meantime', async () => {
  const person = await TestPerson.signedIn(api, 'meanwhile@example.net')
  let slow: Promise<TestAnswer> | undefined
  await elsewhere.transact(async (tx) => {
    await sql`select 1 from accounts where email = ${person.email} for update`.execute(tx)
    slow = person.signIn()
    await untilBlocked(db) // its session refers to the account
    await sql`
      update account_credentials set password = password || 'changed'
      where user_id = (select id from accounts where email = ${person.email})`.execute(db)
  })
  assert.deepEqual([(await slow)?.status, (await person.call('GET', '/account')).status], [401, 401])
})

test('a right code does not count as wrong if the action that it permits is refused', async () => {
  const person = await TestPerson.secured(api, 'refused@example.net')
  const create = (code: string | undefined) =>
    person.call('POST', '/api-keys', {
      body: { name: 'ci', zones: 'all', permissions: ['records:read'], expires_in: '30d', code },
    })
  const [first, ...others] = person.backupCodes
  assert.equal((await create(first)).status, 201)
  for (let i = 0; i <= guessDelays['backup-code'].device.free; i++) assert.equal((await create(others[0])).status, 409)
  assert.equal((await create('000000')).body.error.code, 'code_wrong')
})

test('a reset hashes the new password before its transaction begins', async () => {
  const person = await TestPerson.signedIn(api, 'hashed-ahead@example.net')
  const hashMs: number[] = []
  for (let n = 0; n < 3; n++) {
    const startedMs = performance.now()
    await hashPassword('the next phrase')
    hashMs.push(performance.now() - startedMs)
  }
  await sql`create table times_in_transaction (ms float8 not null)`.execute(db)
  await sql`create function note_time() returns trigger language plpgsql as $$ begin
    insert into times_in_transaction values (extract(epoch from clock_timestamp() - transaction_timestamp()) * 1000);
    return new; end $$`.execute(db)
  await sql`create trigger note_time before update on account_credentials for each row execute function note_time()`.execute(
    db,
  )
  for (let n = 0; n < 3; n++) {
    const token = await resetToken(person)
    await sql`delete from account_tries`.execute(db)
    const { status } = await person.auth('POST', '/reset-password', { newPassword: `the phrase ${n}`, token })
    assert.equal(status, 200)
  }
  await sql`drop trigger note_time on account_credentials`.execute(db)
  const { rows } = await sql<{ ms: number }>`select ms from times_in_transaction`.execute(db)
  const [within, hashing] = [Math.min(...rows.map(({ ms }) => ms)), Math.min(...hashMs)]
  assert.equal(rows.length, 3)
  assert.equal((await person.signIn('the phrase 2')).status, 200)
  assert.ok(within < hashing / 2, `${within} ms of the transaction, ${hashing} ms of hashing`)
})
