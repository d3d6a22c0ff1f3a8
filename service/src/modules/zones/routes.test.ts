import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from '#platform/postgres/index.ts'
import { startTestApi, type TestAnswer, testNameservers } from '#testing/test-api.ts'

const api = await startTestApi()
const owner = await api.account('owner@example.net')
const stranger = await api.account('stranger@example.net')
const key = await api.key(owner)
let sharedId = ''

before(async () => {
  for (const name of ['a.example.com', 'b.example.com', 'c.example.com', 'sub.a.example.com'])
    await api.zone(owner, name)
  const shared = await api.zone(stranger, 'shared.example.org')
  sharedId = shared.id
  await api.zone(stranger, 'foreign.example.org')
  await sql`insert into zone_managers (zone_id, account_id) values (${sharedId}, ${owner})`.execute(api.database.db)
  await api.call('POST', '/zones', { key, body: { name: 'pending.example.com' } })
})

const get = (query: string, as = key): Promise<TestAnswer> => api.call('GET', `/zones${query}`, { key: as })
const names = ({ body }: TestAnswer): string[] => body.data.map(({ name }: { name: string }) => name)

test('adding a zone returns 201, its location and version, and the pending zone with the nameservers to delegate to', async () => {
  const added = await api.call('POST', '/zones', { key, body: { name: 'Bücher.example' } })
  assert.equal(added.status, 201)
  assert.equal(added.headers.etag, '"0"')
  const { id, serial, created_at, verification, ...zone } = added.body
  assert.equal(added.headers.location, `/api/v1/zones/${id}`)
  assert.match(id, /^[0-9a-f-]{36}$/)
  assert.ok(serial > 1_700_000_000)
  assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.deepEqual(zone, {
    name: 'xn--bcher-kva.example',
    unicode_name: 'bücher.example',
    state: 'pending',
    origin: 'added',
    role: 'owner',
    version: 0,
    replicated: false,
    delegation: { state: 'waiting' },
    dnssec: { parent_ds: null },
    expires_at: null,
    presets: [],
    rrset_count: 0,
    nameservers: testNameservers,
  })
  const { txt, nameserver, began_at, expires_at, ...looking } = verification
  assert.match(txt.value, /^zonewright-verification=[0-9a-f]{32}$/)
  assert.equal(txt.name, '_zonewright-challenge.xn--bcher-kva.example')
  assert.equal(nameserver, `${txt.value.slice(-32)}.verify.zonewright.test`)
  assert.equal(Date.parse(expires_at) - Date.parse(began_at), 14 * 86_400_000)
  assert.deepEqual(looking, { checked_at: null, outcome: null, contest_ends_at: null })
  for (const ref of [id, 'xn--bcher-kva.example', encodeURIComponent('bücher.example'), 'XN--BCHER-KVA.EXAMPLE.']) {
    const read = await get(`/${ref}`)
    assert.deepEqual([read.status, read.body, read.headers.etag], [200, added.body, '"0"'], ref)
  }
  await sql`update zones set state = 'deleted' where id = ${id}`.execute(api.database.db)
  assert.equal((await get(`/${id}`)).status, 404)
})

test('a key that may add and verify zones but not read them learns only what it has changed', async () => {
  const account = await api.account('narrow@example.net')
  const live = await api.zone(account, 'narrow.example.net')
  const members = ['id', 'name', 'nameservers', 'origin', 'state', 'unicode_name']
  const permissions = ['zones:manage', 'records:write', 'domains:read', 'domains:buy'] as const
  for (const [i, narrow] of [
    await api.key(account, { permissions: ['zones:manage'] }),
    await api.key(account, { permissions }),
  ].entries()) {
    const add = (name: string, headers = {}) => api.call('POST', '/zones', { key: narrow, body: { name }, headers })
    const pending = await add(`narrow${i}.example`)
    assert.deepEqual(Object.keys(pending.body).sort(), [...members, 'verification'])
    assert.deepEqual([pending.status, pending.body.state, pending.headers.etag], [201, 'pending', undefined])
    assert.equal(pending.headers.location, `/api/v1/zones/${pending.body.id}`)
    const below = await add(`narrow${i}.${live.name}`)
    assert.deepEqual(Object.keys(below.body).sort(), members)
    assert.deepEqual([below.body.state, below.body.nameservers], ['live', testNameservers])
    const twice = [1, 2].map(() => add(`again${i}.${live.name}`, { 'idempotency-key': `again ${i}` }))
    const [first, again] = await Promise.all(twice)
    assert.deepEqual([Object.keys(first?.body ?? {}).sort(), again?.body], [members, first?.body])
    for (const [zone, shown] of [
      [pending.body.id, [...members, 'verification']],
      [live.name, members],
      [below.body.id, members],
    ]) {
      const answer = await api.call('POST', `/zones/${zone}/verify`, { key: narrow })
      assert.deepEqual([answer.status, answer.headers.etag], [200, undefined], zone)
      assert.deepEqual(Object.keys(answer.body).sort(), shown, zone)
    }
    for (const path of [`/${pending.body.id}`, '']) assert.equal((await get(path, narrow)).status, 403)
  }
  const reading = await api.key(account, { permissions: ['zones:manage', 'records:read'] })
  const whole = await api.call('POST', `/zones/${live.name}/verify`, { key: reading })
  const read = await get(`/${live.name}`, reading)
  assert.deepEqual([whole.body, whole.headers.etag], [read.body, read.headers.etag])
})

