import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from '#platform/postgres/index.ts'
import { startTestApi, type TestAnswer } from '#testing/test-api.ts'
import { TestPerson } from '#testing/test-person.ts'

const api = await startTestApi()
const { db } = api.database
const owner = await api.account('owner@example.net')
const other = await api.account('other@example.net')
const key = await api.key(owner)
/** Every zone of the list, by name. Two are shared by another account. */
const all = ['a.example', 'b.example', 'c.example', 'd.example', 'e.example', 'sub.a.example']
const shared = ['b.example', 'e.example']
let picked = ''

before(async () => {
  for (const name of all.slice(0, -1)) {
    const { id } = await api.zone(shared.includes(name) ? other : owner, name)
    if (shared.includes(name)) await sql`insert into zone_managers values (${id}, ${owner})`.execute(db)
  }
  // The zone above delegates to it.
  await api.call('POST', '/zones', { key, body: { name: 'sub.a.example' } })
  const ids = await sql<{ id: string }>`select id from zones`.execute(db)
  picked = await api.key(owner, { zones: ids.rows.map(({ id }) => id), permissions: ['records:read'] })
  await sql`update zones set labels = '{shop,eu}' where name = any('{a.example,b.example}')`.execute(db)
  await sql`update zones set labels = '{eu}', rrset_count = 12 where name = 'd.example'`.execute(db)
  await sql`update zones set rrset_count = 3 where name = 'c.example'`.execute(db)
  await sql`
    update zone_delegations set state = 'live' where zone_id in (select id from zones where name = any('{a.example,e.example}'))`.execute(
    db,
  )
  await sql`
    update zone_delegations set registry_expires_at = '2027-05-01T00:00:00Z'
    where zone_id = (select id from zones where name = 'c.example')`.execute(db)
  await sql`
    insert into domains (name, tld, account_id, state, order_id, auto_renew, expires_at, has_ds)
    values ('a.example', 'example', ${owner}, 'held', 'ord_1', true, '2027-03-01T00:00:00Z', true),
      ('b.example', 'example', ${other}, 'held', 'ord_2', true, '2026-12-24T00:00:00Z', false),
      ('c.example', 'example', ${owner}, 'gone', 'ord_3', true, '2020-01-01T00:00:00Z', true)`.execute(db)
  // The zone below another one has a DS record there.
  await sql`
    insert into zone_rrsets (zone_id, name, type, ttl, records)
    select id, 'sub.a.example', 'DS', 300, '{"1 13 2 00"}' from zones where name = 'a.example'`.execute(db)
})

const get = (query: string, as = picked): Promise<TestAnswer> => api.call('GET', `/zones${query}`, { key: as })
const names = ({ status, body }: TestAnswer): string[] => {
  assert.equal(status, 200, JSON.stringify(body))
  return body.data.map(({ name }: { name: string }) => name)
}

/** The names of all pages. */
async function walk(query: string, limit: number): Promise<string[]> {
  const found: string[] = []
  for (let cursor = ''; ; ) {
    const page = await get(`?limit=${limit}&${query}${cursor}`)
    found.push(...names(page))
    if (page.body.next_cursor === null) return found
    cursor = `&cursor=${page.body.next_cursor}`
  }
}

test('a zone shows when its domain expires, whether its parent has DS records, and its presets', async () => {
  const [a, b, c, d, , sub] = (await get('')).body.data
  assert.deepEqual([a.expires_at, a.dnssec, a.presets], ['2027-03-01T00:00:00.000Z', { parent_ds: true }, []])
  assert.deepEqual([b.expires_at, b.dnssec], ['2026-12-24T00:00:00.000Z', { parent_ds: false }])
  // The domain has left: only the registry's last answer counts.
  assert.deepEqual([c.expires_at, c.dnssec], ['2027-05-01T00:00:00.000Z', { parent_ds: null }])
  assert.deepEqual([d.expires_at, d.dnssec], [null, { parent_ds: null }])
  assert.deepEqual(sub.dnssec, { parent_ds: true })
})

