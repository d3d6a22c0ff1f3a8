import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eraseHeldAccounts } from '#modules/erasure/erase-accounts.ts'
import { actorNamed } from '#platform/caller.ts'
import { sql } from '#platform/postgres/index.ts'
import { moveClock } from '#testing/move-clock.ts'
import { startTestApi } from '#testing/test-api.ts'
import { TestPerson } from '#testing/test-person.ts'
import { restoreAccount } from './delete-account.ts'

const api = await startTestApi()
const { database } = api
const operator = actorNamed('operator', 'support')

async function somebody(email: string): Promise<{ person: TestPerson; id: string; key: string; zone: string }> {
  const person = await TestPerson.secured(api, email)
  const id: string = (await person.call('GET', '/account')).body.id
  const zone = await api.zone(id, `${email.split('@')[0]}.example.com`)
  return { person, id, zone: zone.name, key: await api.key(id) }
}

async function stateOf(zone: string): Promise<string | undefined> {
  const { rows } = await sql<{ state: string }>`select state from zones where name = ${zone}`.execute(database.db)
  return rows[0]?.state
}

test('deletion requires the password and a code; sessions and keys stop working immediately, zones do not', async () => {
  const { person, key, zone } = await somebody('leaver@example.net')
  const { password } = person
  const remove = (body: object) => person.call('DELETE', '/account', { body })
  assert.equal((await remove({ password: 'not it', code: person.backupCodes[0] })).body.error.code, 'forbidden')
  assert.equal((await remove({ password })).body.error.code, 'code_required')
  assert.equal((await remove({ password, code: '000000' })).body.error.code, 'code_wrong')
  assert.equal((await api.call('GET', '/zones', { key })).status, 200, 'nothing has happened yet')
  assert.equal((await remove({ password, code: person.backupCodes[0] })).status, 204)
  assert.equal((await api.call('GET', '/zones', { key })).status, 401)
  assert.equal((await person.call('GET', '/account')).status, 401)
  assert.equal((await person.signIn()).status, 401)
  assert.equal(await stateOf(zone), 'live')
  assert.equal(api.mails.at(-1)?.kind, 'deletionStarted')
})

test('deletion ends a sign-in that waits for its code; a session created too late does not work', async () => {
  const { person, id } = await somebody('halfway@example.net')
  const elsewhere = new TestPerson(api, person.email)
  elsewhere.totpSecret = person.totpSecret
  assert.equal((await elsewhere.signIn()).body.twoFactorRedirect, true)
  const late = new TestPerson(api, person.email)
  for (const [name, value] of person.cookies) late.cookies.set(name, value)
  await sql`create table late_session as select * from account_sessions where account_id = ${id}`.execute(database.db)
  const wish = { password: person.password, code: person.backupCodes[0] }
  assert.equal((await person.call('DELETE', '/account', { body: wish })).status, 204)

  assert.equal((await elsewhere.auth('POST', '/two-factor/verify-totp', { code: elsewhere.code() })).status, 401)
  assert.equal((await elsewhere.call('GET', '/zones')).status, 401)
  await sql`insert into account_sessions select * from late_session`.execute(database.db)
  assert.equal((await late.call('GET', '/zones')).status, 401)
})

test('zones are deleted after seven days; until then support can restore the account, but not its keys', async () => {
  const { person, id, key, zone } = await somebody('hesitant@example.net')
  const remove = (code: string | undefined) =>
    person.call('DELETE', '/account', { body: { password: person.password, code } })
  assert.equal((await remove(person.backupCodes[0])).status, 204)
  await moveClock(database, '6 days 23 hours')
  await eraseHeldAccounts(database, api.verification.delegate)
  assert.equal(await stateOf(zone), 'live')
  assert.equal(await database.transact((tx) => restoreAccount(tx, operator, person.email)), id)
  await moveClock(database, '8 days')
  await eraseHeldAccounts(database, api.verification.delegate)
  assert.equal(await stateOf(zone), 'live')
  assert.equal((await api.call('GET', '/zones', { key })).status, 401)
  await moveClock(database, '0 seconds')

  await person.signIn()
  assert.equal(
    (await person.auth('POST', '/two-factor/verify-backup-code', { code: person.backupCodes[1] })).status,
    200,
  )
  assert.equal((await remove(person.backupCodes[2])).status, 204)
  await moveClock(database, '7 days 1 hour')
  assert.ok((await eraseHeldAccounts(database, api.verification.delegate)) >= 1)
  assert.equal(await stateOf(zone), 'deleted')
  await assert.rejects(
    database.transact((tx) => restoreAccount(tx, operator, person.email)),
    { code: 'not_found' },
  )
  await moveClock(database, '0 seconds')
})

