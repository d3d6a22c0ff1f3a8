import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countsBytes, routes, usualDailyChangeBytes } from '@zonewright/contract'
import { actorNamed } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import { createLogger } from '#platform/log.ts'
import { openDatabase, sql } from '#platform/postgres/index.ts'
import { eventually } from '#testing/eventually.ts'
import { moveClock } from '#testing/move-clock.ts'
import { startTestApi, type TestAnswer, testReceiver } from '#testing/test-api.ts'
import { testContact } from '#testing/test-contact.ts'
import { TestPerson } from '#testing/test-person.ts'
import { AccountBudgets, limitChanges } from './change-budget.ts'

const api = await startTestApi()
const { database } = api
const { db } = database
const log = createLogger('test', 'silent')
const operator = actorNamed('operator', 'test')

let accounts = 0

/** An account with a key and a live zone, and its requests in a test. */
async function newAccount(budget: number | null = null) {
  const email = `budget${++accounts}@example.net`
  const id = await api.account(email)
  const zone = await api.zone(id, `budget${accounts}.example.com`)
  const key = await api.key(id)
  const allow = (bytes: number | null) => database.transact((tx) => limitChanges(tx, operator, { id, email }, bytes))
  if (budget !== null) await allow(budget)
  const call = (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<TestAnswer> => api.call(method, path, { key, body, headers, prefix: '/api/v1' })
  const put = (name: string, ...records: string[]) =>
    call('PUT', `/zones/${zone.name}/rrsets/${name}/A`, { ttl: 300, records })
  return { id, email, zone: zone.name, key, allow, call, put, changed: () => changedBytes(id) }
}

/** What is written down of an account's day. */
async function changedBytes(accountId: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select bytes from account_change_bytes where account_id = ${accountId}`.execute(db)
  return rows[0]?.bytes ?? 0
}

const bodyOf = (...records: string[]): string => JSON.stringify({ ttl: 300, records })

function checkExceeded({ status, body }: TestAnswer, budget: number): void {
  assert.equal(status, 403, JSON.stringify(body))
  assert.equal(body.error.code, 'quota_exceeded')
  assert.ok(body.error.message.includes(`limit of ${budget.toLocaleString('en')} bytes`), body.error.message)
  assert.match(body.error.message, /The limit resets at \d{4}-\d\d-\d\dT00:00:00\.000Z\.$/)
}

test('an account may change 1 GB a day, as the contract says', async () => {
  assert.equal(usualDailyChangeBytes, 1_000_000_000)
  const account = await newAccount()
  await sql`insert into account_change_bytes values (${account.id}, (app_now() at time zone 'utc')::date, 999999950)`.execute(
    db,
  )
  assert.equal((await account.put('a', '192.0.2.1')).status, 201)
  checkExceeded(await account.put('b', '192.0.2.1'), usualDailyChangeBytes)
})

test('small changes are counted to the byte, one after another and all at once', async () => {
  const bytes = bodyOf('192.0.2.1').length
  const slow = await newAccount(7 * bytes)
  for (let n = 0; n < 7; n++) assert.equal((await slow.put(`n${n}`, '192.0.2.1')).status, 201)
  for (let n = 0; n < 3; n++) checkExceeded(await slow.put(`more${n}`, '192.0.2.1'), 7 * bytes)
  const fast = await newAccount(7 * bytes)
  const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => fast.put(`n${n}`, '192.0.2.1')))
  assert.equal(answers.filter(({ status }) => status === 201).length, 7)
  for (const answer of answers.filter(({ status }) => status !== 201)) checkExceeded(answer, 7 * bytes)
  for (const { changed } of [slow, fast])
    await eventually('it is written down', async () => (await changed()) === 7 * bytes)
})

test('a large change counts before it is made: of many at once exactly those pass that the budget has room for', async () => {
  const rrsets = Array.from({ length: 600 }, (_, i) => ({
    name: `h${i}`,
    type: 'TXT',
    records: [`"${'x'.repeat(100)}"`],
  }))
  const body = JSON.stringify({ rrsets })
  assert.ok(body.length > 64 * 1024)
  const account = await newAccount(3 * body.length + 100)
  const zones = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => api.zone(account.id, `large${n}.${account.zone}`)))
  const answers = await Promise.all(zones.map(({ name }) => account.call('POST', `/zones/${name}/import`, { rrsets })))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 200, 200, 403, 403, 403])
  await eventually('what was refused was given back', async () => (await account.changed()) === 3 * body.length)
})

test('several processes together admit what the budget has room for, exactly for large bodies', async () => {
  const account = await newAccount(1_000_000)
  const others = [1, 2, 3].map((n) => openDatabase(database.url, { application: `process ${n}` }))
  const budgets = others.map((other) => new AccountBudgets(other.db, log))
  try {
    const taken = await Promise.allSettled(
      Array.from({ length: 60 }, async (_, n) => budgets[n % 3]?.take(account.id, 70_000 + n)),
    )
    const admitted = taken.flatMap(({ status }, n) => (status === 'fulfilled' ? [70_000 + n] : []))
    for (const one of taken)
      if (one.status === 'rejected') assert.equal(one.reason instanceof Refusal && one.reason.code, 'quota_exceeded')
    await Promise.all(budgets.map((budget) => budget.close()))
    const sum = admitted.reduce((all, bytes) => all + bytes, 0)
    assert.ok(sum <= 1_000_000, `${sum} were let in`)
    assert.ok(admitted.length >= 1)
    assert.equal(await account.changed(), sum)
  } finally {
    await Promise.all(others.map((other) => other.close()))
  }
})

test('small bodies of several processes are known to all of them within a second', async () => {
  const account = await newAccount(10_000)
  const other = new AccountBudgets(db, log)
  for (let n = 0; n < 9; n++) await other.take(account.id, 1_000)
  await other.close()
  assert.equal((await account.call('PATCH', `/zones/${account.zone}/rrsets`, { changes: [] })).status < 500, true)
  checkExceeded(await account.put('a', ...Array.from({ length: 90 }, (_, i) => `192.0.2.${i + 1}`)), 10_000)
})

test('a budget set by an operator applies at once, and so does a new UTC day', async () => {
  const account = await newAccount(100)
  await account.put('a', '192.0.2.1')
  await account.put('b', '192.0.2.1')
  checkExceeded(await account.put('c', '192.0.2.1'), 100)
  await account.allow(1_000)
  assert.equal((await account.put('c', '192.0.2.1')).status, 201)
  await account.allow(1)
  await eventually('less is allowed', async () => (await account.put('d', `192.0.2.${accounts}`)).status === 403)
  await account.allow(null)
  assert.equal((await account.put('e', '192.0.2.1')).status, 201)
  await account.allow(150)
  await eventually('less is allowed', async () => (await account.put('f', `192.0.2.${accounts}`)).status === 403)
  try {
    await moveClock(database, '24 hours')
    assert.equal((await account.put('g', '192.0.2.1')).status, 201)
  } finally {
    await moveClock(database, '0 seconds')
  }
})

test('an account without any budget left can still delete and read', async () => {
  const account = await newAccount()
  await account.put('gone', '192.0.2.1')
  await account.allow(1)
  await eventually('nothing more may change', async () => (await account.put('x', '192.0.2.1')).status === 403)
  assert.equal((await account.call('DELETE', `/zones/${account.zone}/rrsets/gone/A`)).status, 204)
  assert.equal((await account.call('GET', `/zones/${account.zone}/rrsets`)).status, 200)
  assert.equal((await account.call('POST', '/domains/check', { names: ['free.test'] })).status, 200)
  const dry = await account.call('PUT', `/zones/${account.zone}/rrsets/y/A?dry_run=true`, { records: ['192.0.2.1'] })
  assert.equal(dry.status, 200)
})

/** Every way to change something with a key, with the bytes that its body has. */
const changes: readonly [what: string, method: string, path: string, body: unknown, type?: string][] = [
  ['one record set', 'PUT', '/zones/ZONE/rrsets/www/A', { records: ['192.0.2.1'] }],
  ['a new record set', 'POST', '/zones/ZONE/rrsets', { name: 'new', type: 'A', records: ['192.0.2.1'] }],
  ['values of a record set', 'PATCH', '/zones/ZONE/rrsets/www/A', { add: ['192.0.2.2'] }],
  ['many at once', 'PATCH', '/zones/ZONE/rrsets', { changes: [{ name: 'a', type: 'A', records: ['192.0.2.1'] }] }],
  ['a whole zone', 'PUT', '/zones/ZONE/rrsets', { rrsets: [{ name: 'b', type: 'A', records: ['192.0.2.1'] }] }],
  ['an import as JSON', 'POST', '/zones/ZONE/import', { rrsets: [{ name: 'c', type: 'A', records: ['192.0.2.1'] }] }],
  [
    'an import of a zone file',
    'POST',
    '/zones/ZONE/import',
    'd 300 IN A 192.0.2.1\n; a comment counts, too\n',
    'text/dns',
  ],
  ['a preset', 'POST', '/zones/ZONE/presets/zonewright.no-mail', { parameters: {} }],
  ['a zone', 'POST', '/zones', { name: 'pending.example.org' }],
  ['a webhook endpoint', 'POST', '/webhooks', { url: testReceiver, description: 'counts' }],
  ['a contact', 'POST', '/contacts', testContact],
]

test('a body that changed something counts with all its bytes, whichever way it came', async () => {
  const account = await newAccount()
  let expected = 0
  for (const [what, method, path, body, type] of changes) {
    const answer = await account.call(
      method,
      path.replace('ZONE', account.zone),
      body,
      type ? { 'content-type': type } : {},
    )
    assert.ok([200, 201].includes(answer.status), `${what}: ${answer.status} ${JSON.stringify(answer.body)}`)
    expected += Buffer.byteLength(typeof body === 'string' ? body : JSON.stringify(body))
    await eventually(`${what} is counted: ${expected}`, async () => (await account.changed()) === expected)
  }
  const restored = await account.call('POST', `/zones/${account.zone}/versions/1/restore`)
  assert.equal(restored.status, 200)
  // It has no body. The changed data counts, both before and after the change.
  await eventually('a restore is counted', async () => (await account.changed()) > expected + 20)
})

test('a small body that rewrites a large record set counts as the whole record set', async () => {
  const account = await newAccount()
  const path = `/zones/${account.zone}/rrsets/large/TXT`
  const large = Array.from({ length: 200 }, (_, n) => `"${n} ${'x'.repeat(200)}"`)
  const size = large.join('').length
  assert.equal((await account.call('PUT', path, { ttl: 300, records: large })).status, 201)
  await eventually('the record set is counted', async () => (await account.changed()) > size)
  for (const edit of [{ ttl: 301 }, { add: ['"one"'] }, { remove: ['"one"'] }, { ttl: 300, add: ['"two"'] }]) {
    const before = await account.changed()
    assert.equal((await account.call('PATCH', path, edit)).status, 200, JSON.stringify(edit))
    await eventually(`${JSON.stringify(edit)} counts`, async () => (await account.changed()) >= before + 2 * size)
  }
  const small = `/zones/${account.zone}/rrsets/small/A`
  await account.put('small', '192.0.2.1')
  const body = `{"ttl":301${' '.repeat(2_000)}}`
  const before = await account.changed()
  assert.equal((await account.call('PATCH', small, body, { 'content-type': 'application/json' })).status, 200)
  await eventually('a long body counts as itself', async () => (await account.changed()) >= before + body.length)
})

test('a long response that is kept for repeats counts, though nothing was changed; a short one does not', async () => {
  const account = await newAccount()
  const zone = `/zones/${account.zone}`
  const importing = (rrsets: number, key?: string) => {
    const body = {
      rrsets: Array.from({ length: rrsets }, () => ({ name: 'a'.repeat(60), type: 'SOA', records: ['x'] })),
    }
    return account.call('POST', `${zone}/import`, body, key === undefined ? {} : { 'idempotency-key': key })
  }
  for (const [rrsets, key] of [
    [100, undefined],
    [2, 'short'],
    [0, 'empty'],
  ] as const)
    assert.equal((await importing(rrsets, key)).status, 200)
  await account.put('last', '192.0.2.1')
  const changed = bodyOf('192.0.2.1').length
  await eventually('only what was changed is counted', async () => (await account.changed()) === changed)
  const long = await importing(100, 'long')
  assert.equal(long.status, 200)
  const { rows } = await sql<{ bytes: number }>`
    select length(answer::text) as bytes from idempotency_keys where key = 'long'`.execute(db)
  const counted = changed + (rows[0]?.bytes ?? 0)
  assert.ok(counted > 10_000)
  await eventually('the long one counts', async () => (await account.changed()) === counted)
  assert.deepEqual((await importing(100, 'long')).body, long.body)
  await account.put('after', '192.0.2.1')
  await eventually('a repeat does not', async () => (await account.changed()) === counted + changed)
})

test('what changes nothing does not count: refusals, dry runs, repeats, and what is there already', async () => {
  const account = await newAccount()
  const zone = `/zones/${account.zone}`
  const records = { records: ['192.0.2.1'], ttl: 300 }
  const once = { 'idempotency-key': 'counted-once' }
  const post = () => account.call('POST', `${zone}/rrsets`, { name: 'once', type: 'A', ...records }, once)
  assert.equal((await account.call('PUT', `${zone}/rrsets/www/A`, records)).status, 201)
  assert.equal((await post()).status, 201)
  const counted =
    Buffer.byteLength(JSON.stringify(records)) +
    Buffer.byteLength(JSON.stringify({ name: 'once', type: 'A', ...records }))
  await eventually('both are counted', async () => (await account.changed()) === counted)
  const idle: [number, Promise<TestAnswer>][] = [
    [201, post()],
    [200, account.call('PUT', `${zone}/rrsets/www/A`, records)],
    [200, account.call('PATCH', `${zone}/rrsets`, { changes: [{ name: 'www', type: 'A', ...records }] })],
    [200, account.call('POST', `${zone}/import`, { rrsets: [{ name: 'www', type: 'A', ...records }] })],
    [200, account.call('PATCH', `${zone}/rrsets/www/A`, { add: ['192.0.2.1'] })],
    [200, account.call('PUT', `${zone}/rrsets/dry/A?dry_run=true`, records)],
    [200, account.call('POST', `${zone}/import?dry_run=true`, { rrsets: [{ name: 'dry', type: 'A', ...records }] })],
    [422, account.call('PUT', `${zone}/rrsets/bad/A`, { records: ['not an address'] })],
    [422, account.call('PUT', `${zone}/rrsets/bad/A`, { records: 7 })],
    [409, account.call('POST', `${zone}/rrsets`, { name: 'www', type: 'A', ...records })],
    [412, account.call('PUT', `${zone}/rrsets/www/A`, { records: ['192.0.2.9'] }, { 'if-match': '"99"' })],
    [404, account.call('PUT', '/zones/none.example/rrsets/www/A', records)],
    [422, account.call('POST', `${zone}/import`, 'this is no zone file at all', { 'content-type': 'text/dns' })],
    [422, account.call('POST', '/webhooks', { url: 'nowhere' })],
    [200, account.call('POST', '/domains/check', { names: ['free.test'] })],
  ]
  for (const [status, call] of idle) assert.equal((await call).status, status)
  // One more that counts: what was taken for those before is given back by the time it is written down.
  assert.equal((await account.call('PUT', `${zone}/rrsets/last/A`, records)).status, 201)
  const all = counted + Buffer.byteLength(JSON.stringify(records))
  await eventually('only what changed something is counted', async () => (await account.changed()) === all)
})

test('the account that acts is charged: a manager’s changes of a shared zone count for the manager', async () => {
  const owner = await newAccount()
  const manager = await TestPerson.signedIn(api, 'manager@example.net')
  const { id } = (await manager.call('GET', '/account')).body
  await sql`insert into zone_managers (zone_id, account_id) select id, ${id} from zones where name = ${owner.zone}`.execute(
    db,
  )
  const body = { records: ['192.0.2.1'], ttl: 300 }
  assert.equal((await manager.call('PUT', `/zones/${owner.zone}/rrsets/by-manager/A`, { body })).status, 201)
  await eventually('it is counted', async () => (await changedBytes(id)) === JSON.stringify(body).length)
  assert.equal(await owner.changed(), 0)
})

test('counts that cannot be stored are stored later', async () => {
  const account = await newAccount()
  let isDown = false
  const flaky = new Proxy(db, {
    get: (target, name) =>
      isDown ? () => Promise.reject(new Error('the database is away')) : Reflect.get(target, name, target),
  })
  const budgets = new AccountBudgets(flaky, log)
  await budgets.take(account.id, 100)
  budgets.add(account.id, 50)
  isDown = true
  await assert.rejects(async () => budgets.take(account.id, 100_000), /away/)
  isDown = false
  await budgets.close()
  assert.equal(await account.changed(), 150)
})

test('every route that writes something counts, and no other', () => {
  const uncounted = routes.filter((route) => route.who !== 'public' && route.method !== 'GET' && !countsBytes(route))
  for (const { id, method, body, reads } of uncounted)
    assert.ok(method === 'DELETE' || body === undefined || reads, `${id} has a body that is not counted`)
})
