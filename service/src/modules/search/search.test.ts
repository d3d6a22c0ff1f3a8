import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WireSearchResult } from '@zonewright/contract'
import { sql } from '#platform/postgres/index.ts'
import { eventually } from '#testing/eventually.ts'
import { startTestApi } from '#testing/test-api.ts'
import { TestPerson } from '#testing/test-person.ts'
import { codeOf, faultsOf } from '#testing/test-zones.ts'
import { SearchIndexes, usualIndexLimits } from './search-index.ts'

const api = await startTestApi()
const { db } = api.database
const person = await TestPerson.signedIn(api, 'owner@example.net')
const owner: string = (await person.call('GET', '/account')).body.id
const stranger = await api.account('stranger@example.net')
const everything = await api.key(owner)
const zone = await api.zone(owner, 'searched.example.org')
const other = await api.zone(owner, 'second.example.org')
const foreign = await api.zone(stranger, 'foreign.example.org')
await put('www', 'A', ['192.0.2.77'])
await put('www', 'TXT', [`"${'long '.repeat(40)}"`, '"needle-1 50%_"', `"${'x'.repeat(240)}" "needle-2"`])
await put('secret', 'A', ['192.0.2.78'])
await put('www', 'A', ['192.0.2.79'], other.name)
await sql`
  insert into zone_rrsets (zone_id, name, type, ttl, records) values (${foreign.id}, 'www.foreign.example.org', 'A', 60, '{192.0.2.77}')`.execute(
  db,
)
await sql`
  insert into domains (name, tld, account_id, state, order_id, auto_renew, expires_at) values
    ('searched.test', 'test', ${owner}, 'held', 'ord_1', false, '2027-01-02T03:04:05Z'),
    ('xn--bcher-kva.test', 'test', ${owner}, 'held', 'ord_1', false, null),
    ('foreign.test', 'test', ${stranger}, 'held', 'ord_1', false, null)`.execute(db)
await sql`
  insert into orders (id, account_id, kind, name, tld, years, status, amount_kobo, credit_kobo, promo_code, promo_kobo, renewal_kobo,
    client_email, auto_renew, nameservers)
  values ('ord_0199', ${owner}, 'register', 'searched.test', 'test', 1, 'completed', 100, 0, '', 0, 100, '', false, '{}')`.execute(
  db,
)

async function put(name: string, type: string, records: string[], inZone = zone.name): Promise<void> {
  const path = `/zones/${inZone}/rrsets/${name}/${type}`
  assert.equal((await api.call('PUT', path, { key: everything, body: { records } })).status, 201)
}

const search = async (q: string, key?: string): Promise<WireSearchResult> => {
  const path = `/search?q=${encodeURIComponent(q)}`
  const answer = await (key === undefined ? person.call('GET', path) : api.call('GET', path, { key }))
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}
const records = ({ records: { data } }: WireSearchResult): string[] => data.map(({ name, type }) => `${name} ${type}`)
const names = (hits: { data: { name: string }[] } | null): string[] | undefined => hits?.data.map(({ name }) => name)

test('a person finds zones, records, domains, orders and keys, but nothing of other accounts', async () => {
  const found = await search('searched')
  assert.equal(found.complete, true)
  assert.deepEqual(found.zones.data, [
    { id: zone.id, name: zone.name, unicode_name: zone.name, state: 'live', role: 'owner' },
  ])
  assert.deepEqual(found.domains?.data, [
    { name: 'searched.test', unicode_name: 'searched.test', role: 'owner', expires_at: '2027-01-02T03:04:05.000Z' },
  ])
  assert.deepEqual(
    found.orders?.data.map(({ id, status }) => [id, status]),
    [['ord_0199', 'completed']],
  )
  assert.deepEqual(names((await search('0199')).orders), ['searched.test'])
  assert.deepEqual(names((await search('bücher')).domains), ['xn--bcher-kva.test'])
  assert.equal((await search('owner')).keys?.data.length, 0)
  const [key] = (await search('key_')).keys?.data ?? []
  assert.deepEqual([key?.state, key?.hint.length], ['live', 4])
  assert.deepEqual(records(await search('192.0.2.77')), [`www.${zone.name} A`])
  assert.deepEqual((await search('foreign')).zones.data, [])
})

test('a hit shows the record that contains the text, truncated if it is long', async () => {
  const [hit] = (await search('needle-1 50%_')).records.data
  assert.deepEqual(hit, {
    zone: { id: zone.id, name: zone.name, state: 'live' },
    name: `www.${zone.name}`,
    type: 'TXT',
    ttl: 3600,
    value: '"needle-1 50%_"',
    record_count: 3,
  })
  const [long] = (await search('needle-2')).records.data
  assert.match(long?.value ?? '', /^"x{240}" "needle-2"$/)
  assert.deepEqual(records(await search('%%')), [])
})