test('a zone that cannot be added is refused with the reason', async () => {
  for (const [name, status, code] of [
    ['a.example.com', 409, 'zone_exists'],
    ['pending.example.com', 409, 'zone_exists'],
    ['x.foreign.example.org', 409, 'conflict'],
    ['x.shared.example.org', 409, 'conflict'],
    ['co.uk', 422, 'validation_failed'],
    ['zonewright.test', 422, 'validation_failed'],
    ['a b', 422, 'validation_failed'],
    ['', 422, 'validation_failed'],
    ['x'.repeat(1_025), 422, 'validation_failed'],
    [7, 422, 'validation_failed'],
  ] as const) {
    const { status: answered, body } = await api.call('POST', '/zones', { key, body: { name } })
    assert.deepEqual([answered, body.error.code], [status, code], String(name))
    if (status === 422) assert.equal(body.error.details[0].path, '/name')
  }
  const unknown = await api.call('POST', '/zones', { key, body: { name: 'x.example.com', state: 'live' } })
  assert.deepEqual(
    unknown.body.error.details.map(({ path }: { path: string }) => path),
    ['/state'],
  )
  assert.equal((await api.call('POST', '/zones', { key })).status, 422)
})

test('repeating the POST of a zone with its Idempotency-Key adds one zone', async () => {
  const post = (name: string) =>
    api.call('POST', '/zones', { key, body: { name }, headers: { 'idempotency-key': 'one zone' } })
  const first = await post('once.example.net')
  const again = await post('once.example.net')
  assert.deepEqual([again.status, again.body, again.headers.location], [201, first.body, first.headers.location])
  assert.equal((await post('twice.example.net')).body.error.code, 'idempotency_mismatch')
  await sql`update zones set state = 'deleted' where id = ${first.body.id}`.execute(api.database.db)
})

test('a key for all zones lists its account’s own, by name; one for particular zones lists those, even shared ones', async () => {
  const own = ['a.example.com', 'b.example.com', 'c.example.com', 'pending.example.com', 'sub.a.example.com']
  assert.deepEqual(names(await get('')), own)
  const picked = await api.key(owner, { zones: [sharedId], permissions: ['records:read'] })
  const listed = await get('', picked)
  assert.deepEqual(names(listed), ['shared.example.org'])
  assert.equal(listed.body.data[0].role, 'manager')
  assert.deepEqual(names(await get('', await api.key(owner, { zones: [], permissions: ['records:read'] }))), [])
  assert.deepEqual(names(await get('', await api.key(stranger))), ['foreign.example.org', 'shared.example.org'])
})

test('a list is filtered by exact name, part of a name, role and state', async () => {
  assert.deepEqual(names(await get('?name=B.example.com.')), ['b.example.com'])
  assert.deepEqual(names(await get('?name=example.com')), [])
  assert.deepEqual(names(await get('?name=%20')), [])
  assert.deepEqual(names(await get('?q=A.EX')), ['a.example.com', 'sub.a.example.com'])
  assert.deepEqual(names(await get('?q=%25')), [])
  assert.deepEqual(names(await get('?state=pending')), ['pending.example.com'])
  assert.deepEqual(names(await get('?role=manager')), [])
  assert.equal(names(await get('?role=owner')).length, 5)
  assert.deepEqual(names(await get('?role=owner&state=live&q=sub')), ['sub.a.example.com'])
})

test('a name belongs to the longest zone at or above it that the key may see', async () => {
  for (const [name, zone] of [
    ['a.example.com', 'a.example.com'],
    ['www.a.example.com', 'a.example.com'],
    ['_acme-challenge.www.sub.a.example.com.', 'sub.a.example.com'],
    ['WWW.B.Example.Com', 'b.example.com'],
    ['*.pending.example.com', 'pending.example.com'],
    ['example.com', undefined],
    ['xa.example.com', undefined],
    ['www.foreign.example.org', undefined],
    ['www.shared.example.org', undefined],
    ['not%20a%20name', undefined],
  ] as const)
    assert.deepEqual(names(await get(`?owns_name=${name}`)), zone === undefined ? [] : [zone], name)
})

