import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actorNamed } from '#platform/caller.ts'
import { sql } from '#platform/postgres/index.ts'
import { startTestApi } from '#testing/test-api.ts'
import { commitPreloaded } from './commit-change.ts'
import { ZonePreload } from './preload.ts'
import { type ZonePreloadRow, zonePreloadColumn } from './store.ts'
import type { ChangeRequest } from './zone-draft.ts'

const api = await startTestApi()
const { db } = api.database
const account = await api.account('owner@example.net')
const key = await api.key(account)
const zone = await api.zone(account, 'fenced.test')

/** Runs `work` on a timeline that no primary has adopted, as after a failover; then a primary adopts it. */
async function whileFenced(work: () => Promise<void>): Promise<void> {
  await sql`update serial_fence set timeline = '0' || timeline`.execute(db)
  try {
    await work()
  } finally {
    await sql`update serial_fence set timeline = substr(timeline, 2), serial_offset = serial_offset + 1000000`.execute(
      db,
    )
  }
}

async function state(): Promise<unknown> {
  const { rows } = await sql`
    select (select array_agg(serial order by id) from zones) as serials, (select count(*)::int from zone_rrsets) as rrsets,
      (select count(*)::int from zone_changes) as changes, (select count(*)::int from event_outbox) as outbox`.execute(
    db,
  )
  return rows[0]
}

const writes: readonly (readonly [method: string, path: string, body: unknown, type?: string])[] = [
  ['PUT', `/zones/${zone.id}/rrsets/www/A`, { records: ['192.0.2.1'] }],
  ['PUT', '/zones/fenced.test/rrsets/www/A', { records: ['192.0.2.1'] }],
  ['PATCH', `/zones/${zone.id}/rrsets`, { changes: [{ name: 'www', type: 'A', records: ['192.0.2.1'] }] }],
  ['POST', `/zones/${zone.id}/import`, 'www 300 IN A 192.0.2.1\n', 'text/dns'],
  ['POST', `/zones/${zone.id}/presets/zonewright.no-mail`, {}],
  ['POST', '/zones', { name: 'another.test' }],
]

for (const [method, path, body, type] of writes)
  test(`${method} ${path.replace(zone.id, '{zone}')} is refused until a primary has adopted the timeline`, async () => {
    const before = await state()
    const send = () => api.call(method, path, { key, body, ...(type && { headers: { 'content-type': type } }) })
    await whileFenced(async () => {
      const { status, headers, body: problem } = await send()
      assert.deepEqual(
        [status, headers['retry-after'], problem.error.code],
        [503, '1', 'unavailable'],
        JSON.stringify(problem),
      )
      assert.match(problem.error.message, /failed over.+Nothing was changed/)
      assert.equal((await api.call('GET', `/zones/${zone.id}/rrsets`, { key })).status, 200, 'reads go on')
    })
    assert.deepEqual(await state(), before)
    assert.ok((await send()).status < 300)
  })

test('serials continue ahead of those of the former timeline', async () => {
  const put = async (address: string, query = ''): Promise<number> => {
    const path = `/zones/${zone.id}/rrsets/ahead/A${query}`
    const { headers } = await api.call('PUT', path, { key, body: { records: [address] } })
    return Number(headers['zone-serial'])
  }
  const before = await put('192.0.2.1')
  await whileFenced(async () => undefined)
  const tried = await put('192.0.2.2', '?dry_run=true')
  const after = await put('192.0.2.2')
  for (const serial of [tried, after]) assert.ok(serial >= before + 999_000, `${before} ${serial}`)
  assert.ok(tried <= after, `${tried} ${after}`)
})

test('a change that was planned before a failover is planned again after it', async () => {
  const name = 'planned.fenced.test'
  const preloaded = async (): Promise<ZonePreload> => {
    const { rows } = await sql<{ row: ZonePreloadRow }>`
      select ${zonePreloadColumn(sql`${name}::text`, sql`array[]::text[]`)} as row from zones z where id = ${zone.id}`.execute(
      db,
    )
    return new ZonePreload(name, rows[0]?.row as ZonePreloadRow)
  }
  const request: ChangeRequest = {
    zoneId: zone.id,
    actor: actorNamed('operator', 'test'),
    changes: [{ name, type: 'A', ttl: undefined, ask: { kind: 'edit', add: ['192.0.2.1'], remove: [] } }],
    ifMatch: undefined,
    pathOf: String,
  }
  const read = async () => (await preloaded()).zoneFor(zone.id, [name])
  const stale = await read()
  assert.ok(stale)
  const before = await state()
  await whileFenced(async () => {
    await assert.rejects(commitPreloaded(api.database, [request], [stale]), { code: 'unavailable' })
  })
  assert.equal(await commitPreloaded(api.database, [request], [stale]), undefined)
  assert.deepEqual(await state(), before)
  const fresh = await read()
  assert.ok(fresh)
  const [outcome] = (await commitPreloaded(api.database, [request], [fresh])) ?? []
  assert.ok((outcome?.().serial ?? 0) >= fresh.serialClock)
})
