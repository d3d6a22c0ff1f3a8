import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Preload } from '#http/call.ts'
import { preloadRrset, RrsetPreload, ZonePreload, zonePreloadAt } from '#modules/records/preload.ts'
import { parseZoneRef } from '#modules/zones/index.ts'
import { type Db, sql } from '#platform/postgres/index.ts'
import { startTestApi } from '#testing/test-api.ts'
import { secretSha256 } from './key-secret.ts'
import { findKeys, type KeyLookup } from './lookup-store.ts'
import { requestLimit, updateLimit } from './window-store.ts'

const perMinute = requestLimit(300)
const api = await startTestApi()
const account = await api.account('owner@example.net')
const key = await api.key(account)
const stranger = await api.key(await api.account('stranger@example.net'))
const zones = [
  await api.zone(account, 'one.example.com'),
  await api.zone(account, 'two.example.com'),
  await api.zone(account, 'three.example.com'),
] as const

/** A lookup for a request about an owner name of a zone. */
function lookup(zone: string, options: { key?: string; preload?: Preload | undefined } = {}): KeyLookup {
  return { hash: secretSha256(options.key ?? key), zone: parseZoneRef(zone), preload: options.preload }
}

/** For each lookup of a batch: the preloaded values, or the reason why there are none. */
async function valuesPreloaded(...lookups: KeyLookup[]): Promise<(string[] | 'no zone' | 'nothing')[]> {
  const found = await findKeys(api.database.db, lookups, perMinute)
  return found.map((each, i) => {
    if (!each?.zone) return 'no zone'
    const { preload, id } = each.zone
    if (preload instanceof RrsetPreload) return [...(preload.found.rrset?.records ?? [])]
    if (!(preload instanceof ZonePreload)) return 'nothing'
    const zone = preload.zoneFor(id, [lookups[i]?.preload?.args[0] ?? ''])
    assert.equal(zone?.name, each.zone.name)
    return zone?.rrsets.flatMap(({ records }) => [...records]) ?? []
  })
}

test('each caller of a lookup, alone or with others, gets the preload of its owner name', async () => {
  for (const [i, { name }] of zones.entries())
    await api.call('PUT', `/zones/${name}/rrsets/www/A`, { key, body: { ttl: 60, records: [`192.0.2.${i}`] } })
  const www = (zone: string) => lookup(zone, { preload: zonePreloadAt(`www.${zone}`) })
  assert.deepEqual(await valuesPreloaded(www('one.example.com')), [['192.0.2.0']])
  assert.deepEqual(
    await valuesPreloaded(
      www('one.example.com'),
      lookup('two.example.com', { preload: zonePreloadAt('mail.two.example.com') }),
      lookup('three.example.com'),
    ),
    [['192.0.2.0'], [], 'nothing'],
  )
})

test('preloads nothing for a zone that two callers change, or that the caller cannot access', async () => {
  const www = (zone: string, by = key) => lookup(zone, { key: by, preload: zonePreloadAt(`www.${zone}`) })
  assert.deepEqual(
    await valuesPreloaded(www('one.example.com'), www('one.example.com'), www('two.example.com', stranger)),
    ['nothing', 'nothing', 'no zone'],
  )
})

test('each reader gets its rrset, alone or in a batch, also from one zone and next to a change', async () => {
  const [{ name: zone }] = zones
  const path = `/zones/${zone}/rrsets/both/A`
  const { headers } = await api.call('PUT', path, { key, body: { ttl: 60, records: ['192.0.2.7'] } })
  const change = lookup(zone, { preload: zonePreloadAt(`both.${zone}`) })
  const reading = (type: string, by = key) =>
    lookup(zone, { key: by, preload: preloadRrset({ zone, name: 'both', type }) })
  const [a, txt, unseen] = [reading('A'), reading('TXT'), reading('A', stranger)]
  assert.deepEqual(await valuesPreloaded(a), [['192.0.2.7']])
  assert.deepEqual(await valuesPreloaded(txt), [[]])
  assert.deepEqual(await valuesPreloaded(unseen), ['no zone'])
  assert.deepEqual(await valuesPreloaded(a, txt, change, a), [['192.0.2.7'], [], ['192.0.2.7'], ['192.0.2.7']])
  assert.deepEqual(await valuesPreloaded(a, unseen), [['192.0.2.7'], 'no zone'])
  assert.equal((await api.call('GET', path, { key })).headers['etag'], headers['etag'])
})

