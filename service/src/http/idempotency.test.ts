import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { maxKeptResponseBytes, route } from '@zonewright/contract'
import { z } from 'zod'
import { Refusal } from '#platform/errors.ts'
import { sql } from '#platform/postgres/index.ts'
import { SecretBox } from '#platform/secrets.ts'
import { moveClock } from '#testing/move-clock.ts'
import { runJob } from '#testing/run-job.ts'
import { startTestApi } from '#testing/test-api.ts'
import { codeOf, type FreshZone, faultsOf, testZones } from '#testing/test-zones.ts'
import { housekeeping } from './housekeeping.ts'
import { idempotentRequest, onceOnly } from './idempotency.ts'

const api = await startTestApi()
const { database, server } = api
const { account, key, freshZone } = await testZones(api)

/** What the test route does when it uses "the network". */
let outside = async (): Promise<string> => 'done'
const planted = {
  id: 'askOutside',
  method: 'POST',
  path: '/ask-outside',
  who: 'any-key',
  wholeZone: false,
  summary: '',
} as const
server.mount(
  route({ ...planted, answers: { 200: z.object({ said: z.string() }) }, errors: ['conflict'], long: true }),
  ({ once }) => once(async () => ({ status: 200, body: { said: await outside() } })),
)
const askOutside = (once: string) => api.call('POST', '/ask-outside', { key, headers: { 'idempotency-key': once } })

test('a POST repeated with its Idempotency-Key gets exactly the same response, and runs once', async () => {
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

test('concurrent POSTs with one Idempotency-Key run once, and all get the response', async () => {
  const zone = await freshZone()
  const body = { name: 'www', type: 'A', records: ['192.0.2.1'] }
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => zone.call('POST', '/rrsets', { body, headers: { 'idempotency-key': 'together' } })),
  )
  for (const answer of answers) assert.deepEqual([answer.status, answer.body], [201, answers[0]?.body])
  assert.equal(await zone.version(), 1)
})

/** Enough record sets that the response to changing them is longer than what is stored. */
const manyRrsets = Array.from({ length: 3_000 }, (_, i) => ({
  name: `host${i}`,
  type: 'TXT',
  records: [`"${'x'.repeat(100)}"`],
}))
const manyAsFile = manyRrsets.map(({ name, type, records }) => `${name} 300 IN ${type} ${records[0]}`).join('\n')
/** Calls whose responses are longer than what is stored, in a fresh zone. */
const longAnswers: Readonly<
  Record<string, { path: string; body: unknown; before?: (zone: FreshZone) => Promise<unknown>; type?: string }>
> = {
  'an import as JSON': { path: '/import', body: { rrsets: manyRrsets } },
  'a replacing import as JSON': { path: '/import?mode=replace', body: { rrsets: manyRrsets } },
  'an import of a zone file': { path: '/import', body: manyAsFile, type: 'text/dns' },
  'a replacing import of a zone file': { path: '/import?mode=replace', body: manyAsFile, type: 'text/dns' },
  'a restore': {
    path: '/versions/0/restore',
    body: undefined,
    before: (zone) => zone.call('POST', '/import', { body: { rrsets: manyRrsets } }),
  },
}

for (const [what, { path, body, before, type }] of Object.entries(longAnswers))
  test(`a repeat gets only status, headers, version and serial of a response over 256 KiB: ${what}`, async () => {
    const zone = await freshZone()
    await before?.(zone)
    const post = () =>
      zone.call('POST', path, {
        body,
        headers: { 'idempotency-key': `long ${what}`, ...(type && { 'content-type': type }) },
      })
    const first = await post()
    assert.ok([200, 201].includes(first.status), JSON.stringify(first.body).slice(0, 300))
    assert.ok(Buffer.byteLength(JSON.stringify(first.body)) > maxKeptResponseBytes)
    const version = await zone.version()
    const again = await post()
    assert.equal(again.status, first.status)
    const serial = Number(first.headers['zone-serial'])
    assert.deepEqual(again.body, { replayed: true, version, serial })
    for (const name of ['etag', 'zone-serial', 'location']) assert.equal(again.headers[name], first.headers[name], name)
    assert.equal(await zone.version(), version, 'it was done once')
    const { rows } = await sql<{ bytes: number }>`
      select pg_column_size(k.*) as bytes from idempotency_keys k where key = ${`long ${what}`}`.execute(database.db)
    assert.ok((rows[0]?.bytes ?? 0) < 1_000, `${rows[0]?.bytes} bytes are kept`)
  })

