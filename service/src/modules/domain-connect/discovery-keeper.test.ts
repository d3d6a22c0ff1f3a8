import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createLogger } from '#platform/log.ts'
import { sql } from '#platform/postgres/index.ts'
import { eventually } from '#testing/eventually.ts'
import { startTestApi } from '#testing/test-api.ts'
import { codeOf, type FreshZone, testZones, zoneFileType } from '#testing/test-zones.ts'
import { discoveryKeeper } from './discovery-keeper.ts'

const api = await startTestApi()
const { database } = api
const { freshZone } = await testZones(api)
const parts = { database, log: createLogger('test', 'silent'), site: 'https://dns.example', isOn: true }
const ours = '"dns.example"'

let running: ReturnType<typeof discoveryKeeper> | undefined
after(() => running?.stop())

/** Runs a keeper, which replaces the previous one. */
async function keepWith(more: Partial<typeof parts> = {}): Promise<void> {
  await running?.stop()
  running = discoveryKeeper({ ...parts, ...more })
  running.start()
}

const stop = async (): Promise<void> => {
  await running?.stop()
  running = undefined
}

/** The records at `_domainconnect`, as `type values`, with a * if they are managed. */
async function discoveryOf(zone: FreshZone): Promise<string[]> {
  const { rows } = await sql<{ type: string; records: string[]; managed: boolean }>`
    select type, records, managed from zone_rrsets where zone_id = ${zone.id} and name = ${`_domainconnect.${zone.name}`}
    order by type`.execute(database.db)
  return rows.map(({ type, records, managed }) => `${type} ${records.join(' ')}${managed ? ' *' : ''}`)
}

async function becomes(zone: FreshZone, expected: string[]): Promise<void> {
  let seen: string[] = []
  const isSo = async (): Promise<boolean> => {
    seen = await discoveryOf(zone)
    return seen.join() === expected.join()
  }
  await eventually(`${expected} at ${zone.name}`, isSo, 20_000).catch(() => assert.deepEqual(seen, expected))
}

/** Everything that customers see of changes: versions, audit entries and record events. */
async function traces({ id }: FreshZone) {
  const { rows } = await sql<{ versions: number; entries: number; events: number }>`select
    (select count(*)::int from zone_changes where zone_id = ${id}) as versions,
    (select count(*)::int from audit_log where zone_id = ${id} and action = 'records.changed') as entries,
    (select count(*)::int from event_outbox where zone_id = ${id} and type = 'zone.records_changed') as events`.execute(
    database.db,
  )
  return rows[0]
}

/**
 * Checks that the journal leads from each serial to the next without a gap, and to the records of the zone, and that their count and bytes are right.
 */
async function assertPublished({ id }: FreshZone): Promise<void> {
  type Entry = { name: string; type: string; ttl: number; records: string[] }
  const { rows: steps } = await sql<{ from: number; to: number; removed: Entry[]; added: Entry[] }>`
    select from_serial as from, to_serial as to, removed, added from zone_journal where zone_id = ${id} order by to_serial`.execute(
    database.db,
  )
  const served = new Map<string, string>()
  const textOf = ({ ttl, records }: Entry): string => `${ttl} ${records.join(' ')}`
  for (const [i, { from, removed, added }] of steps.entries()) {
    if (i > 0) assert.equal(from, steps[i - 1]?.to)
    for (const entry of removed) {
      assert.equal(served.get(`${entry.name} ${entry.type}`), textOf(entry))
      served.delete(`${entry.name} ${entry.type}`)
    }
    for (const entry of added) served.set(`${entry.name} ${entry.type}`, textOf(entry))
  }
  const { rows } = await sql<Entry>`select name, type, ttl, records from zone_rrsets where zone_id = ${id}`.execute(
    database.db,
  )
  assert.deepEqual([...served].sort(), rows.map((row) => [`${row.name} ${row.type}`, textOf(row)]).sort())
  const { rows: zones } = await sql<{ serial: number; count: number }>`
    select serial, rrset_count as count from zones where id = ${id}`.execute(database.db)
  assert.deepEqual(zones, [{ serial: steps.at(-1)?.to, count: rows.length }])
}

test('adds the TXT to every live zone as a managed record, without a version, audit entry, event or export', async () => {
  const zone = await freshZone()
  await keepWith()
  await becomes(zone, [`TXT ${ours} *`])
  await stop()
  assert.deepEqual([await zone.version(), await traces(zone)], [0, { versions: 0, entries: 0, events: 0 }])
  const { body } = await zone.call('GET', '/rrsets/_domainconnect/TXT')
  assert.deepEqual([body.records, body.ttl, body.managed], [[ours], 3_600, true])
  assert.doesNotMatch((await zone.call('GET', '/export')).body, /_domainconnect/)
  await assertPublished(zone)
})