test('reads a route’s own preload with its arguments only from the zone that the key can access', async () => {
  const word = (said: string, zone = 'one.example.com', by = key) =>
    lookup(zone, { key: by, preload: { column: sayingColumn, args: [said], read: String, isForChange: false } })
  const preloaded = async (...lookups: KeyLookup[]) =>
    (await findKeys(api.database.db, lookups, perMinute)).map((found) => found?.zone?.preload)
  assert.deepEqual(await preloaded(word('alone')), ['alone one.example.com'])
  assert.deepEqual(
    await preloaded(word("it's", 'two.example.com'), word('"\\'), word('x', 'one.example.com', stranger)),
    ["it's two.example.com", '"\\ one.example.com', undefined],
  )
  assert.deepEqual(await preloaded(word('byId', zones[2].id), lookup('two.example.com')), [
    'byId three.example.com',
    undefined,
  ])
})

const sayingColumn = sql`to_json(asked.args[1] || ' ' || z.name)`

test('a lookup is one statement and uses the indexes of keys and windows, also with many keys and after ANALYZE', async () => {
  const { db } = api.database
  for (let i = 0; i < 100; i++)
    await findKeys(db, [lookup('one.example.com', { key: await api.key(account) })], perMinute)
  await sql`insert into api_key_windows select 'many' || n, '{}', 0 from generate_series(1, 10000) n`.execute(db)
  await sql`analyze api_keys, api_key_windows, zones, accounts`.execute(db)
  const plans: string[] = []
  const explaining: Db = {
    run: async (statement) => {
      const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${statement}`.execute(db)
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
      return statement.execute(db)
    },
  }
  const preload = zonePreloadAt('www.one.example.com')
  const planOf = async (limit: ReturnType<typeof requestLimit>, ...lookups: KeyLookup[]): Promise<string> => {
    assert.equal((await findKeys(explaining, lookups, limit)).length, lookups.length)
    const plan = plans.pop() ?? ''
    assert.equal(plans.length, 0)
    assert.doesNotMatch(plan, /Seq Scan on (?:zone_rrsets|api_key_windows)/)
    return plan
  }
  for (const limit of [perMinute, updateLimit(300)]) {
    const lone = await planOf(limit, lookup('one.example.com', { preload }))
    assert.match(lone, /Index Scan using api_key_windows_pkey on api_key_windows/)
    assert.doesNotMatch(lone, /using api_keys_pkey/, 'windows are read first, and their keys after them')
    const several = await planOf(limit, lookup('one.example.com'), lookup('two.example.com'))
    assert.match(several, /Conflict Arbiter Indexes: api_key_windows_pkey/)
    assert.doesNotMatch(several, /Scan .*on api_key_windows/, 'windows are read by themselves')
  }
})

test('a request that was counted before is looked up without being counted again', async () => {
  const fresh = await api.key(account)
  const [counted] = await findKeys(api.database.db, [lookup('one.example.com', { key: fresh })], perMinute)
  const [again] = await findKeys(api.database.db, [lookup('one.example.com', { key: fresh })], undefined)
  assert.equal(counted?.window.used, 1)
  assert.deepEqual([again?.key, again?.zone], [counted?.key, counted?.zone])
  assert.equal(again?.window.used, null)
  const [later] = await findKeys(api.database.db, [lookup('one.example.com', { key: fresh })], perMinute)
  assert.equal(later?.window.used, 2)
})
