import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PreloadTarget } from '#http/call.ts'
import { RrsetPreload, ZonePreload } from '#modules/records/index.ts'
import { parseZoneRef } from '#modules/zones/index.ts'
import { type Db, sql } from '#platform/postgres/index.ts'
import { startTestApi } from '#testing/test-api.ts'
import { secretSha256 } from './key-secret.ts'
import { findKeys, type KeyLookup } from './lookup-store.ts'

const api = await startTestApi()
const account = await api.account('owner@example.net')
const key = await api.key(account)
const stranger = await api.key(await api.account('stranger@example.net'))
const zones = [
  await api.zone(account, 'one.example.com'),
  await api.zone(account, 'two.example.com'),
  await api.zone(account, 'three.example.com'),
] as const

/** What a request about an owner name of a zone shows. */
function lookup(zone: string, options: { key?: string; preload?: PreloadTarget } = {}): KeyLookup {
  return { hash: secretSha256(options.key ?? key), zone: parseZoneRef(zone), preload: options.preload }
}

/** Of each lookup of some that travel together: the preloaded values, or why there are none. */
async function valuesPreloaded(...lookups: KeyLookup[]): Promise<(string[] | 'no zone' | 'nothing')[]> {
  const found = await findKeys(api.database.db, lookups, 300)
  return found.map((each, i) => {
    if (!each?.zone) return 'no zone'
    const { preload, id } = each.zone
    if (preload instanceof RrsetPreload) return [...(preload.found.rrset?.records ?? [])]
    if (!(preload instanceof ZonePreload)) return 'nothing'
    const zone = preload.zoneFor(id, [lookups[i]?.preload?.ownerName ?? ''])
    assert.equal(zone?.name, each.zone.name)
    return zone?.rrsets.flatMap(({ records }) => [...records]) ?? []
  })
}

test('with each caller comes what stands at the owner name, of one and of many that travel together', async () => {
  for (const [i, { name }] of zones.entries())
    await api.call('PUT', `/zones/${name}/rrsets/www/A`, { key, body: { ttl: 60, records: [`192.0.2.${i}`] } })
  const www = (zone: string) => lookup(zone, { preload: { ownerName: `www.${zone}` } })
  assert.deepEqual(await valuesPreloaded(www('one.example.com')), [['192.0.2.0']])
  assert.deepEqual(
    await valuesPreloaded(
      www('one.example.com'),
      lookup('two.example.com', { preload: { ownerName: 'mail.two.example.com' } }),
      lookup('three.example.com'),
    ),
    [['192.0.2.0'], [], 'nothing'],
  )
})

test('nothing is preloaded of a zone that two ask about, nor of one that the caller does not see', async () => {
  const www = (zone: string, by = key) => lookup(zone, { key: by, preload: { ownerName: `www.${zone}` } })
  assert.deepEqual(
    await valuesPreloaded(www('one.example.com'), www('one.example.com'), www('two.example.com', stranger)),
    ['nothing', 'nothing', 'no zone'],
  )
})

test('with each reader comes its rrset, of one and of many, of one zone too, and beside a change', async () => {
  const [{ name: zone }] = zones
  const path = `/zones/${zone}/rrsets/both/A`
  const { headers } = await api.call('PUT', path, { key, body: { ttl: 60, records: ['192.0.2.7'] } })
  const ownerName = `both.${zone}`
  const change = lookup(zone, { preload: { ownerName } })
  const a = lookup(zone, { preload: { ownerName, type: 'A' } })
  const txt = lookup(zone, { preload: { ownerName, type: 'TXT' } })
  const unseen = lookup(zone, { key: stranger, preload: { ownerName, type: 'A' } })
  assert.deepEqual(await valuesPreloaded(a), [['192.0.2.7']])
  assert.deepEqual(await valuesPreloaded(txt), [[]])
  assert.deepEqual(await valuesPreloaded(unseen), ['no zone'])
  assert.deepEqual(await valuesPreloaded(a, txt, change, a), [['192.0.2.7'], [], ['192.0.2.7'], ['192.0.2.7']])
  assert.deepEqual(await valuesPreloaded(a, unseen), [['192.0.2.7'], 'no zone'])
  assert.equal((await api.call('GET', path, { key })).headers['etag'], headers['etag'])
})

test('a lone lookup asks no window but its own for room, also where PostgreSQL knows that there are few', async () => {
  const { db } = api.database
  for (let i = 0; i < 100; i++) await findKeys(db, [lookup('one.example.com', { key: await api.key(account) })], 300)
  await sql`analyze api_keys, api_key_windows`.execute(db)
  const plans: string[] = []
  const explaining: Db = {
    run: async (statement) => {
      const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${statement}`.execute(db)
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
      return statement.execute(db)
    },
  }
  assert.equal((await findKeys(explaining, [lookup('one.example.com')], 300)).length, 1)
  assert.equal(plans.length, 1)
  assert.match(plans[0] ?? '', /Scan .*on api_key_windows/)
  assert.doesNotMatch(plans[0] ?? '', /using api_keys_pkey/, 'windows are read first, and their keys after them')
})