test('a deleted account’s key is refused as revoked, with the time, even after a restore or an erasure', async () => {
  const { person, id, key } = await somebody('revoked@example.net')
  const earlier = await api.key(id, { name: 'revoked before' })
  await sql`update api_keys set revoked_at = '2026-01-02T03:04:05.678Z' where name = 'revoked before'`.execute(
    database.db,
  )
  const expired = await api.key(id, { name: 'expired before', expiresIn: '30d' })
  await sql`update api_keys set expires_at = '2026-02-03T04:05:06.789Z' where name = 'expired before'`.execute(
    database.db,
  )
  const late = await api.key(id, { name: 'missed by the deletion' })
  const refusalOf = async (secret: string, path = '/zones') => {
    const { status, body } = await api.call('GET', path, { key: secret })
    return `${status} ${body.error.code}: ${body.error.message}`
  }
  await person.call('DELETE', '/account', { body: { password: person.password, code: person.backupCodes[0] } })
  // As if it had been created during the deletion.
  await sql`update api_keys set revoked_at = null where name = 'missed by the deletion'`.execute(database.db)
  // A separate statement revokes keys, so the time may be a millisecond earlier or later.
  const { rows } = await sql<{ at: Date }>`
    update accounts set deleted_at = k.revoked_at from api_keys k
    where accounts.id = ${id} and k.account_id = ${id} and k.name = 'expired before' returning deleted_at as at`.execute(
    database.db,
  )
  await sql`update api_keys set revoked_at = ${rows[0]?.at} where account_id = ${id} and revoked_at > '2026-02-01'`.execute(
    database.db,
  )
  const told = (at: string) => `401 invalid_key: The API key was revoked at ${at}.`
  const atDeletion = told(rows[0]?.at.toISOString() ?? '')
  for (const secret of [key, expired, late]) {
    assert.equal(await refusalOf(secret), atDeletion)
    for (const path of ['/api-keys/current', '/zones/revoked.example.com/rrsets/www/A', '/webhooks'])
      assert.equal(await refusalOf(secret, path), atDeletion, path)
  }
  // Concurrent lookups use a different statement than a single one.
  const together = await Promise.all([key, late, earlier].map((secret) => refusalOf(secret)))
  assert.deepEqual(together, [atDeletion, atDeletion, told('2026-01-02T03:04:05.678Z')])

  await database.transact((tx) => restoreAccount(tx, operator, person.email))
  assert.equal(await refusalOf(key), atDeletion)
  await sql`update accounts set deleted_at = ${rows[0]?.at} where id = ${id}`.execute(database.db)
  await moveClock(database, '7 days 1 hour')
  await eraseHeldAccounts(database, api.verification.delegate)
  assert.equal(await refusalOf(key), atDeletion)
  assert.equal(await refusalOf(earlier), told('2026-01-02T03:04:05.678Z'))
  await moveClock(database, '0 seconds')
})

test('the address is available for a new account immediately, and then the old account cannot be restored', async () => {
  const { person } = await somebody('again@example.net')
  await person.call('DELETE', '/account', { body: { password: person.password, code: person.backupCodes[0] } })
  const anew = await TestPerson.signedIn(api, 'again@example.net')
  assert.equal((await anew.call('GET', '/account')).status, 200)
  assert.deepEqual((await anew.call('GET', '/zones')).body.data, [])
  await assert.rejects(
    database.transact((tx) => restoreAccount(tx, operator, 'again@example.net')),
    { code: 'conflict' },
  )
})