test('a list is filtered by label, delegation, DNSSEC and expiry, and by several of them at once', async () => {
  for (const [query, found] of [
    ['label=shop', ['a.example', 'b.example']],
    ['label=eu', ['a.example', 'b.example', 'd.example']],
    ['label=sho', []],
    ['delegation=live', ['a.example', 'e.example']],
    ['delegation=lost', []],
    ['dnssec=ds', ['a.example', 'sub.a.example']],
    ['dnssec=no_ds', ['b.example']],
    ['dnssec=unknown', ['c.example', 'd.example', 'e.example']],
    ['expires_before=2027-01-01T00:00:00Z', ['b.example']],
    ['expires_before=2028-01-01T00:00:00Z', ['a.example', 'b.example', 'c.example']],
    ['label=shop&delegation=live', ['a.example']],
    ['label=eu&dnssec=unknown&q=d', ['d.example']],
    ['label=eu&role=manager', ['b.example']],
    ['owns_name=www.b.example&label=shop', ['b.example']],
    ['owns_name=www.c.example&label=shop', []],
  ] as const)
    assert.deepEqual(names(await get(`?${query}`)), found, query)
})

test('a list is sorted by each field in both orders, with unknown values last, and its pages have each zone once', async () => {
  const byExpiry = ['b.example', 'a.example', 'c.example', 'd.example', 'e.example', 'sub.a.example']
  for (const [sort, found] of [
    ['name', all],
    ['-name', all.toReversed()],
    ['expires_at', byExpiry],
    ['-expires_at', ['c.example', 'a.example', 'b.example', 'sub.a.example', 'e.example', 'd.example']],
    ['delegation', ['a.example', 'e.example', 'b.example', 'c.example', 'd.example', 'sub.a.example']],
    ['-delegation', ['sub.a.example', 'd.example', 'c.example', 'b.example', 'e.example', 'a.example']],
    ['state', all],
    ['created_at', all],
    ['-created_at', all.toReversed()],
  ] as const)
    for (const limit of [1, 2, 200]) assert.deepEqual(await walk(`sort=${sort}`, limit), found, `${sort} ${limit}`)
  assert.deepEqual((await walk('sort=-rrset_count', 2)).slice(0, 2), ['d.example', 'c.example'])
  assert.deepEqual(await walk('sort=expires_at&label=eu', 1), ['b.example', 'a.example', 'd.example'])
  // Without a shared one: one branch only.
  assert.deepEqual(names(await get('?sort=-name', key)), ['sub.a.example', 'd.example', 'c.example', 'a.example'])
})

test('a cursor is valid only in the order in which it was returned', async () => {
  const { next_cursor: cursor } = (await get('?limit=2&sort=expires_at')).body
  assert.equal((await get(`?limit=2&sort=expires_at&cursor=${cursor}`)).status, 200)
  for (const query of ['', '&sort=-expires_at', '&sort=name', '&sort=created_at']) {
    const { status, body } = await get(`?limit=2${query}&cursor=${cursor}`)
    assert.deepEqual([status, body.error.details[0].path], [422, 'cursor'], query)
  }
})

test('a preset that was applied is shown and found, and one that was only tried is not', async () => {
  const apply = (zone: string, query: string) =>
    api.call('POST', `/zones/${zone}/presets/netlify.com.website${query}`, {
      key,
      body: { parameters: { site: 'my-site' } },
    })
  assert.equal((await apply('c.example', '?dry_run=true')).status, 200)
  assert.deepEqual(names(await get('?preset=netlify.com.website')), [])
  for (const zone of ['c.example', 'c.example', 'd.example']) assert.equal((await apply(zone, '')).status, 200)
  assert.deepEqual(names(await get('?preset=netlify.com.website')), ['c.example', 'd.example'])
  assert.deepEqual((await get('/c.example')).body.presets, ['netlify.com.website'])
  assert.deepEqual(names(await get('?preset=google.com.workspace&q=c')), [])
})

test('an invalid value is refused with a list of the valid ones', async () => {
  for (const [query, path, said] of [
    ['sort=label', 'sort', /"-expires_at"/],
    ['delegation=up', 'delegation', /"waiting"/],
    ['dnssec=yes', 'dnssec', /"no_ds"/],
    ['state=deleted', 'state', /"pending"/],
    ['role=boss', 'role', /"manager"/],
    ['label=Größe', 'label', /a–z/],
    ['label=', 'label', /a–z/],
    ['expires_before=soon', 'expires_before', /./],
    ['preset=none.example', 'preset', /netlify\.com\.website/],
  ] as const) {
    const { status, body } = await get(`?${new URLSearchParams(query)}`)
    assert.equal(status, 422, query)
    assert.equal(body.error.details[0].path, path)
    assert.match(body.error.details[0].message, said)
  }
})

