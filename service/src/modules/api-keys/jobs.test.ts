import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { sql } from '#platform/postgres/index.ts'
import { SecretBox } from '#platform/secrets.ts'
import { moveClock } from '#testing/move-clock.ts'
import { runJob } from '#testing/run-job.ts'
import { startTestApi } from '#testing/test-api.ts'
import { forgetMails } from '../mail/store.ts'
import { keyJobs } from './jobs.ts'
import { keysExpiringWithin } from './store.ts'

const api = await startTestApi()
const { database } = api
const jobs = keyJobs({ secrets: new SecretBox(randomBytes(32)), site: 'https://zonewright.test' })
const account = await api.account('owner@example.net')

/** The kind and address of each email that the job sends this long from now. */
async function told(ahead: string): Promise<string[]> {
  const { rows: before } = await sql<{ id: string }>`select id from mails`.execute(database.db)
  await moveClock(database, ahead)
  await runJob(jobs, 'tell-of-keys', database)
  const { rows } = await sql<{
    id: string
    told: string
  }>`select id, kind || ' ' || to_address as told from mails order by id`.execute(database.db)
  return rows.filter(({ id }) => !before.some((known) => known.id === id)).map(({ told }) => told)
}

test('the owner is notified once 14 days and once 3 days before a key expires, and about no other key', async () => {
  await api.key(account, { name: 'ending', expiresIn: '30d' })
  await api.key(account, { name: 'later', expiresIn: '1y' })
  await api.key(account, { name: 'revoked', expiresIn: '30d' })
  await sql`update api_keys set revoked_at = app_now() where name = 'revoked'`.execute(database.db)
  assert.deepEqual(await told('15 days'), [])
  assert.deepEqual(await told('16 days 1 hour'), ['key_expiring owner@example.net'])
  assert.deepEqual(await told('17 days'), [])
  assert.deepEqual(await told('27 days 1 hour'), ['key_expiring owner@example.net'])
  assert.deepEqual(await told('28 days'), [])
  assert.deepEqual(await told('31 days'), [])
})

test('after missed notices, the owner gets only the notice that is due now', async () => {
  await moveClock(database, '0 seconds')
  await api.key(account, { name: 'missed', expiresIn: '30d' })
  await sql`update api_keys set created_at = app_now(), last_used_at = app_now()`.execute(database.db)
  assert.deepEqual(await told('29 days'), ['key_expiring owner@example.net'])
  assert.deepEqual(await told('29 days 1 hour'), [])
})

test('the owner is asked about a key that was unused for 90 days, and not about one that was used', async () => {
  await moveClock(database, '0 seconds')
  await sql`update api_keys set revoked_at = app_now() where revoked_at is null`.execute(database.db)
  await api.key(account, { name: 'idle' })
  await api.key(account, { name: 'busy' })
  await moveClock(database, '60 days')
  await sql`update api_keys set last_used_at = app_now() where name = 'busy'`.execute(database.db)
  assert.deepEqual(await told('89 days'), [])
  assert.deepEqual(await told('90 days 1 hour'), ['key_unused owner@example.net'])
  assert.deepEqual(await told('91 days'), [])
  await forgetMails(database.db, 0)
  assert.deepEqual(await told('125 days'), [], 'nor when the mail about it is forgotten')
  await sql`update api_keys set last_used_at = app_now() where name in ('idle', 'busy')`.execute(database.db)
  assert.deepEqual(await told('214 days'), [])
  assert.deepEqual(
    await told('215 days 1 hour'),
    Array(2).fill('key_unused owner@example.net'),
    'anew when it was used since',
  )
})

test('sends no notice about a key that expired before the job ran, or about keys of a deleted account', async () => {
  await moveClock(database, '0 seconds')
  await sql`update api_keys set revoked_at = app_now() where revoked_at is null`.execute(database.db)
  await api.key(account, { name: 'over', expiresIn: '30d' })
  assert.deepEqual(await told('31 days'), [])
  await moveClock(database, '0 seconds')
  const leaving = await api.account('leaving@example.net')
  await api.key(leaving, { name: 'left', expiresIn: '30d' })
  await api.key(leaving, { name: 'left, too' })
  await sql`update accounts set deleted_at = app_now() where id = ${leaving}`.execute(database.db)
  assert.deepEqual(await told('29 days'), ['key_expiring owner@example.net'], 'the other one alone')
  await sql`update api_keys set revoked_at = app_now() where account_id = ${account}`.execute(database.db)
  assert.deepEqual(await told('91 days'), [])
})

test('deletes the window of a key that made no request for a day; its next request is counted again', async () => {
  await moveClock(database, '0 seconds')
  const [idle, busy] = [await api.key(account), await api.key(account)]
  const ask = async (key: string) => (await api.call('GET', '/api-keys/current', { key })).status
  assert.deepEqual([await ask(idle), await ask(busy)], [200, 200])
  await moveClock(database, '23 hours')
  assert.equal(await ask(busy), 200)
  await moveClock(database, '25 hours')
  await sql`
    insert into api_key_windows select 'gone' || n, array[1], 1 from generate_series(1, 2500) n`.execute(database.db)
  await runJob(jobs, 'forget-key-windows', database)
  const windows = async () => {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from api_key_windows`.execute(database.db)
    return rows[0]?.n
  }
  assert.equal(await windows(), 1)
  assert.equal(await ask(idle), 200)
  assert.equal(await windows(), 2)
})

test('a notice names each zone whose secondaries use the key once', async () => {
  await moveClock(database, '0 seconds')
  const copying = await api.account('secondaries@example.net')
  await api.key(copying, { name: 'copying', expiresIn: '30d' })
  const { id, name } = await api.zone(copying, 'copied.example.org')
  await sql`
    insert into zone_secondaries (zone_id, address, port, key_id, position, active_until, due_at)
    select ${id}::uuid, host, 53, k.id, 0, app_now(), app_now()
    from api_keys k cross join unnest(array['8.8.4.4', '8.8.8.8']) host where k.name = 'copying'`.execute(database.db)
  await moveClock(database, '29 days')
  const found = await keysExpiringWithin(database.db, 3)
  assert.deepEqual(found.find(({ accountId }) => accountId === copying)?.key.secondaryZones, [name])
})
