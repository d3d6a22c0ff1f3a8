import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actorNamed } from '#platform/caller.ts'
import { openDatabase, sql } from '#platform/postgres/index.ts'
import { eventually } from '#testing/eventually.ts'
import { moveClock } from '#testing/move-clock.ts'
import { asAnotherProcess, connectWithinMs } from '#testing/platform/test-database.ts'
import { rowsRead } from '#testing/rows-read.ts'
import { takingParts } from '#testing/taking-parts.ts'
import { tcpProxy } from '#testing/tcp-proxy.ts'
import { startTestApi, type TestAnswer, testFreeParent, testNameservers } from '#testing/test-api.ts'
import { TestPerson } from '#testing/test-person.ts'
import { codeOf } from '#testing/test-zones.ts'
import { untilBlocked } from '#testing/until-blocked.ts'
import { ClaimGroup } from './claim-group.ts'
import { refusalOfClaim } from './claim-subdomain.ts'
import { KeptBelow } from './kept-below.ts'
import { parseClaim } from './rules.ts'
import { readStandings } from './store.ts'

const api = await startTestApi()
const { database } = api
const { db } = database
const elsewhere = asAnotherProcess(database.url)
const operator = await api.account('operator@example.net')
const parent = await api.zone(operator, testFreeParent)

let accounts = 0
/** Creates an account with a key. */
async function somebody(): Promise<{ accountId: string; key: string }> {
  const accountId = await api.account(`claimer${++accounts}@example.net`)
  return { accountId, key: await api.key(accountId) }
}
/** Creates an account that can also sign in, because only the dashboard deletes zones. */
async function person(): Promise<{ person: TestPerson; key: string }> {
  const person = await TestPerson.signedIn(api, `person${++accounts}@example.net`)
  return { person, key: await api.key((await person.call('GET', '/account')).body.id) }
}
const full = (label: string): string => `${label}.${testFreeParent}`
const claim = (key: string, label: string, headers = {}): Promise<TestAnswer> =>
  api.call('POST', '/free-subdomains', { key, body: { name: full(label) }, headers })
