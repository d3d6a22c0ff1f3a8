import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { deleteZone } from '#modules/zones/index.ts'
import { actorNamed } from '#platform/caller.ts'
import { createLogger } from '#platform/log.ts'
import { sql, type Tx } from '#platform/postgres/index.ts'
import { rowsRead } from '#testing/rows-read.ts'
import { runJob } from '#testing/run-job.ts'
import { startTestApi } from '#testing/test-api.ts'
import { codeOf, type FreshZone, faultsOf, testZones } from '#testing/test-zones.ts'
import { changesOf, pageOfVersions, readVersion } from './history-store.ts'
import { recordJobs } from './index.ts'

const api = await startTestApi()
const { account, key, freshZone } = await testZones(api)

const missing = [404, 'not_found']

/** The account's rrsets of a zone, one per line. */
async function content(zone: FreshZone): Promise<string[]> {
  const { body } = await zone.call('GET', '/rrsets?limit=200')
  return body.data
    .filter(({ managed }: { managed: boolean }) => !managed)
    .map((rrset: { name: string; type: string; ttl: number; records: string[] }) =>
      [rrset.name.split('.')[0], rrset.type, rrset.ttl, ...rrset.records].join(' '),
    )
}

async function zoneWithHistory(): Promise<FreshZone> {
  const zone = await freshZone()
  await zone.put('www', 'A', ['192.0.2.1'], { ttl: 60 }) // 1
  await zone.put('mail', 'A', ['192.0.2.2'], { ttl: 60 }) // 2
  await zone.put('www', 'A', ['192.0.2.3'], { ttl: 120 }) // 3
  await zone.call('DELETE', '/rrsets/mail/A') // 4
  await zone.put('new', 'TXT', ['"x"'], { ttl: 60 }) // 5
  return zone
}

test('the history lists each change with its actor and what it changed', async () => {
  const zone = await zoneWithHistory()
  const { body } = await zone.call('GET', '/versions')
  assert.deepEqual(
    body.data.map(({ version, changes_count }: { version: number; changes_count: number }) => [version, changes_count]),
    [5, 4, 3, 2, 1].map((version) => [version, 1]),
  )
  const one = await zone.call('GET', '/versions/4')
  assert.equal(one.body.actor.kind, 'key')
  assert.deepEqual({ ...one.body }, body.data[1])
  const diff = await zone.call('GET', '/versions/4/diff')
  assert.equal(diff.body.changes.length, 1)
  assert.deepEqual(diff.body.changes[0].before, { ttl: 60, records: ['192.0.2.2'] })
  assert.equal(diff.body.changes[0].after, null)
  assert.deepEqual(one.body.changes, diff.body.changes)
})

test('the history shows the changes of a version only if they are few and short', async () => {
  const zone = await freshZone()
  const rrsets = (count: number, length: number) =>
    Array.from({ length: count }, (_, i) => ({
      name: `n${i}`,
      type: 'TXT',
      ttl: 60,
      records: [`"${'a'.repeat(length)}"`],
    }))
  const change = (changes: object[]) => zone.call('PATCH', '/rrsets', { body: { changes } })
  assert.equal((await change(rrsets(3, 200))).status, 200)
  assert.equal((await change(rrsets(4, 20))).status, 200)
  const long = { ...rrsets(1, 1)[0], records: Array.from({ length: 40 }, (_, i) => `"${i}${'a'.repeat(250)}"`) }
  assert.equal((await change([long])).status, 200)
  const { data } = (await zone.call('GET', '/versions')).body
  assert.deepEqual(
    data.map(({ changes, changes_count }: { changes: object[] | null; changes_count: number }) => [
      changes_count,
      changes?.length ?? null,
    ]),
    [
      [1, null],
      [4, null],
      [3, 3],
    ],
  )
})

test('a list of versions reads one row per version, however much each version changed', async () => {
  const zone = await freshZone()
  for (const value of ['1', '2', '3']) {
    const rrsets = Array.from({ length: 300 }, (_, i) => ({
      name: `n${i}`,
      type: 'TXT',
      records: [`"${createHash('sha512').update(`${value} ${i}`).digest('base64')}"`],
    }))
    assert.equal((await zone.call('PUT', '/rrsets', { body: { rrsets } })).status, 200)
  }
  const { data } = (await zone.call('GET', '/versions')).body
  assert.deepEqual(
    data.map(({ changes_count }: { changes_count: number }) => changes_count),
    [300, 300, 300],
  )
  const read = (work: (tx: Tx) => Promise<unknown>) => rowsRead(api.database, 'zone_changes', work)
  assert.equal(await read((tx) => pageOfVersions(tx, zone.id, { below: undefined, limit: 50 })), 3)
  assert.equal(await read((tx) => readVersion(tx, zone.id, 2)), 1)
  assert.ok((await read((tx) => changesOf(tx, zone.id, 2))) > 10, 'the changes themselves are in many pieces')
})

