import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { route } from '@zonewright/contract'
import { z } from 'zod'
import { moveClock } from '../../testing/move-clock.ts'
import { runJob } from '../../testing/run-job.ts'
import { startTestApi } from '../../testing/test-api.ts'
import { codeOf, faultsOf, testZones } from '../../testing/test-zones.ts'
import { sql } from '../db.ts'
import { Refusal } from '../errors.ts'
import { housekeeping } from '../housekeeping.ts'
import { SecretBox } from '../secrets.ts'
import { idempotentRequest } from './idempotency.ts'
import { mount } from './mount.ts'

const api = await startTestApi()
const { database, server } = api
const { account, key, freshZone } = await testZones(api)

/** What the planted route does when it asks "the network". */
let outside = async (): Promise<string> => 'done'
const planted = {
  id: 'askOutside',
  method: 'POST',
  path: '/ask-outside',
  who: 'any-key',
  tag: 'Account',
  summary: '',
} as const
mount(
  server,
  route({ ...planted, answers: { 200: z.object({ said: z.string() }) }, errors: ['conflict'] }),
  ({ once }) => once(async () => ({ status: 200, body: { said: await outside() } })),
)
const askOutside = (once: string) => api.call('POST', '/ask-outside', { key, headers: { 'idempotency-key': once } })

test('a POST repeated with its Idempotency-Key is answered as it was, to the letter, and done once', async () => {
  const zone = await freshZone()
  const post = (name: string, once: string) =>
    zone.call('POST', '/rrsets', {
      body: { name, type: 'A', records: ['192.0.2.1'] },
      headers: { 'idempotency-key': once },
    })
  const first = await post('www', 'k1')
  const again = await post('www', 'k1')
  assert.deepEqual([again.status, again.body, again.headers.etag], [201, first.body, first.headers.etag])
  assert.equal(await zone.version(), 1)
  assert.deepEqual(codeOf(await post('other', 'k1')), [409, 'idempotency_mismatch'])
  assert.deepEqual(codeOf(await post('www', 'k2')), [409, 'rrset_exists'])
})

test('two POSTs with one Idempotency-Key at the same time are done once, and both get the answer', async () => {
  const zone = await freshZone()
  const body = { name: 'www', type: 'A', records: ['192.0.2.1'] }
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => zone.call('POST', '/rrsets', { body, headers: { 'idempotency-key': 'together' } })),
  )
  for (const answer of answers) assert.deepEqual([answer.status, answer.body], [201, answers[0]?.body])
  assert.equal(await zone.version(), 1)
})

test('a refused POST leaves its Idempotency-Key free, and keys of two callers never meet', async () => {
  const zone = await freshZone()
  const post = (name: string, as = key) =>
    zone.call('POST', '/rrsets', {
      key: as,
      body: { name, type: 'A', records: ['192.0.2.1'] },
      headers: { 'idempotency-key': 'again' },
    })
  assert.equal((await post('a..b')).status, 422)
  await zone.put('taken', 'A', ['192.0.2.1'])
  assert.equal((await post('taken')).status, 409)
  assert.equal((await post('free')).status, 201)
  assert.equal((await post('other', await api.key(account))).status, 201)
})

test('an Idempotency-Key has 1 to 255 characters', async () => {
  const zone = await freshZone()
  const post = (once: string) =>
    zone.call('POST', '/rrsets?dry_run=true', {
      body: { name: 'w', type: 'A', records: ['192.0.2.1'] },
      headers: { 'idempotency-key': once },
    })
  assert.deepEqual(faultsOf(await post('')), ['invalid Idempotency-Key'])
  assert.deepEqual(faultsOf(await post('x'.repeat(256))), ['invalid Idempotency-Key'])
  assert.equal((await post('x'.repeat(255))).status, 200)
})

test('after 24 hours an Idempotency-Key counts as new', async () => {
  const zone = await freshZone()
  const post = (name: string) =>
    zone.call('POST', '/rrsets', {
      body: { name, type: 'A', records: ['192.0.2.1'] },
      headers: { 'idempotency-key': 'daily' },
    })
  assert.equal((await post('one')).status, 201)
  await moveClock(database, '23 hours 59 minutes')
  assert.deepEqual(codeOf(await post('two')), [409, 'idempotency_mismatch'])
  await moveClock(database, '24 hours 1 minute')
  assert.equal((await post('two')).status, 201)
  assert.equal((await post('two')).status, 201, 'and is remembered from then on')
  await moveClock(database, '0 seconds')
})