const available = async (key: string, name: string): Promise<[boolean, string | null]> => {
  const { status, body } = await api.call('GET', `/free-subdomains/availability?name=${name}`, { key })
  assert.equal(status, 200)
  return [body.available, body.reason]
}
const drop = async (person: TestPerson, label: string): Promise<void> => {
  const { status } = await person.call('DELETE', `/zones/${full(label)}`, { body: { name: full(label) } })
  assert.equal(status, 204)
}
async function cuts(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from zone_rrsets where zone_id = ${parent.id} and managed order by name`.execute(db)
  return rows.map(({ name }) => name)
}

test('a name has one label of 3 to 63 characters under one of the parents, and is not reserved', () => {
  const reason = (name: string): string => {
    const wish = parseClaim(name, ['free.example', 'other.example', 'apps.free.example'], testNameservers)
    return 'reason' in wish ? wish.reason : wish.parent
  }
  for (const [name, expected] of [
    ['abc.free.example', 'free.example'],
    ['ABC.Other.Example.', 'other.example'],
    ['abc.apps.free.example', 'apps.free.example'],
    [`${'a'.repeat(63)}.free.example`, 'free.example'],
    ['ab.free.example', 'invalid'],
    [`${'a'.repeat(64)}.free.example`, 'invalid'],
    ['a.bcd.free.example', 'invalid'],
    ['under_score.free.example', 'invalid'],
    ['free.example', 'not_offered'],
    ['abc.example.net', 'not_offered'],
    ['notfree.example', 'not_offered'],
    ['www.free.example', 'reserved'],
    ['postmaster.free.example', 'reserved'],
    ['xn--bcher-kva.free.example', 'reserved'],
    ['bücher.free.example', 'reserved'],
  ] as const)
    assert.equal(reason(name), expected, name)
})

test('a key that can claim names but not read zones learns only what it has claimed', async () => {
  const { accountId } = await somebody()
  const members = ['id', 'name', 'nameservers', 'origin', 'state', 'unicode_name']
  const narrow = await api.key(accountId, { permissions: ['zones:manage'] })
  for (const [label, headers] of [
    ['narrow-one', {}],
    ['narrow-two', { 'idempotency-key': 'narrow' }],
  ] as const) {
    const { status, body, headers: sent } = await claim(narrow, label, headers)
    assert.deepEqual([status, Object.keys(body).sort(), sent.etag], [201, members, undefined])
    assert.deepEqual([body.name, body.state, body.origin], [full(label), 'live', 'claimed'])
  }
  const wider = await api.key(accountId, { permissions: ['zones:manage', 'records:read'] })
  assert.equal((await claim(wider, 'narrow-three')).body.rrset_count, 0)
})

test('a name of the service is reserved if the nameservers are below its parent', () => {
  const names = ['catalog.zonewright.invalid', 'alpha.dns.example', 'own.beta.dns.example', 'proofs.dns.example']
  const reason = (name: string): string => {
    const wish = parseClaim(name, ['dns.example'], names)
    return 'reason' in wish ? wish.reason : wish.parent
  }
  for (const name of [
    'alpha.dns.example',
    'Alpha.DNS.example.',
    'beta.dns.example',
    'proofs.dns.example',
    'ａlpha.dns.example',
  ])
    assert.equal(reason(name), 'reserved', name)
  for (const name of ['alphas.dns.example', 'own.dns.example']) assert.equal(reason(name), 'dns.example', name)
})

test('an account that has reached its zone limit can claim no name', async () => {
  const { accountId, key } = await somebody()
  await sql`update accounts set zone_limit = 1 where id = ${accountId}`.execute(db)
  assert.equal((await claim(key, 'first')).status, 201)
  assert.deepEqual(await available(key, full('second')), [false, 'limit'])
  const refused = await claim(key, 'second')
  assert.deepEqual([refused.status, refused.body.error.code], [409, 'zone_limit'])
})

test('a claimed name is its own live zone, delegated from the parent, and no one else can claim it', async () => {
  const [{ key }, other] = [await somebody(), await somebody()]
  assert.deepEqual(await available(key, full('alice')), [true, null])
  const claimed = await claim(key, 'alice')
  assert.deepEqual(
    [claimed.status, claimed.body.state, claimed.body.origin, claimed.body.role],
    [201, 'live', 'claimed', 'owner'],
  )
  assert.equal(claimed.headers.location, `/api/v1/zones/${claimed.body.id}`)
  assert.ok((await cuts()).includes(full('alice')))
  assert.deepEqual(await available(other.key, full('alice')), [false, 'taken'])
  assert.deepEqual(codeOf(await claim(other.key, 'alice')), [409, 'zone_exists'])
  const refused = await claim(other.key, 'www')
  assert.deepEqual([...codeOf(refused), refused.body.error.details[0].code], [422, 'validation_failed', 'reserved'])
  const below = await api.call('POST', '/zones', { key: other.key, body: { name: `x.${full('alice')}` } })
  assert.deepEqual(codeOf(below), [409, 'conflict'])
  const own = await api.call('POST', '/zones', { key, body: { name: `x.${full('alice')}` } })
  assert.deepEqual([own.status, own.body.state], [201, 'live'], 'its owner adds zones below it')
})

test('an account can have three names, also with concurrent claims', async () => {
  const { person: claimer, key } = await person()
  const answers = await Promise.all(['one1', 'two2', 'three3', 'four4', 'five5'].map((label) => claim(key, label)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 201, 409, 409])
  assert.ok(answers.some((answer) => answer.body.error?.code === 'subdomain_limit'))
  assert.deepEqual(await available(key, full('seven7')), [false, 'limit'], 'a free name is one that can be claimed')
  const [first] = answers.filter(({ status }) => status === 201)
  await drop(claimer, first?.body.name.split('.')[0])
  assert.equal((await claim(key, 'six6')).status, 201)
  const restored = await claimer.call('POST', `/deleted-zones/${first?.body.id}/restore`)
  assert.deepEqual(codeOf(restored), [409, 'subdomain_limit'], 'an undo is no way round')
})

test('restoring an older deleted zone of a name counts it, and its next deletion reserves the name again', async () => {
  const [{ person: claimer, key }, other] = [await person(), await somebody()]
  const { body: older } = await claim(key, 'twice')
  await drop(claimer, 'twice')
  assert.equal((await claim(key, 'twice')).status, 201)
  await drop(claimer, 'twice')
  const restore = (): Promise<TestAnswer> => claimer.call('POST', `/deleted-zones/${older.id}/restore`)
  for (const label of ['twice1', 'twice2', 'twice3']) assert.equal((await claim(key, label)).status, 201)
  assert.deepEqual(codeOf(await restore()), [409, 'subdomain_limit'])
  await drop(claimer, 'twice3')
  assert.equal((await restore()).body.state, 'live')
  assert.deepEqual(codeOf(await claim(key, 'twice4')), [409, 'subdomain_limit'])
  try {
    await moveClock(database, '40 days')
    await drop(claimer, 'twice')
    assert.deepEqual(codeOf(await claim(other.key, 'twice')), [409, 'zone_exists'])
  } finally {
    await moveClock(database, '0 seconds')
  }
})

test('a zone that was added before its parent existed stays pending and blocks a claim of its name', async () => {
  const { accountId, key } = await somebody()
  const pending = await api.call('POST', '/zones', { key, body: { name: 'early.later.example' } })
  assert.deepEqual([pending.status, pending.body.state], [201, 'pending'])
  await api.zone(operator, 'later.example')
  const wish = parseClaim('early.later.example', ['later.example'], [])
  assert.ok('name' in wish)
  const refusal = await refusalOfClaim(db, { accountId, ...wish })
  assert.equal(refusal?.code, 'zone_exists', 'what is said before the claim')
  const claimed = new ClaimGroup(database, takingParts()).claim({
    actor: actorNamed('operator', 'test'),
    accountId,
    ...wish,
  })
  await assert.rejects(claimed, { code: 'zone_exists', message: /already has the zone .* \(pending\)/ })
  const zone = await api.call('GET', '/zones/early.later.example', { key })
  assert.deepEqual([zone.status, zone.body.id], [200, pending.body.id])
})

test('below a parent that is not served yet, no name can be claimed', async () => {
  const { accountId } = await somebody()
  const wish = parseClaim('someone.unserved.example', ['unserved.example'], [])
  assert.ok('name' in wish)
  assert.equal((await refusalOfClaim(db, { accountId, ...wish }))?.code, 'conflict')
})

test('only one of many concurrent claims of the same name gets it', async () => {
  const people = await Promise.all([somebody(), somebody(), somebody()])
  const answers = await Promise.all(
    people.map(({ key }, i) => claim(key, 'wanted', i === 0 ? { 'idempotency-key': 'mine' } : {})),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409])
})

test('many concurrent claims add few serials to the parent: one every 200 ms', async () => {
  const people = await Promise.all(Array.from({ length: 12 }, somebody))
  const version = async (): Promise<number> => {
    const { rows } = await sql<{ version: number }>`select version from zones where id = ${parent.id}`.execute(db)
    return rows[0]?.version ?? 0
  }
  const before = await version()
  const startedAtMs = performance.now()
  const answers = await Promise.all(people.map(({ key }, i) => claim(key, `rush${i}`)))
  const elapsedMs = performance.now() - startedAtMs
  assert.ok(answers.every(({ status }) => status === 201))
  assert.ok(
    (await version()) - before <= 1 + Math.ceil(elapsedMs / 200),
    `${(await version()) - before} in ${elapsedMs} ms`,
  )
})

test('claims whose connection was lost during the commit return “unavailable”, not that the name is taken', async (t) => {
  await sql`
    create function wait_at_commit() returns trigger language plpgsql as
      'begin perform pg_advisory_xact_lock(42); return null; end'`.execute(db)
  await sql`
    create constraint trigger wait_at_commit after insert on free_subdomains deferrable initially deferred
      for each row execute function wait_at_commit()`.execute(db)
  const proxy = await tcpProxy(database.url)
  const far = openDatabase(proxy.url, { application: 'zonewright test', connectWithinMs })
  t.after(async () => {
    await far.close()
    await proxy.close()
    await sql`drop trigger wait_at_commit on free_subdomains`.execute(db)
  })
  const group = new ClaimGroup(far, takingParts())
  const people = await Promise.all([somebody(), somebody()])
  let claimed: Promise<PromiseSettledResult<string>[]> | undefined
  await elsewhere.transact(async (tx) => {
    await sql`select pg_advisory_xact_lock(42)`.execute(tx)
    claimed = Promise.allSettled(
      people.map(({ accountId }, i) => {
        const wish = parseClaim(full(`doubt${i}`), [testFreeParent], [])
        assert.ok('name' in wish)
        return group.claim({ actor: actorNamed('operator', 'test'), accountId, ...wish })
      }),
    )
    await untilBlocked(db)
    proxy.shut()
    proxy.open()
  })
  for (const outcome of (await claimed) ?? []) {
    assert.ok(outcome.status === 'rejected')
    assert.equal(outcome.reason.code, 'unavailable', outcome.reason)
    assert.match(outcome.reason.message, /unknown whether the change was made/)
  }
  for (const [i, { key }] of people.entries())
    await eventually('the claim was committed', async () => (await available(key, full(`doubt${i}`)))[1] === 'taken')
})

test('a claim repeated with its Idempotency-Key claims once', async () => {
  const { key } = await somebody()
  const twice = [
    await claim(key, 'again', { 'idempotency-key': 'k' }),
    await claim(key, 'again', { 'idempotency-key': 'k' }),
  ]
  assert.deepEqual(
    twice.map(({ status, body }) => [status, body.id]),
    [1, 2].map(() => [201, twice[0]?.body.id]),
  )
})

test('a deleted name is no longer delegated, and is reserved for its account for 30 days', async () => {
  const [mine, other] = [await person(), await somebody()]
  const { body } = await claim(mine.key, 'held')
  await drop(mine.person, 'held')
  assert.ok(!(await cuts()).includes(full('held')))
  assert.deepEqual(await available(other.key, full('held')), [false, 'taken'])
  assert.deepEqual(await available(mine.key, full('held')), [true, null])
  assert.equal((await mine.person.call('POST', `/deleted-zones/${body.id}/restore`)).body.state, 'live')
  assert.ok((await cuts()).includes(full('held')))
  await drop(mine.person, 'held')
  try {
    await moveClock(database, '29 days 23 hours')
    assert.deepEqual(codeOf(await claim(other.key, 'held')), [409, 'zone_exists'])
    await moveClock(database, '30 days 1 hour')
    assert.equal((await claim(other.key, 'held')).status, 201)
  } finally {
    await moveClock(database, '0 seconds')
  }
})

test('a name at or below which the operator has records in the parent is taken', async () => {
  const operatorKey = await api.key(operator)
  const records = {
    relay7: ['A', '192.0.2.1'],
    alias7: ['CNAME', 'host.example.net.'],
    '_x._tcp.below7': ['TXT', '"x"'],
  }
  for (const [name, [type, record]] of Object.entries(records)) {
    const path = `/zones/${testFreeParent}/rrsets/${name}/${type}`
    assert.equal((await api.call('PUT', path, { key: operatorKey, body: { records: [record] } })).status, 201)
  }
  const { key } = await somebody()
  for (const label of ['relay7', 'alias7', 'below7']) {
    assert.deepEqual(await available(key, full(label)), [false, 'taken'], label)
    assert.deepEqual(codeOf(await claim(key, label)), [409, 'zone_exists'], label)
  }
  assert.ok(!(await cuts()).includes(full('relay7')))
  assert.deepEqual(await available(key, full('relay')), [true, null])
  assert.equal((await claim(key, 'relay77')).status, 201)
})

test('records below names are read again only after the last read is too old', async () => {
  const [kept, fresh] = [60_000, 0].map((maxAgeMs) => new KeptBelow(db, [testFreeParent], maxAgeMs))
  assert.equal(await kept?.has(full('late8')), false)
  const path = `/zones/${testFreeParent}/rrsets/a.b.late8/TXT`
  assert.equal((await api.call('PUT', path, { key: await api.key(operator), body: { records: ['"x"'] } })).status, 201)
  assert.deepEqual([await kept?.has(full('late8')), await fresh?.has(full('late8'))], [false, true])
  assert.equal(await fresh?.has(full('relay7')), false, 'a record at the name itself is looked for each time')
})

test('reads the state of a claim by keys, however many records the operator has in the parent', async () => {
  await sql`
    insert into zone_rrsets (zone_id, name, type, ttl, records)
    select ${parent.id}, 'a' || n || '.bulk.' || ${testFreeParent}::text, 'A', 60, '{192.0.2.1}' from generate_series(1, 5000) n`.execute(
    db,
  )
  const read = await rowsRead(database, 'zone_rrsets', (tx) =>
    readStandings(tx, [{ name: full('quick'), parent: testFreeParent, accountId: operator }]),
  )
  assert.equal(read, 0)
  const { key } = await somebody()
  assert.deepEqual(await available(key, full('bulk')), [false, 'taken'])
})

test('a parent can have any number of delegations', async () => {
  await sql`update zones set rrset_count = 2000000 where id = ${parent.id}`.execute(db)
  const { key } = await somebody()
  assert.equal((await claim(key, 'plenty')).status, 201)
  const own = await api.call('PUT', `/zones/${testFreeParent}/rrsets/www/A`, {
    key: await api.key(operator),
    body: { records: ['192.0.2.1'] },
  })
  assert.equal(own.status, 201, 'and the operator’s own records beside them')
})
