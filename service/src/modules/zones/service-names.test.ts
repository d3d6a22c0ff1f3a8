// Names of the service itself cannot become a zone in any way.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actorNamed } from '#platform/caller.ts'
import { sql } from '#platform/postgres/index.ts'
import { startTestApi, type TestAnswer, testFreeParent, testNameservers } from '#testing/test-api.ts'
import { TestPerson } from '#testing/test-person.ts'
import { codeOf } from '#testing/test-zones.ts'
import { giveBoughtZone } from './bought-zone.ts'
import { endDueContest } from './end-contest.ts'
import { isServiceName, serviceNamesOf } from './service-names.ts'
import { contestOf, startVerification } from './verification-store.ts'

const api = await startTestApi()
const { database } = api
const { db } = database
const person = await TestPerson.signedIn(api, 'person@example.net')
const accountId: string = (await person.call('GET', '/account')).body.id
const key = await api.key(accountId)
const operator = await api.account('operator@example.net')
const actor = actorNamed('system', 'test')

const add = (name: string): Promise<TestAnswer> => api.call('POST', '/zones', { key, body: { name } })

/** A zone that an earlier version allowed. */
async function leftover(name: string, change: { state?: string; vouched?: boolean } = {}): Promise<string> {
  const { state = 'pending', vouched = false } = change
  const { rows } = await sql<{ id: string }>`
    insert into zones (name, account_id, state, origin, serial, catalog_label, vouched, live_at, deleted_at)
    values (${name}, ${accountId}, ${state}, 'added', 1, gen_random_uuid()::text, ${vouched},
      case when ${vouched} then app_now() end, case when ${state} = 'deleted' then app_now() end) returning id`.execute(
    db,
  )
  return rows[0]?.id ?? assert.fail('no zone')
}
const stateOf = async (id: string): Promise<string | undefined> =>
  (await sql<{ state: string }>`select state from zones where id = ${id}`.execute(db)).rows[0]?.state

test('the names are the catalog, sample events, each nameserver, and the verification domain next to each nameserver', () => {
  assert.deepEqual(serviceNamesOf(['ns1.zonewright.test', 'ns2.zonewright.test', 'dns.example.org']), [
    'catalog.zonewright.invalid',
    'sample.zonewright.invalid',
    'ns1.zonewright.test',
    'ns2.zonewright.test',
    'dns.example.org',
    'verify.zonewright.test',
    'verify.example.org',
  ])
  const names = serviceNamesOf(testNameservers)
  for (const name of [
    'ns3.zonewright.test',
    'averify.zonewright.test',
    'zonewright.example',
    'catalog.invalid.example',
  ])
    assert.equal(isServiceName(name, names), false, name)
})

for (const name of [
  'catalog.zonewright.invalid',
  'CATALOG.Zonewright.Invalid.',
  'ｃａｔａｌｏｇ.zonewright.invalid',
  'catalog。zonewright。invalid',
  'member.catalog.zonewright.invalid',
  'zonewright.invalid',
  'sample.zonewright.invalid',
  'Sample.Zonewright.INVALID.',
  'www.sample.zonewright.invalid',
  'verify.zonewright.test',
  'Verify.ZONEWRIGHT.test.',
  'ⓥerify.zonewright.test',
  'token.verify.zonewright.test',
  'ns1.zonewright.test',
  'NS2.zonewright.TEST.',
  'ns２.zonewright.test',
  'deep.below.ns1.zonewright.test',
  'zonewright.test',
  'ｚonewright．test',
])
  test(`no one can add ${name}, not even as a pending zone`, async () => {
    const { status, body } = await add(name)
    assert.deepEqual(
      [status, body.error?.details?.[0]?.code, body.error?.details?.[0]?.path],
      [422, 'reserved', '/name'],
    )
    const { rows } = await sql`select name from zones where account_id = ${accountId} and state <> 'deleted'`.execute(
      db,
    )
    assert.deepEqual(rows, [])
  })