test('a customer’s record takes precedence and is reported as new; after its deletion, ours returns', async () => {
  const zone = await freshZone()
  await keepWith()
  await becomes(zone, [`TXT ${ours} *`])
  const put = await zone.put('_domainconnect', 'TXT', ['"other.example"'])
  assert.deepEqual([put.status, put.body.managed], [201, false])
  const { body: diff } = await zone.call('GET', '/versions/1/diff')
  assert.deepEqual(
    diff.changes.map(({ before, after }: { before: unknown; after: { records: string[] } }) => [before, after.records]),
    [[null, ['"other.example"']]],
  )
  assert.match((await zone.call('GET', '/export')).body, /_domainconnect/)
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from zones where state = 'live'`.execute(
    database.db,
  )
  assert.ok((rows[0]?.n ?? 0) < 200, 'one round looks at every zone')
  await keepWith()
  await becomes(zone, ['TXT "other.example"'])
  assert.equal((await zone.call('DELETE', '/rrsets/_domainconnect/TXT')).status, 204)
  await becomes(zone, [`TXT ${ours} *`])
  await stop()
  assert.deepEqual([await zone.version(), await traces(zone)], [2, { versions: 2, entries: 2, events: 2 }])
  await assertPublished(zone)
})

test('customers can write as if ours did not exist: create, add, the same value, CNAME, NS, and a DNAME above', async () => {
  const target = ['other.example.']
  for (const [write, expected] of [
    [
      (zone) => zone.call('POST', '/rrsets', { body: { name: '_domainconnect', type: 'TXT', records: ['"a"'] } }),
      ['TXT "a"'],
    ],
    [(zone) => zone.call('PATCH', '/rrsets/_domainconnect/TXT', { body: { add: ['"b"'] } }), ['TXT "b"']],
    [(zone) => zone.put('_domainconnect', 'TXT', [ours]), [`TXT ${ours}`]],
    [(zone) => zone.put('_domainconnect', 'CNAME', target), ['CNAME other.example.']],
    [(zone) => zone.put('_domainconnect', 'NS', target), ['NS other.example.']],
    [(zone) => zone.put('@', 'DNAME', target), []],
    [(zone) => zone.put('_domainconnect', 'A', ['192.0.2.1']), ['A 192.0.2.1', `TXT ${ours} *`]],
  ] as [(zone: FreshZone) => ReturnType<FreshZone['put']>, string[]][]) {
    const zone = await freshZone()
    await keepWith()
    await becomes(zone, [`TXT ${ours} *`])
    const answer = await write(zone)
    assert.equal(answer.status, 201, JSON.stringify([expected, answer.body]))
    // Waits for another pass, which does not change the record.
    const later = await freshZone()
    await becomes(later, [`TXT ${ours} *`])
    await becomes(zone, expected)
    await stop()
    assert.deepEqual([await zone.version(), await traces(zone)], [1, { versions: 1, entries: 1, events: 1 }])
    await assertPublished(zone)
  }
})

test('customers cannot delete ours in any way', async () => {
  const zone = await freshZone()
  await keepWith()
  await becomes(zone, [`TXT ${ours} *`])
  await stop()
  const absent = await zone.call('DELETE', '/rrsets/nothing/TXT')
  assert.deepEqual(codeOf(await zone.call('DELETE', '/rrsets/_domainconnect/TXT')), codeOf(absent))
  const body = { changes: [{ name: '_domainconnect', type: 'TXT', records: [] }] }
  assert.deepEqual((await zone.call('PATCH', '/rrsets', { body })).body.diff.changes, [])
  await zone.call('PATCH', '/rrsets/_domainconnect/TXT', { body: { remove: [ours] } })
  await zone.call('PUT', '/rrsets', { body: { rrsets: [{ name: 'www', type: 'A', records: ['192.0.2.1'] }] } })
  await zone.call('POST', '/versions/1/restore')
  assert.deepEqual(await discoveryOf(zone), [`TXT ${ours} *`])
  await assertPublished(zone)
})

test('an import lists a foreign record as ignored, and keeps the customer’s own record', async () => {
  await stop()
  const zone = await freshZone()
  // GoDaddy exports contain this line.
  const file = 'www 600 IN A 192.0.2.1\n_domainconnect 3600 IN CNAME _domainconnect.gd.domaincontrol.com.\n'
  const load = (body: unknown, headers = zoneFileType) =>
    zone.call('POST', '/import?mode=replace', { body, headers: typeof body === 'string' ? headers : {} })
  const ignoredOf = ({ body }: { body: { ignored: { line: number; name: string; type: string }[] } }) =>
    body.ignored.map(({ line, name, type }) => `${line} ${name} ${type}`)
  assert.deepEqual(ignoredOf(await load(file)), [`2 _domainconnect.${zone.name} CNAME`])
  assert.deepEqual(ignoredOf(await load('_domainconnect TXT old.example\nwww A 192.0.2.1\n')), [
    `1 _domainconnect.${zone.name} TXT`,
  ])
  const rrsets = [{ name: '_domainconnect', type: 'TXT', ttl: 60, records: ['"old.example"'] }]
  assert.deepEqual(ignoredOf(await load({ rrsets })), [`1 _domainconnect.${zone.name} TXT`])
  assert.deepEqual(await discoveryOf(zone), [])

  await zone.put('_domainconnect', 'TXT', ['"mine.example"'])
  const again = await load((await zone.call('GET', '/export')).body)
  assert.deepEqual([again.body.diff.changes, await discoveryOf(zone)], [[], ['TXT "mine.example"']])
})

test('a new PUBLIC_URL replaces ours, no DOMAIN_CONNECT removes it, and a customer’s record stays', async () => {
  const [zone, own] = [await freshZone(), await freshZone()]
  await own.put('_domainconnect', 'TXT', ['"mine.example"'])
  await keepWith()
  await becomes(zone, [`TXT ${ours} *`])
  await keepWith({ site: 'https://new.example:8443' })
  await becomes(zone, ['TXT "new.example:8443" *'])
  await keepWith({ isOn: false })
  await becomes(zone, [])
  await stop()
  assert.deepEqual(await discoveryOf(own), ['TXT "mine.example"'])
  assert.deepEqual([await zone.version(), await traces(zone)], [0, { versions: 0, entries: 0, events: 0 }])
  await assertPublished(zone)
})

test('a pending zone gets no TXT', async () => {
  const live = await freshZone()
  const pending = await freshZone()
  await sql`update zones set state = 'pending' where id = ${pending.id}`.execute(database.db)
  await keepWith()
  await becomes(live, [`TXT ${ours} *`])
  assert.deepEqual(await discoveryOf(pending), [])
})