test('a key finds what it can read: its zones within its limits, and domains with domains:read', async () => {
  const reads = await api.key(owner, { permissions: ['records:read'] })
  const all = await search('searched', reads)
  assert.deepEqual([all.domains, all.orders, all.keys], [null, null, null])
  assert.equal(records(await search('www', reads)).length, 3)
  const ofOne = await api.key(owner, { zones: [other.id], permissions: ['records:read', 'domains:read'] })
  const found = await search('example', ofOne)
  assert.deepEqual(names(found.zones), [other.name])
  assert.deepEqual([found.domains?.data, found.orders?.data], [[], []])
  assert.deepEqual(records(await search('www', ofOne)), [`www.${other.name} A`])
  const limited = await api.key(owner, {
    picks: [{ kind: 'zone', id: zone.id }],
    limits: [{ zone: zone.name, names: ['www'], types: ['A'] }],
    permissions: ['records:read'],
  })
  assert.deepEqual(records(await search('192.0.2', limited)), [`www.${zone.name} A`])
  assert.deepEqual(records(await search('needle', limited)), [])
  assert.deepEqual(names((await search('example', limited)).zones), [zone.name])
  const writes = await api.key(owner, { permissions: ['records:write'] })
  assert.deepEqual(codeOf(await api.call('GET', '/search?q=www', { key: writes })), [403, 'forbidden'])
  assert.deepEqual(names((await search('foreign', await api.key(stranger))).zones), [foreign.name])
})

test('a change is found within two seconds, and deleted records and zones are no longer found', async () => {
  assert.deepEqual(records(await search('fresh')), [])
  await put('fresh', 'A', ['192.0.2.80'])
  const began = performance.now()
  await eventually('it is found', async () => records(await search('fresh')).length === 1)
  assert.ok(performance.now() - began < 2_000)
  await api.call('DELETE', `/zones/${zone.name}/rrsets/fresh/A`, { key: everything })
  assert.deepEqual(records(await search('fresh')), [], 'at once, although it may still be in the index')
  const added = await api.zone(owner, 'added.example.org')
  await eventually('the zone is found', async () => (await search('added')).zones.data.length === 1)
  await sql`update zones set state = 'deleted', deleted_at = app_now() where id = ${added.id}`.execute(db)
  assert.deepEqual((await search('added')).zones.data, [])
})

test('a manager finds a shared zone for as long as it is shared', async () => {
  const shared = await api.zone(stranger, 'shared.example.org')
  await sql`insert into zone_managers (zone_id, account_id) values (${shared.id}, ${owner})`.execute(db)
  await eventually('it is found', async () => (await search('shared')).zones.data[0]?.role === 'manager')
  assert.deepEqual(names((await search('shared', everything)).zones), [], 'a key for all zones does not cover it')
  await sql`delete from zone_managers where zone_id = ${shared.id}`.execute(db)
  assert.deepEqual((await search('shared')).zones.data, [])
})

test('refuses a search that is too short, too long or empty, and says what to do', async () => {
  const refused = async (query: string) => faultsOf(await person.call('GET', `/search${query}`))
  assert.deepEqual(await refused('?q=a'), ['too_short q'])
  assert.deepEqual(await refused('?q='), ['too_short q'])
  assert.deepEqual(await refused(`?q=${'a'.repeat(101)}`), ['too_long q'])
  const { body } = await person.call('GET', `/search?q=${'a'.repeat(1_025)}`)
  assert.equal(body.error.details[0].message, 'Search for at most 100 characters.')
  assert.deepEqual(await refused('?q=a%E2%80%AEb'), ['bad_character q'])
  assert.equal((await person.call('GET', '/search')).status, 422)
  assert.equal((await person.call('GET', '/search?q=ab&limit=1000')).status, 422)
})

test('an index stays within its limits and reports that it is not complete', async () => {
  // On a busy machine, reading the index can take longer than the usual patience.
  const patient = { ...usualIndexLimits, patienceMs: 60_000 }
  const small = new SearchIndexes(db, { ...patient, accountBytes: 1 })
  const index = await small.of(owner)
  assert.equal(index.isComplete, false)
  assert.equal(index.textOf(zone.id), undefined)
  assert.ok(index.listing.zones.some(({ id }) => id === zone.id))
  const two = new SearchIndexes(db, { ...patient, processBytes: 1 })
  assert.equal((await two.of(owner)).isComplete, true)
  const ofOne = two.bytes
  await two.of(stranger)
  assert.ok(two.bytes < ofOne, 'the index of the account that searched before is dropped')
  const impatient = new SearchIndexes(db, { ...usualIndexLimits, patienceMs: 0 })
  assert.equal((await impatient.of(owner)).isComplete, false)
  await eventually('the records are there', async () => (await impatient.of(owner)).textOf(zone.id) !== undefined)
})