test('an account that has a domain with such a name gets no zone for it, or below it', async () => {
  await sql`
    insert into domains (name, tld, account_id, state, order_id, auto_renew)
    values ('zonewright.test', 'test', ${accountId}, 'held', 'ord_1', false)`.execute(db)
  for (const name of ['zonewright.test', 'ns1.zonewright.test', 'x.verify.zonewright.test'])
    assert.equal((await add(name)).status, 422, name)
  for (const domain of ['zonewright.test', 'zonewright.invalid'])
    await database.transact((tx) => giveBoughtZone(tx, api.verification, { actor, accountId }, domain))
  const { rows } = await sql`select name from zones where account_id = ${accountId}`.execute(db)
  assert.deepEqual(rows, [])
  await sql`delete from domains where name = 'zonewright.test'`.execute(db)
})

test('a zone with such a name, added in an earlier version, stays pending whatever the DNS shows', async () => {
  for (const name of ['catalog.zonewright.invalid', 'verify.zonewright.test', 'x.verify.zonewright.test']) {
    const id = await leftover(name)
    await database.transact((tx) => startVerification(tx, id))
    const { verification } = (await api.call('GET', `/zones/${id}`, { key })).body
    api.dns.set(verification.txt.name, 'TXT', [JSON.stringify(verification.txt.value)])
    const { status, body } = await api.call('POST', `/zones/${id}/verify`, { key })
    assert.deepEqual([status, body.state, body.verification.outcome], [200, 'pending', 'refused'], name)
  }
})

test('such a zone also does not change hands at the end of a contest', async () => {
  const live = await api.zone(operator, 'beside.verify.zonewright.test')
  const id = await leftover('beside.verify.zonewright.test')
  await database.transact((tx) => startVerification(tx, id))
  const { verification } = (await api.call('GET', `/zones/${id}`, { key })).body
  api.dns.set(verification.txt.name, 'TXT', [JSON.stringify(verification.txt.value)])
  await sql`
    insert into zone_contests (live_zone_id, zone_id, began_at, ends_at, due_at)
    values (${live.id}, ${id}, app_now() - interval '6 days', app_now() - interval '3 days', app_now())`.execute(db)
  const contest = await database.transact((tx) => contestOf(tx, live.id, 0))
  assert.ok(contest)
  await endDueContest(database, api.verification, contest)
  assert.deepEqual([await stateOf(live.id), await stateOf(id)], ['live', 'pending'])
})

test('such a zone cannot be restored unless the operator added it; the catalog zone never can', async () => {
  for (const name of [
    'catalog.zonewright.invalid',
    'verify.zonewright.test',
    'ns1.zonewright.test',
    'zonewright.test',
  ]) {
    const id = await leftover(name, { state: 'deleted' })
    const { status, body } = await person.call('POST', `/deleted-zones/${id}/restore`)
    assert.deepEqual([status, body.error.details[0].code, await stateOf(id)], [422, 'reserved', 'deleted'], name)
  }
  const catalog = await leftover('catalog.zonewright.invalid', { state: 'deleted', vouched: true })
  assert.equal((await person.call('POST', `/deleted-zones/${catalog}/restore`)).status, 422)
  const own = await leftover('zonewright.test', { state: 'deleted', vouched: true })
  assert.equal((await person.call('POST', `/deleted-zones/${own}/restore`)).status, 200)
  assert.equal(await stateOf(own), 'live')
  await sql`update zones set state = 'deleted', deleted_at = app_now() where id = ${own}`.execute(db)
})

test('no free subdomain with such a name can be claimed', async () => {
  const isFree = async (name: string) => {
    const { body } = await api.call('GET', `/free-subdomains/availability?name=${name}`, { key })
    return [body.available, body.reason]
  }
  const { nameservers } = api.verification
  assert.deepEqual(nameservers, testNameservers)
  await api.zone(operator, testFreeParent)
  assert.deepEqual(await isFree(`petals.${testFreeParent}`), [true, null])
  assert.deepEqual(await isFree(`verify.${testFreeParent}`), [false, 'reserved'])
  assert.deepEqual(
    codeOf(await api.call('POST', '/free-subdomains', { key, body: { name: `ns1.${testFreeParent}` } })),
    [422, 'validation_failed'],
  )
})
