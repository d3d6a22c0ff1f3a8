import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/postgres/index.ts'
import { within } from '#testing/one-connection.ts'
import { asAnotherProcess } from '#testing/platform/test-database.ts'
import { startTestApi, type TestAnswer } from '#testing/test-api.ts'
import { testZones } from '#testing/test-zones.ts'
import { untilBlocked } from '#testing/until-blocked.ts'

const api = await startTestApi()
const { database } = api
const elsewhere = asAnotherProcess(database.url)
const { freshZone } = await testZones(api)

const rrsets = Array.from({ length: 101 }, (_, i) => ({ name: `n${i}`, type: 'A', records: ['192.0.2.1'] }))

const large: Readonly<Record<string, [method: string, path: string, body: unknown, headers?: Record<string, string>]>> =
  {
    'a bulk change': ['PATCH', '/rrsets', { changes: rrsets }],
    'a replacement': ['PUT', '/rrsets', { rrsets: rrsets.slice(0, 1) }],
    'an import of JSON': ['POST', '/import', { rrsets }],
    'an import that replaces': ['POST', '/import?mode=replace', { rrsets: rrsets.slice(0, 1) }],
    'an import that is kept for repeats': ['POST', '/import', { rrsets }, { 'idempotency-key': 'large' }],
  }

for (const [what, [method, path, body, headers = {}]] of Object.entries(large))
  test(`${what}: however many run at once, on as many zones, other requests get connections`, async () => {
    const zones = await Promise.all(Array.from({ length: database.pool.options.max + 2 }, freshZone))
    const other = await freshZone()
    let waiting: Promise<TestAnswer[]> | undefined
    await elsewhere.transact(async (tx) => {
      await sql`select 1 from zones where id = any(${zones.map(({ id }) => id)}) for update`.execute(tx)
      const repeat = (zone: string) => ({
        ...headers,
        ...('idempotency-key' in headers && { 'idempotency-key': zone }),
      })
      waiting = Promise.all(zones.map((zone) => zone.call(method, path, { body, headers: repeat(zone.id) })))
      await untilBlocked(database.db)
      assert.equal((await within(5_000, 'another zone', other.put('www', 'A', ['192.0.2.1']))).status, 201)
    })
    for (const { status } of (await waiting) ?? []) assert.equal(status, 200)
  })