test('the answer of a dry run is not kept: its Idempotency-Key stays free, and it is made anew', async () => {
  const zone = await freshZone()
  await zone.put('www', 'A', ['192.0.2.1'])
  const post = (path: string, body: object) =>
    zone.call('POST', path, { body, headers: { 'idempotency-key': 'tried' } })
  const records = { name: 'mail', type: 'A', records: ['192.0.2.1'] }
  for (const [path, body] of [
    ['/rrsets', records],
    ['/import', { rrsets: [records] }],
    ['/versions/0/restore', {}],
    ['/presets/zonewright.no-mail', {}],
  ] as const)
    assert.equal((await post(`${path}?dry_run=true`, body)).status, 200, path)
  const { rows } = await sql`select from idempotency_keys where key = 'tried'`.execute(database.db)
  assert.equal(rows.length, 0)
  assert.equal((await post('/rrsets', records)).status, 201)
  assert.deepEqual(codeOf(await post('/rrsets?dry_run=true', records)), [409, 'rrset_exists'])
})

test('what is kept of a request does not let a password in it be guessed', async () => {
  const person = { caller: 'somebody', method: 'POST', url: '/api/v1/account/email', carriesSecret: false }
  const body = { email: 'new@example.net', password: 'correct horse' }
  const once = (secrets = server.secrets) => idempotentRequest(secrets, 'k', { ...person, body })
  const guess = createHash('sha256')
    .update(JSON.stringify([person.method, person.url, body]))
    .digest()
  assert.deepEqual(once().mac, once().mac)
  assert.notDeepEqual(once().mac, guess)
  assert.notDeepEqual(once().mac, once(new SecretBox(randomBytes(32))).mac)
})

test('answers are forgotten after 24 hours, some at a time: large ones must not take a statement longer than it may', async () => {
  await sql`create table deletions (n bigint)`.execute(database.db)
  await sql`create function note_deletions() returns trigger language plpgsql as
    'begin insert into deletions select count(*) from gone; return null; end'`.execute(database.db)
  await sql`create trigger note_deletions after delete on idempotency_keys referencing old table as gone
    for each statement execute function note_deletions()`.execute(database.db)
  await sql`insert into idempotency_keys (caller, key, request_mac, status, answer, created_at)
    select 'somebody', 'old ' || n, '', 200, '{}', app_now() - interval '25 hours' from generate_series(1, 250) n`.execute(
    database.db,
  )
  await sql`insert into idempotency_keys (caller, key, request_mac) values ('somebody', 'young', '')`.execute(
    database.db,
  )
  await runJob(housekeeping, 'forget-idempotency-keys', database)
  const { rows: left } = await sql`select key from idempotency_keys where caller = 'somebody'`.execute(database.db)
  assert.deepEqual(left, [{ key: 'young' }])
  const { rows: deletions } = await sql<{ n: number }>`select n from deletions where n > 0`.execute(database.db)
  assert.equal(
    deletions.reduce((sum, { n }) => sum + Number(n), 0),
    250,
  )
  assert.ok(deletions.length >= 3)
})

test('what asks the network is under way for a repeat, which is told to come again, and is answered once it is done', async () => {
  const { promise, resolve } = Promise.withResolvers<string>()
  const begun = Promise.withResolvers<void>()
  let times = 0
  outside = () => {
    times += 1
    begun.resolve()
    return promise
  }
  const first = askOutside('slow')
  await begun.promise
  const meanwhile = await askOutside('slow')
  assert.deepEqual([...codeOf(meanwhile), meanwhile.headers['retry-after']], [409, 'conflict', '5'])
  resolve('at last')
  assert.deepEqual((await first).body, { said: 'at last' })
  assert.deepEqual((await askOutside('slow')).body, { said: 'at last' })
  assert.equal(times, 1)
})

test('what failed outside leaves its Idempotency-Key free', async () => {
  outside = async () => {
    throw new Refusal('conflict', 'not now')
  }
  assert.deepEqual(codeOf(await askOutside('failing')), [409, 'conflict'])
  outside = async () => 'now'
  assert.deepEqual((await askOutside('failing')).body, { said: 'now' })
})

test('what the database leaves in the midst of is said to be in doubt, with an Idempotency-Key and without', async () => {
  outside = async () => {
    await database.transact((tx) => sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx))
    return 'never'
  }
  for (const headers of [{}, { 'idempotency-key': 'left' }]) {
    const left = await api.call('POST', '/ask-outside', { key, headers })
    assert.deepEqual([...codeOf(left), left.headers['retry-after']], [503, 'unavailable', '2'])
    assert.match(left.body.error.message, /not known whether this was done/)
  }
  outside = async () => 'again'
  assert.deepEqual((await askOutside('left')).body, { said: 'again' })
})

test('what was under way when its process died is done by the first repeat after a minute', async () => {
  const never = Promise.withResolvers<string>()
  const begun = Promise.withResolvers<void>()
  outside = () => {
    begun.resolve()
    return never.promise
  }
  const died = askOutside('dead')
  await begun.promise
  outside = async () => 'alive'
  await moveClock(database, '59 seconds')
  assert.deepEqual(codeOf(await askOutside('dead')), [409, 'conflict'])
  await moveClock(database, '61 seconds')
  assert.deepEqual((await askOutside('dead')).body, { said: 'alive' })
  assert.deepEqual((await askOutside('dead')).body, { said: 'alive' })
  await moveClock(database, '0 seconds')
  never.resolve('late')
  await died
})