test('a response of 256 KiB is stored whole, one byte more is not, and a multi-byte character counts as several bytes', async () => {
  const around = JSON.stringify({ said: '' }).length
  const told = async (said: string, once: string): Promise<unknown> => {
    outside = async () => said
    await askOutside(once)
    outside = async () => 'done again'
    return (await askOutside(once)).body
  }
  const cut = { replayed: true, version: null, serial: null }
  const longest = 'x'.repeat(maxKeptResponseBytes - around)
  assert.deepEqual(await told(longest, 'longest'), { said: longest })
  assert.deepEqual(await told(`${longest}x`, 'longer'), cut)
  const letters = 'é'.repeat((maxKeptResponseBytes - around) / 2)
  assert.deepEqual(await told(letters, 'letters'), { said: letters })
  assert.deepEqual(await told(`${letters}é`, 'more letters'), cut)
  assert.deepEqual(await told('"'.repeat(maxKeptResponseBytes / 2), 'escaped'), cut)
  outside = async () => 'done'
})

test('concurrent repeats of a long change get a short response, and the change is made once', async () => {
  const zone = await freshZone()
  const post = () =>
    zone.call('POST', '/import', { body: { rrsets: manyRrsets }, headers: { 'idempotency-key': 'long at once' } })
  const answers = await Promise.all([post(), post(), post()])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200],
  )
  assert.equal(answers.filter(({ body }) => body.replayed === true).length, 2)
  assert.equal(await zone.version(), 1)
})

test('a refused POST leaves its Idempotency-Key unused, and keys of two callers never collide', async () => {
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

test('a dry run stores no response: its Idempotency-Key stays unused, and a repeat runs again', async () => {
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

test('a password in a request cannot be guessed from what is stored', async () => {
  const person = { caller: 'somebody', method: 'POST', url: '/api/v1/account/email', carriesSecret: false }
  const body = { email: 'new@example.net', password: 'correct horse' }
  const macOf = async (secrets = server.secrets) => (await idempotentRequest(secrets, 'k', { ...person, body })).macs[0]
  const guess = createHash('sha256')
    .update(JSON.stringify([person.method, person.url, body]))
    .digest()
  assert.deepEqual(await macOf(), await macOf())
  assert.notDeepEqual(await macOf(), guess)
  assert.notDeepEqual(await macOf(), await macOf(new SecretBox(randomBytes(32))))
})

test('a repeat is recognized while SECRET_KEY is being replaced', async () => {
  const person = {
    caller: 'somebody',
    method: 'POST',
    url: '/api/v1/orders',
    body: { name: 'a.test' },
    carriesSecret: false,
  }
  const [old, replacement] = [randomBytes(32), randomBytes(32)]
  const once = async (secrets: SecretBox) => {
    const request = await idempotentRequest(secrets, 'during-replacement', person)
    const work = async () => ({ status: 201, body: { id: 'first' } })
    return await database.transact((tx) => onceOnly(tx, request, work))
  }
  const first = await once(new SecretBox(old))
  assert.equal(first.status, 201)
  assert.deepEqual((await once(new SecretBox(replacement, old))).body, { id: 'first' })
  assert.deepEqual((await once(new SecretBox(old, replacement))).body, { id: 'first' })
  await assert.rejects(once(new SecretBox(replacement)), { code: 'idempotency_mismatch' })
  await sql`delete from idempotency_keys where key = 'during-replacement'`.execute(database.db)
})

test('responses are deleted after 24 hours, in batches, so that large ones do not exceed the statement timeout', async () => {
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

test('while network work is in progress, a repeat gets a conflict with Retry-After; afterwards it gets the response', async () => {
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

test('failed network work leaves its Idempotency-Key unused', async () => {
  outside = async () => {
    throw new Refusal('conflict', 'not now')
  }
  assert.deepEqual(codeOf(await askOutside('failing')), [409, 'conflict'])
  outside = async () => 'now'
  assert.deepEqual((await askOutside('failing')).body, { said: 'now' })
})

test('work that the database interrupts is reported as in doubt, with and without an Idempotency-Key', async () => {
  outside = async () => {
    await database.transact((tx) => sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx))
    return 'never'
  }
  for (const headers of [{}, { 'idempotency-key': 'left' }]) {
    const left = await api.call('POST', '/ask-outside', { key, headers })
    assert.deepEqual([...codeOf(left), left.headers['retry-after']], [503, 'unavailable', '2'])
    assert.match(left.body.error.message, /unknown whether the change was made/)
  }
  outside = async () => 'again'
  assert.deepEqual((await askOutside('left')).body, { said: 'again' })
})

test('after a minute, the first repeat does the work that was in progress when its process died', async () => {
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