test('pages of the history follow each other without gaps', async () => {
  const zone = await zoneWithHistory()
  const seen: number[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const { body }: { body: { data: { version: number }[]; next_cursor: string | null } } = await zone.call(
      'GET',
      `/versions?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
    )
    seen.push(...body.data.map(({ version }) => version))
    cursor = body.next_cursor
  }
  assert.deepEqual(seen, [5, 4, 3, 2, 1])
})

test('restoring brings back every record and TTL of a version, as a new version', async () => {
  const zone = await zoneWithHistory()
  const states = [[], ['www A 60 192.0.2.1'], ['mail A 60 192.0.2.2', 'www A 60 192.0.2.1']]
  for (const [version, expected] of states.entries()) {
    const { status, body } = await zone.call('POST', `/versions/${version}/restore`, { body: {} })
    assert.equal(status, 200)
    assert.deepEqual(await content(zone), expected, `version ${version}`)
    assert.equal(body.version, 6 + version)
  }
  await zone.call('POST', '/versions/5/restore', { body: {} })
  assert.deepEqual(await content(zone), ['new TXT 60 "x"', 'www A 120 192.0.2.3'])
})

test('restoring the current version changes nothing, and a dry run shows what would change', async () => {
  const zone = await zoneWithHistory()
  assert.equal((await zone.call('POST', '/versions/5/restore', { body: {} })).body.version, 5)
  const before = await content(zone)
  const tried = await zone.call('POST', '/versions/2/restore?dry_run=true', { body: {} })
  assert.equal(tried.status, 200)
  assert.deepEqual(tried.body.diff.changes.map(({ name }: { name: string }) => name.split('.')[0]).sort(), [
    'mail',
    'new',
    'www',
  ])
  assert.deepEqual(await content(zone), before)
  assert.equal(
    (await zone.call('POST', '/versions/2/restore', { body: {}, headers: { 'if-match': '"3"' } })).status,
    412,
  )
})

test('a dry run that is misspelled or requested in the body is refused, and nothing is restored', async () => {
  const zone = await zoneWithHistory()
  const restore = (query: string, body: object) => zone.call('POST', `/versions/2/restore${query}`, { body })
  assert.deepEqual(faultsOf(await restore('?dryrun=true', {})), ['unknown_member dryrun'])
  assert.deepEqual(faultsOf(await restore('', { dry_run: true })), ['unknown_member /dry_run'])
  assert.equal(await zone.version(), 5)
})

test('a version that never existed or is no longer in the history is not found', async () => {
  const zone = await zoneWithHistory()
  for (const version of ['6', '99999999999'])
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/diff'],
      ['POST', '/restore'],
    ] as const)
      assert.deepEqual(
        codeOf(await zone.call(method, `/versions/${version}${path}`, method === 'POST' ? { body: {} } : {})),
        missing,
      )
  assert.equal((await zone.call('GET', '/versions/first')).status, 422)
  await sql`delete from zone_changes where zone_id = ${zone.id} and version = 3`.execute(api.database.db)
  assert.deepEqual(codeOf(await zone.call('POST', '/versions/1/restore', { body: {} })), missing)
  assert.equal((await zone.call('POST', '/versions/3/restore', { body: {} })).status, 200)
})

test('a caller that can write but not read can restore, and does not see the restored records', async () => {
  const zone = await zoneWithHistory()
  const writer = await api.key(account, { permissions: ['records:write'] })
  for (const query of ['?dry_run=true', '']) {
    const { status, body } = await zone.call('POST', `/versions/2/restore${query}`, { key: writer, body: {} })
    assert.equal(status, 200)
    assert.deepEqual(body.diff.changes, [])
  }
  assert.deepEqual(await content(zone), ['mail A 60 192.0.2.2', 'www A 60 192.0.2.1'])
})

test('restores that run at the same time as other changes lose neither', async () => {
  const zone = await zoneWithHistory()
  await Promise.all([
    zone.call('POST', '/versions/2/restore', { body: {} }),
    ...Array.from({ length: 5 }, (_, i) => zone.put(`kept${i}`, 'A', ['192.0.2.9'])),
  ])
  const { rows } = await sql<{ n: number; version: number }>`
    select (select count(*)::int from zone_changes where zone_id = ${zone.id}) as n, version from zones where id = ${zone.id}`.execute(
    api.database.db,
  )
  assert.deepEqual(rows, [{ n: 11, version: 11 }], 'each has its version')
})

test('restoring an old version restores the customer’s records, but no delegation to a zone that is no longer hosted here', async () => {
  const zone = await freshZone()
  const ns = async (name: string) => (await zone.call('GET', `/rrsets/${name}/NS`)).body.records
  await zone.put('outside', 'NS', ['ns.elsewhere.example.']) // 1
  await zone.put('www', 'A', ['192.0.2.1']) // 2
  const child = await api.call('POST', '/zones', { key, body: { name: `sub.${zone.name}` } }) // 3
  const taken = await api.call('POST', '/zones', { key, body: { name: `outside.${zone.name}` } }) // 4
  assert.deepEqual([child.body.state, taken.body.state], ['live', 'live'])
  await zone.put('www', 'A', ['192.0.2.2']) // 5
  const { body: diff } = await zone.call('GET', '/versions/3/diff')
  assert.deepEqual(Object.keys(diff.changes[0].after), ['ttl', 'records'], 'nothing of ours is shown')
  const restore = async (version: number) => (await zone.call('POST', `/versions/${version}/restore`)).status
  assert.equal(await restore(2), 200)
  assert.equal((await ns('sub'))?.length, 2, 'what is hosted now stays delegated')
  assert.equal((await ns('outside'))?.length, 2)
  const actor = actorNamed('system', 'test')
  for (const { id } of [child.body, taken.body])
    await api.database.transact((tx) => deleteZone(tx, actor, id, api.verification.delegate))
  assert.equal(await ns('sub'), undefined)
  assert.equal(await restore(4), 200)
  assert.deepEqual([await ns('sub'), await ns('outside')], [undefined, undefined], 'they are gone')
  assert.equal(await restore(1), 200)
  assert.deepEqual(await ns('outside'), ['ns.elsewhere.example.'], 'the customer’s own')
})

test('restoring an old version does not bring back records of a signed zone', async () => {
  const zone = await freshZone()
  await zone.put('www', 'A', ['192.0.2.1'], { ttl: 60 }) // 1
  const { id } = zone
  const gone = { ttl: 60, records: ['257 3 13 AQPA'] }
  const changes = [
    { name: zone.name, type: 'DNSKEY', before: gone, after: null },
    { name: `www.${zone.name}`, type: 'RRSIG', before: { ttl: 60, records: ['\\# 1 00'] }, after: null },
  ]
  await zone.call('DELETE', '/rrsets/www/A') // 2
  await sql`update zone_changes set changes = (changes::jsonb || ${JSON.stringify(changes)}::jsonb)::json where zone_id = ${id} and version = 2`.execute(
    api.database.db,
  )
  const tried = await zone.call('POST', '/versions/1/restore?dry_run=true', { body: {} })
  assert.deepEqual(
    tried.body.diff.changes.map(({ type }: { type: string }) => type),
    ['A'],
  )
  assert.equal((await zone.call('POST', '/versions/1/restore', { body: {} })).status, 200)
  assert.deepEqual(await content(zone), ['www A 60 192.0.2.1'])
})

test('a version that cannot be restored gives the reason, in a dry run and in a real call', async () => {
  const zone = await freshZone()
  await zone.put('sub', 'CNAME', ['host.example.net.']) // 1
  await zone.call('DELETE', '/rrsets/sub/CNAME') // 2
  await api.call('POST', '/zones', { key, body: { name: `sub.${zone.name}` } }) // 3
  for (const query of ['?dry_run=true', ''])
    assert.deepEqual(
      faultsOf(await zone.call('POST', `/versions/1/restore${query}`)),
      ['cname_not_alone version'],
      query,
    )
})

test('versions are kept for a year, and the latest thousand of a zone regardless of age', async () => {
  const { db } = api.database
  /** A zone with this many versions. The first ones are some days old, and the others are new. */
  const aged = async (versions: number, old: number, days: number): Promise<FreshZone> => {
    const zone = await freshZone()
    await sql`update zones set version = ${versions} where id = ${zone.id}`.execute(db)
    await sql`insert into zone_changes (zone_id, version, serial, at, actor_kind, actor_name, changes_count, changes)
      select ${zone.id}, v, v, app_now() - case when v <= ${old} then make_interval(days => ${days}) else interval '0' end, 'system', 'test', 0, '[]'
      from generate_series(1, ${versions}) as v`.execute(db)
    return zone
  }
  const span = async ({ id }: FreshZone): Promise<number[]> => {
    const { rows } = await sql<{ first: number; n: number }>`
      select min(version)::int as first, count(*)::int as n from zone_changes where zone_id = ${id}`.execute(db)
    return [rows[0]?.first ?? 0, rows[0]?.n ?? 0]
  }
  const [few, ancient, mixed, young] = [
    await aged(900, 900, 800),
    await aged(7_000, 7_000, 366),
    await aged(1_500, 300, 366),
    await aged(1_200, 1_200, 364),
  ]
  const jobs = recordJobs({
    log: createLogger('test', 'silent'),
    secrets: api.verification.secrets,
    site: 'http://dashboard.test',
  })
  await runJob(jobs, 'forget-versions', api.database)
  assert.deepEqual(await span(few), [1, 900])
  assert.deepEqual(await span(ancient), [6_001, 1_000])
  assert.deepEqual(await span(mixed), [301, 1_200])
  assert.deepEqual(await span(young), [1, 1_200])
})