test('one call changes the labels of many zones, and reports the outcome for each', async () => {
  const person = await TestPerson.signedIn(api, 'labels@example.net')
  const { id: accountId } = (await person.call('GET', '/account')).body
  const [own, shared, foreign] = [
    await api.zone(accountId, 'own.labels.example'),
    await api.zone(other, 'shared.labels.example'),
    await api.zone(other, 'foreign.labels.example'),
  ].map(({ id }) => id)
  await sql`insert into zone_managers values (${shared}, ${accountId})`.execute(db)
  const change = (body: object) => person.call('PATCH', '/zones', { body })
  const labelsOf = async (name: string) => (await person.call('GET', `/zones/${name}`)).body.labels
  await person.call('PATCH', '/zones/own.labels.example', { body: { comment: 'Mine.', labels: ['old', 'both'] } })
  const { status, body } = await change({ zones: [foreign, own, shared], add: ['shop', 'both'], remove: ['old'] })
  assert.equal(status, 200)
  assert.deepEqual(body.data, [
    { zone: foreign, outcome: 'not_found', labels: [] },
    { zone: own, outcome: 'changed', labels: ['both', 'shop'] },
    { zone: shared, outcome: 'changed', labels: ['shop', 'both'] },
  ])
  assert.deepEqual(await labelsOf('own.labels.example'), ['both', 'shop'])
  assert.equal((await person.call('GET', '/zones/own.labels.example')).body.comment, 'Mine.')
  assert.deepEqual((await change({ zones: [own], add: ['shop'] })).body.data[0].outcome, 'unchanged')
  const many = Array.from({ length: 19 }, (_, i) => `l${i}`)
  assert.deepEqual((await change({ zones: [own], add: many })).body.data, [
    { zone: own, outcome: 'too_many', labels: ['both', 'shop'] },
  ])
  assert.equal((await change({ zones: [own], remove: ['both', 'shop'] })).body.data[0].outcome, 'changed')
  assert.equal(await labelsOf('own.labels.example'), undefined)
  const { rows } = await sql<{ zone_id: string }>`
    select zone_id from audit_log where action = 'zone.described' and zone_id = any(${[own, shared, foreign]})`.execute(
    db,
  )
  assert.deepEqual(rows.map(({ zone_id: id }) => id).sort(), [own, own, own, shared].sort())
  for (const [wrong, path] of [
    [{ zones: [] }, '/zones'],
    [{ zones: Array.from({ length: 201 }, () => own) }, '/zones'],
    [{ zones: ['x'] }, '/zones/0'],
    [{ zones: [own], add: ['Größe'] }, '/add/0'],
    [{ zones: [own], add: Array.from({ length: 21 }, (_, i) => `x${i}`) }, '/add'],
  ] as const) {
    const answer = await change(wrong)
    assert.deepEqual([answer.status, answer.body.error.details[0].path], [422, path])
  }
})

test('one call checks many names, each as if it were added alone', async () => {
  const names = [
    'a.example',
    'FREE.example.',
    'b.example',
    'x.b.example',
    'co.uk',
    'a b',
    'zonewright.test',
    'new.a.example',
  ]
  const { status, body } = await api.call('POST', '/zone-availability', { key, body: { names } })
  assert.equal(status, 200)
  assert.deepEqual(
    body.data.map(({ name, available, reason }: Record<string, unknown>) => [name, available, reason]),
    [
      ['a.example', false, 'yours'],
      ['free.example', true, null],
      ['b.example', true, 'hosted'],
      ['x.b.example', false, 'taken'],
      ['co.uk', false, 'invalid'],
      ['a b', false, 'invalid'],
      ['zonewright.test', false, 'reserved'],
      ['new.a.example', true, null],
    ],
  )
  for (const [i, name] of names.entries()) {
    const alone = await api.call('GET', `/zone-availability?${new URLSearchParams({ name })}`, { key })
    assert.deepEqual(alone.body, body.data[i], name)
  }
  const left = body.zones_left
  await sql`update accounts set zone_limit = 4 where id = ${owner}`.execute(db)
  const full = (await api.call('POST', '/zone-availability', { key, body: { names: ['free.example'] } })).body
  assert.deepEqual([left > 900, full.zones_left, full.data[0].reason], [true, 0, 'limit'])
  await sql`update accounts set zone_limit = null where id = ${owner}`.execute(db)
  for (const wrong of [[], Array.from({ length: 101 }, (_, i) => `${i}.example`), [''], [7]])
    assert.equal((await api.call('POST', '/zone-availability', { key, body: { names: wrong } })).status, 422)
})