test('filters restrict which zone a name belongs to; without one, a shared live zone precedes an own pending one', async () => {
  const ownedBy = async (query: string, as = key) => names(await get(`?owns_name=${query}`, as))
  assert.deepEqual(await ownedBy('www.pending.example.com&state=live'), [])
  assert.deepEqual(await ownedBy('www.pending.example.com&state=pending'), ['pending.example.com'])
  assert.deepEqual(await ownedBy('www.sub.a.example.com&name=A.example.com.'), ['a.example.com'])
  assert.deepEqual(await ownedBy('www.a.example.com&q=sub'), [])
  assert.deepEqual(await ownedBy('www.a.example.com&role=manager'), [])
  assert.deepEqual(await ownedBy('www.a.example.com&role=owner'), ['a.example.com'])

  const person = await api.account('of-two@example.net')
  const pairs = ['one.twice.example', 'two.twice.example', 'three.twice.example', 'four.twice.example']
  const pending: string[] = []
  const live: string[] = []
  for (const [i, name] of pairs.entries()) {
    const make = {
      pending: async () =>
        pending.push((await api.call('POST', '/zones', { key: await api.key(person), body: { name } })).body.id),
      live: async () => live.push((await api.zone(stranger, name)).id),
    }
    for (const state of i % 2 === 0 ? (['pending', 'live'] as const) : (['live', 'pending'] as const))
      await make[state]()
  }
  await sql`insert into zone_managers (zone_id, account_id) select unnest(${live}::uuid[]), ${person}`.execute(
    api.database.db,
  )
  const asLongPending = await api.call('POST', '/zones', {
    key: await api.key(stranger),
    body: { name: 'all-pending.example' },
  })
  await sql`insert into zone_managers (zone_id, account_id) values (${asLongPending.body.id}, ${person})`.execute(
    api.database.db,
  )
  const own = await api.call('POST', '/zones', { key: await api.key(person), body: { name: 'all-pending.example' } })
  assert.equal((await get('?owns_name=www.all-pending.example', await api.key(person))).body.data[0]?.id, own.body.id)
  const both = await api.key(person, { zones: [...pending, ...live], permissions: ['records:read'] })
  for (const [i, name] of pairs.entries()) {
    const idOf = async (query: string) => (await get(`?owns_name=www.${name}${query}`, both)).body.data[0]?.id
    assert.equal(await idOf(''), live[i])
    assert.equal(await idOf('&role=owner'), pending[i])
    assert.equal(await idOf('&state=pending'), pending[i])
    assert.equal(await idOf('&role=manager'), live[i])
  }
})

test('pages continue where the last one ended, even if zones are added and removed in between', async () => {
  const first = await get('?limit=2')
  assert.deepEqual(names(first), ['a.example.com', 'b.example.com'])
  assert.match(String(first.headers.link), /^<\/api\/v1\/zones\?limit=2&cursor=[^>]+>; rel="next"$/)
  const early = await api.zone(owner, 'aa.example.com')
  const second = await get(`?limit=2&cursor=${first.body.next_cursor}`)
  assert.deepEqual(names(second), ['c.example.com', 'pending.example.com'])
  const last = await get(`?limit=2&cursor=${second.body.next_cursor}`)
  assert.deepEqual([names(last), last.body.next_cursor, last.headers.link], [['sub.a.example.com'], null, undefined])
  await sql`update zones set state = 'deleted' where id = ${early.id}`.execute(api.database.db)
})

test('an invalid cursor is refused, and never causes an internal error', async () => {
  const forged = (values: unknown): string => Buffer.from(JSON.stringify(values)).toString('base64url')
  for (const cursor of ['x', forged(['a']), forged([1, 2]), forged(['a', 'b', 'c']), forged(['\u0000', 'x'])]) {
    const { status, body } = await get(`?cursor=${cursor}`)
    assert.deepEqual(
      [status, body.error.details],
      [422, [{ path: 'cursor', code: 'invalid', message: body.error.details[0].message }]],
    )
  }
  assert.equal(
    (await get(`?cursor=${forged(['www.example.com', 'A'])}`)).status,
    200,
    'one of the rrset list has the same shape',
  )
  for (const query of ['?limit=0', '?limit=201', '?role=boss', '?state=deleted', '?bogus=1', '?q=%00'])
    assert.equal((await get(query)).status, 422, query)
})

test('a key that picked a shared zone reads it with the role of a manager', async () => {
  const picked = await api.key(owner, { zones: [sharedId], permissions: ['records:read'] })
  assert.equal((await get('/shared.example.org', picked)).body.role, 'manager')
})

test('by name, a live zone precedes the caller’s own pending one', async () => {
  const live = await api.zone(stranger, 'both.example.net')
  await api.call('POST', '/zones', { key, body: { name: 'both.example.net' } })
  await sql`insert into zone_managers (zone_id, account_id) values (${live.id}, ${owner})`.execute(api.database.db)
  const picked = await api.key(owner, { zones: [live.id], permissions: ['records:read'] })
  assert.equal((await get('/both.example.net', picked)).body.id, live.id)
  const strangersKey = await api.key(stranger)
  assert.equal((await get('/both.example.net', strangersKey)).body.id, live.id)
  assert.equal(
    (await get('/pending.example.com', strangersKey)).status,
    404,
    'another account’s pending zone is nobody’s business',
  )
})
