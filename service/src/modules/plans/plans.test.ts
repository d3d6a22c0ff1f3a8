import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WireKeyLimit, WirePlannedZone } from '@zonewright/contract'
import { sql } from '#platform/postgres/index.ts'
import { eventually } from '#testing/eventually.ts'
import { moveClock } from '#testing/move-clock.ts'
import { asAnotherProcess } from '#testing/platform/test-database.ts'
import { startTestApi, type TestAnswer } from '#testing/test-api.ts'
import { TestPerson } from '#testing/test-person.ts'
import { codeOf, type FreshZone, faultsOf, testZones } from '#testing/test-zones.ts'
import { untilBlocked } from '#testing/until-blocked.ts'

const api = await startTestApi()
const { account, key, freshZone } = await testZones(api)
const { db } = api.database
/** Another process, whose transactions do not hold a connection of the API. */
const elsewhere = asAnotherProcess(api.database.url)

const post = (path: string, body: unknown, options: { key?: string; headers?: Record<string, string> } = {}) =>
  api.call('POST', path, { key, body, ...options })
const plan = (body: unknown, options = {}) => post('/plans', body, options)
const apply = (body: unknown, options = {}) => post('/plans/apply', body, options)

/** What a plan reports about each zone: its name, its differences as text, and the codes of its errors. */
const planned = ({ body }: TestAnswer) =>
  body.zones.map(({ zone, diff, errors }: WirePlannedZone) => [
    zone,
    ...diff.changes.map(({ name, type, after }) => `${name} ${type} ${after?.records.join(' ') ?? '-'}`),
    ...errors.map(({ code, path, line }) => `${code} ${line ?? path ?? ''}`.trim()),
  ])
const statuses = ({ body }: TestAnswer) => body.zones.map(({ status }: { status: string }) => status)
const recordsOf = async (zone: FreshZone, name: string, type: string) =>
  (await zone.call('GET', `/rrsets/${name}/${type}`)).body.records

/** Zones with www A 192.0.2.1. */
async function zonesWith(count: number, address = '192.0.2.1'): Promise<FreshZone[]> {
  const zones = []
  for (let i = 0; i < count; i++) {
    const zone = await freshZone()
    assert.equal((await zone.put('www', 'A', [address])).status, 201)
    zones.push(zone)
  }
  return zones
}

const www = (records: string[]) => [{ name: 'www', type: 'A', records }]

test('a plan shows what would change in each zone, and changes nothing', async () => {
  const [a, b, c, d] = (await zonesWith(4)) as [FreshZone, FreshZone, FreshZone, FreshZone]
  const body = {
    zones: [
      { zone: a.name, changes: www(['192.0.2.9']) },
      { zone: b.id, rrsets: [{ name: 'new', type: 'TXT', records: ['one'] }], mode: 'replace' },
      { zone: c.name, zone_file: 'new 60 AAAA 2001:db8::1\n@ 60 SOA a. b. 1 2 3 4 5\n' },
      { zone: d.name, changes: www([]), if_match: 1 },
    ],
  }
  const answer = await plan(body)
  assert.equal(answer.status, 200)
  assert.deepEqual(planned(answer), [
    [a.name, `www.${a.name} A 192.0.2.9`],
    [b.name, `new.${b.name} TXT "one"`, `www.${b.name} A -`],
    [c.name, `new.${c.name} AAAA 2001:db8::1`],
    [d.name, `www.${d.name} A -`],
  ])
  assert.deepEqual(
    answer.body.zones.map(({ zone_id, version }: WirePlannedZone) => [zone_id, version]),
    [a, b, c, d].map(({ id }) => [id, 1]),
  )
  assert.equal(answer.body.zones[2].ignored_count, 1)
  assert.equal(answer.body.next_cursor, null)
  for (const zone of [a, b, c, d]) assert.equal(await zone.version(), 1)

  const applied = await apply({ zones: body.zones.map((zone) => ({ ...zone, if_match: 1 })) })
  assert.deepEqual(statuses(applied), ['applied', 'applied', 'applied', 'applied'])
  assert.deepEqual(await recordsOf(a, 'www', 'A'), ['192.0.2.9'])
  assert.equal((await b.call('GET', '/rrsets/www/A')).status, 404)
  const again = await apply({ zones: body.zones.map((zone) => ({ ...zone, if_match: 2 })) })
  assert.deepEqual(statuses(again), ['unchanged', 'unchanged', 'unchanged', 'unchanged'])
})

test('errors in one zone do not affect the others, in the plan and when it is applied', async () => {
  const [good, bad, broken, beside] = (await zonesWith(4)) as [FreshZone, FreshZone, FreshZone, FreshZone]
  const zones = [
    { zone: good.name, changes: www(['192.0.2.9']) },
    { zone: bad.name, changes: www(['192.0.2.999', 'x']) },
    { zone: broken.name, zone_file: 'ok 60 A 192.0.2.1\nwww 60 A nonsense\n' },
    { zone: beside.name, zone_file: '\nwww 60 CNAME example.net.\n' },
    { zone: 'nobody.example', changes: www(['192.0.2.9']) },
  ]
  const answer = await plan({ zones })
  assert.deepEqual(planned(answer), [
    [good.name, `www.${good.name} A 192.0.2.9`],
    [bad.name, 'bad_rdata /zones/1/changes/0/records/0', 'bad_rdata /zones/1/changes/0/records/1'],
    [broken.name, 'bad_rdata 2'],
    [beside.name, 'cname_not_alone 2'],
    ['nobody.example', 'not_found /zones/4/zone'],
  ])
  assert.deepEqual([answer.body.zones[1].version, answer.body.zones[4].version], [1, null])
  const applied = await apply({ zones: zones.map((zone) => ({ ...zone, if_match: 1 })) })
  assert.deepEqual(statuses(applied), ['applied', 'refused', 'refused', 'refused', 'refused'])
  assert.equal(applied.body.zones[1].errors.length, 2)
  for (const zone of [bad, broken, beside]) assert.equal(await zone.version(), 1)
})

test('a body that is not a valid plan is refused, and nothing changes', async () => {
  const [zone] = (await zonesWith(1)) as [FreshZone]
  const changes = www(['192.0.2.9'])
  const cases: [unknown, string[]][] = [
    [{ zones: [] }, ['too_small /zones']],
    [{}, ['missing /zones']],
    [{ zones: [{ zone: zone.name, changes }] }, ['missing /zones/0/if_match']],
    [{ zones: [{ zone: zone.name, changes, if_match: 1, x: 1 }] }, ['unknown_member /zones/0/x']],
    [
      {
        zones: [
          { zone: zone.name, changes, if_match: 1 },
          { zone: zone.id, changes, if_match: 1 },
        ],
      },
      ['duplicate /zones/1/zone'],
    ],
    [{ zones: Array.from({ length: 201 }, () => ({ zone: zone.name, changes, if_match: 1 })) }, ['too_large /zones']],
    [
      {
        zones: Array.from({ length: 1_001 }, () => ({ zone: zone.name, if_match: 1 })),
        replace: { type: 'A', from: 'x', to: 'y' },
      },
      ['too_large /zones'],
    ],
  ]
  for (const [body, expected] of cases) {
    const answer = await apply(body)
    assert.deepEqual([answer.status, ...faultsOf(answer)], [422, ...expected], JSON.stringify(body).slice(0, 200))
  }
  assert.deepEqual(codeOf(await plan({ zones: [{ zone: zone.name }], preset: { id: 'nothing' } })), [404, 'not_found'])
  assert.equal(await zone.version(), 1)
})

test('zones of other accounts look like missing ones, and a refusal names the zone that the key does not cover', async () => {
  const [mine, other] = (await zonesWith(2)) as [FreshZone, FreshZone]
  const stranger = await api.account('stranger@example.net')
  const theirs = await api.zone(stranger, 'theirs.example.org')
  const zones = [
    { zone: theirs.name, changes: www([]) },
    { zone: theirs.id, changes: www([]) },
  ]
  assert.deepEqual(planned(await plan({ zones })), [
    ['theirs.example.org', 'not_found /zones/0/zone'],
    [theirs.id, 'not_found /zones/1/zone'],
  ])
  const narrow = await api.key(account, { picks: [mine.name], permissions: ['records:read', 'records:write'] })
  const both = {
    zones: [
      { zone: mine.name, changes: www([]) },
      { zone: other.name, changes: www([]) },
    ],
  }
  const answer = await plan(both, { key: narrow })
  assert.deepEqual(codeOf(answer), [403, 'forbidden'])
  assert.match(answer.body.error.message, new RegExp(`the zone ${other.name}`))
  const replace = { type: 'A', from: '192.0.2.1', to: '192.0.2.2' }
  assert.deepEqual(
    planned(await plan({ zones: 'all', replace }, { key: narrow })).map(([name]: [string]) => name),
    [mine.name],
  )
  const reader = await api.key(account, { permissions: ['records:read'] })
  const writer = await api.key(account, { permissions: ['records:write'] })
  assert.equal((await plan({ zones: 'all', replace }, { key: reader })).status, 200)
  assert.equal((await plan({ zones: 'all', replace }, { key: writer })).status, 403)
  const applying = { replace, zones: [{ zone: mine.name, if_match: 1 }] }
  assert.equal((await apply(applying, { key: reader })).status, 403)
  assert.deepEqual(statuses(await apply(applying, { key: writer })), ['applied'])
})

test('a replacement finds its zones automatically and omits those without the value', async () => {
  const zones = await zonesWith(3, '198.51.100.1')
  const [a, b, c] = zones as [FreshZone, FreshZone, FreshZone]
  await a.put('@', 'A', ['198.51.100.1', '198.51.100.9'], { ttl: 60 })
  await b.put('www', 'A', ['198.51.100.7'])
  await c.put('old', 'TXT', ['"198.51.100.1"'])
  const replace = { type: 'a', from: '198.51.100.1', to: '198.51.100.2' }
  const answer = await plan({ replace, zones: 'all' })
  assert.deepEqual(planned(answer), [
    [a.name, `www.${a.name} A 198.51.100.2`, `${a.name} A 198.51.100.2 198.51.100.9`],
    [c.name, `www.${c.name} A 198.51.100.2`],
  ])
  assert.equal(answer.body.zones[0].diff.changes[1].after.ttl, 60)
  const named = await plan({ replace, zones: zones.map(({ name }) => ({ zone: name })) })
  assert.deepEqual(planned(named), planned(answer))
  const applied = await apply({
    replace,
    zones: zones.map(({ name, id }, i) => ({ zone: i === 0 ? id : name, if_match: 2 })),
  })
  assert.deepEqual(statuses(applied), ['applied', 'unchanged', 'applied'])
  assert.deepEqual(await recordsOf(a, '@', 'A'), ['198.51.100.2', '198.51.100.9'])
  assert.deepEqual(planned(await plan({ replace, zones: 'all' })), [])
})

test('refuses zones that are neither "all" nor a list and says what to send; errors in a list have their paths', async () => {
  const replace = { type: 'A', from: '192.0.2.1', to: '192.0.2.2' }
  for (const zones of ['some', null, {}, undefined]) {
    const { status, body } = await plan({ replace, zones })
    assert.equal(status, 422)
    assert.equal(body.error.message, '/zones: Expected "all", or a list of zones.')
  }
  assert.deepEqual(faultsOf(await plan({ replace, zones: [{ zone: 7 }, { zone: 'a', if_match: -1 }, 'b'] })), [
    'wrong_type /zones/0/zone',
    'too_small /zones/1/if_match',
    'wrong_type /zones/2',
  ])
})

test('values are compared in canonical form, and each zone is checked against the rules for zones', async () => {
  const [a, b] = (await zonesWith(2)) as [FreshZone, FreshZone]
  await a.put('@', 'MX', ['10 Mail.Old.example.'])
  await b.put('@', 'MX', ['10 mail.old.example.', '20 mail.new.example.'])
  await b.put('t', 'TXT', ['"a;b"'])
  const replace = { type: 'MX', from: '10 MAIL.old.example', to: '20 mail.new.example' }
  assert.deepEqual(planned(await plan({ replace, zones: 'all' })), [
    [a.name, `${a.name} MX 20 mail.new.example.`],
    [b.name, `${b.name} MX 20 mail.new.example.`],
  ])
  const text = await plan({ replace: { type: 'TXT', from: '"a;b"', to: 'c' }, zones: 'all' })
  assert.deepEqual(planned(text), [[b.name, `t.${b.name} TXT "c"`]])
  const bad = await plan({ replace: { type: 'MX', from: '10 mail.old.example', to: '0 .' }, zones: 'all' })
  assert.deepEqual(planned(bad), [
    [a.name, `${a.name} MX 0 .`],
    [b.name, 'null_mx /replace/to'],
  ])
})

test('a plan of all zones continues at its cursor', async () => {
  const zones = await zonesWith(2, '203.0.113.1')
  const replace = { type: 'A', from: '203.0.113.1', to: '203.0.113.2' }
  const cursor = `${zones[0]?.name}/${zones[0]?.id}`
  const rest = await plan({ replace, zones: 'all', cursor })
  assert.deepEqual(planned(rest), [[zones[1]?.name, `www.${zones[1]?.name} A 203.0.113.2`]])
  assert.equal(rest.headers['link'], undefined)
  assert.deepEqual(faultsOf(await plan({ replace, zones: 'all', cursor: 'x' })), ['invalid /cursor'])
})

test('a preset is planned and applied with each zone’s own records', async () => {
  const [a, b] = (await zonesWith(2)) as [FreshZone, FreshZone]
  await b.put('@', 'TXT', ['"v=spf1 include:other.example -all"'])
  const preset = { id: 'google.com.workspace', parameters: {} }
  const zones = [a, b].map(({ name }) => ({ zone: name }))
  const answer = await plan({ preset, zones })
  const spf = answer.body.zones.map(
    ({ diff }: WirePlannedZone) => diff.changes.find(({ type }) => type === 'TXT')?.after?.records[0],
  )
  assert.match(spf[0], /^"v=spf1 include:_spf\.google\.com/)
  assert.match(spf[1], /include:other\.example/)
  assert.ok(answer.body.zones[1].warnings.some(({ code }: { code: string }) => code === 'spf_merged'))
  const versions = answer.body.zones.map(({ version }: WirePlannedZone) => version)
  const applied = await apply({ preset, zones: zones.map((zone, i) => ({ ...zone, if_match: versions[i] })) })
  assert.deepEqual(statuses(applied), ['applied', 'applied'])
  assert.deepEqual(planned(await plan({ preset, zones })), [[a.name], [b.name]])
  const faulty = await plan({ preset: { id: 'google.com.workspace', parameters: { nothing: 'x' } }, zones })
  assert.match(planned(faulty)[0][1], /\/preset\/parameters\/nothing$/)
})

test('locked names keep their records: replacing the zone keeps them, and different records for them are an error', async () => {
  const [zone] = (await zonesWith(1)) as [FreshZone]
  await zone.put('_acme-challenge', 'TXT', ['"token"'])
  await zone.put('a.lan', 'A', ['192.0.2.5'])
  const lock = ['_acme-challenge', '*.lan']
  const rrsets = [{ name: 'new', type: 'A', records: ['192.0.2.6'] }]
  const one = { zone: zone.name, rrsets, mode: 'replace', lock }
  assert.deepEqual(planned(await plan({ zones: [one] })), [
    [zone.name, `new.${zone.name} A 192.0.2.6`, `www.${zone.name} A -`],
  ])
  const changes = [
    { name: '_acme-challenge', type: 'TXT', records: ['"token"'], ttl: 3600 },
    { name: 'a.lan', type: 'A', records: [] },
    { name: 'b.lan', type: 'A', records: ['192.0.2.1'] },
    { name: 'c.lan', type: 'A', records: [] },
  ]
  assert.deepEqual(planned(await plan({ zones: [{ zone: zone.name, changes, lock }] })), [
    [zone.name, 'locked /zones/0/changes/1', 'locked /zones/0/changes/2'],
  ])
  const applied = await apply({ zones: [{ ...one, if_match: await zone.version() }] })
  assert.deepEqual(statuses(applied), ['applied'])
  assert.deepEqual(await recordsOf(zone, '_acme-challenge', 'TXT'), ['"token"'])
  assert.deepEqual(planned(await plan({ zones: [{ ...one, lock: ['a.example.'] }] })), [
    [zone.name, 'out_of_zone /zones/0/lock/0'],
  ])
})

test('a limited key plans and changes only record sets within its limits, and learns nothing about others', async () => {
  const [zone] = (await zonesWith(1, '192.0.2.44')) as [FreshZone]
  await zone.put('home', 'A', ['192.0.2.44'])
  const limits: WireKeyLimit[] = [{ zone: zone.name, names: ['home'], types: ['A'] }]
  const limited = await api.key(account, { picks: [zone.name], limits, permissions: ['records:read', 'records:write'] })
  const replace = { type: 'A', from: '192.0.2.44', to: '192.0.2.45' }
  const answer = await plan({ replace, zones: 'all' }, { key: limited })
  assert.deepEqual(planned(answer), [[zone.name, `home.${zone.name} A 192.0.2.45`]])
  assert.doesNotMatch(JSON.stringify(answer.body), /www/)
  for (const body of [
    { zones: [{ zone: zone.name, changes: www(['192.0.2.1']) }] },
    { zones: [{ zone: zone.name, rrsets: [], mode: 'replace' }] },
    { zones: [{ zone: zone.name, zone_file: 'www 60 A 192.0.2.1\n' }] },
    { zones: [{ zone: zone.name }], preset: { id: 'google.com.workspace' } },
  ])
    for (const [send, sent] of [
      [plan, body],
      [apply, { ...body, zones: body.zones.map((one) => ({ ...one, if_match: 2 })) }],
    ] as const) {
      const refused = await send(sent, { key: limited })
      if (send === apply && 'preset' in sent) assert.deepEqual(statuses(refused), ['refused'])
      else assert.deepEqual(codeOf(refused), [403, 'forbidden'], JSON.stringify(sent))
    }
  assert.equal(await zone.version(), 2)
  assert.deepEqual(statuses(await apply({ replace, zones: [{ zone: zone.name, if_match: 2 }] }, { key: limited })), [
    'applied',
  ])
  assert.deepEqual(await recordsOf(zone, 'www', 'A'), ['192.0.2.44'])
})

test('a manager can plan changes to a shared zone in the dashboard until the sharing ends', async () => {
  const [zone] = (await zonesWith(1, '192.0.2.66')) as [FreshZone]
  const manager = await TestPerson.signedIn(api, 'manager@example.net')
  const { id } = (await manager.call('GET', '/account')).body
  await sql`insert into zone_managers (zone_id, account_id) values (${zone.id}, ${id})`.execute(db)
  const body = { replace: { type: 'A', from: '192.0.2.66', to: '192.0.2.67' }, zones: 'all' }
  assert.deepEqual(planned(await manager.call('POST', '/plans', { body })), [
    [zone.name, `www.${zone.name} A 192.0.2.67`],
  ])
  await sql`delete from zone_managers where zone_id = ${zone.id}`.execute(db)
  assert.deepEqual(planned(await manager.call('POST', '/plans', { body })), [])
})

test('if three of 300 zones change after the plan, only these are stale, and a new plan has only these', async () => {
  const names = Array.from({ length: 300 }, (_, i) => `s${String(i).padStart(3, '0')}.many.example`)
  const agency = await api.account('agency@example.net')
  const agencyKey = await api.key(agency)
  for (const name of names) await api.zone(agency, name)
  for (const part of [names.slice(0, 150), names.slice(150)]) {
    const zones = part.map((zone) => ({ zone, changes: www(['192.0.2.1']), if_match: 0 }))
    assert.equal((await apply({ zones }, { key: agencyKey })).status, 200)
  }
  const replace = { type: 'A', from: '192.0.2.1', to: '192.0.2.2' }
  const answer = await plan({ replace, zones: 'all' }, { key: agencyKey })
  assert.deepEqual(
    answer.body.zones.map(({ zone }: WirePlannedZone) => zone),
    names,
  )
  const touched = ['s000', 's123', 's299'].map((label) => `${label}.many.example`)
  for (const name of touched)
    await api.call('PUT', `/zones/${name}/rrsets/new/A`, { key: agencyKey, body: { records: ['192.0.2.3'] } })
  const sent = {
    replace,
    zones: answer.body.zones.map(({ zone, version }: WirePlannedZone) => ({ zone, if_match: version })),
  }
  const applied = await apply(sent, { key: agencyKey })
  const stale = applied.body.zones.filter(({ status }: { status: string }) => status === 'stale')
  assert.deepEqual(
    stale.map(({ zone, version }: WirePlannedZone) => [zone, version]),
    touched.map((name) => [name, 2]),
  )
  assert.equal(applied.body.zones.filter(({ status }: { status: string }) => status === 'applied').length, 297)
  const left = await plan({ replace, zones: 'all' }, { key: agencyKey })
  assert.deepEqual(
    left.body.zones.map(({ zone }: WirePlannedZone) => zone),
    touched,
  )
  const { rows } = await sql<{ events: number; entries: number }>`
    select (select count(*)::int from zone_changes c join zones z on z.id = c.zone_id where z.account_id = ${agency}) as events,
      (select count(*)::int from audit_log where account_id = ${agency} and action = 'records.changed') as entries`.execute(
    db,
  )
  assert.deepEqual(rows[0], { events: 300 + 3 + 297, entries: 300 + 3 + 297 })
})

test('if two people apply plans at the same time, only one changes each zone; the other gets `stale` for it', async () => {
  const zones = await zonesWith(20, '192.0.2.70')
  const sent = (to: string) => ({
    replace: { type: 'A', from: '192.0.2.70', to },
    zones: zones.map(({ name }) => ({ zone: name, if_match: 1 })),
  })
  const [one, two] = await Promise.all([apply(sent('192.0.2.71')), apply(sent('192.0.2.72'))])
  const [first, second] = [statuses(one), statuses(two)]
  for (const [i, zone] of zones.entries()) {
    assert.deepEqual([first[i], second[i]].sort(), ['applied', 'stale'], zone.name)
    assert.equal(await zone.version(), 2)
    assert.deepEqual(await recordsOf(zone, 'www', 'A'), [first[i] === 'applied' ? '192.0.2.71' : '192.0.2.72'])
  }
})

test('a plan waits for a zone that another writer has locked, which does not delay the other zones', async () => {
  const [locked, free] = (await zonesWith(2)) as [FreshZone, FreshZone]
  const zones = [locked, free].map(({ name }) => ({ zone: name, changes: www(['192.0.2.9']), if_match: 1 }))
  const applied = await elsewhere.transact(async (tx) => {
    await sql`select 1 from zones where id = ${locked.id} for no key update`.execute(tx)
    const applying = { answer: apply({ zones }) }
    await eventually('the other zone is changed', async () => {
      const { rows } = await sql`select 1 from zones where id = ${free.id} and version = 2`.execute(tx)
      return rows.length > 0
    })
    return applying
  })
  assert.deepEqual(statuses(await applied.answer), ['applied', 'applied'])
})

test('a repeat with the same Idempotency-Key gets the same response, and a different body is refused', async () => {
  const zones = await zonesWith(3)
  const body = { zones: zones.map(({ name }) => ({ zone: name, changes: www(['192.0.2.9']), if_match: 1 })) }
  const headers = { 'idempotency-key': 'plan-repeat' }
  const first = await apply(body, { headers })
  await zones[0]?.put('www', 'A', ['192.0.2.10'])
  const repeat = await apply(body, { headers })
  assert.deepEqual([repeat.status, repeat.body], [first.status, first.body])
  assert.deepEqual(statuses(repeat), ['applied', 'applied', 'applied'])
  assert.deepEqual(codeOf(await apply({ zones: body.zones.slice(1) }, { headers })), [409, 'idempotency_mismatch'])
  const planAgain = await plan({ zones: body.zones }, { headers })
  assert.equal(planAgain.status, 200)
})

test('a repeat continues where the call failed, and does not change zones again that the call had changed', async () => {
  const zones = await zonesWith(2)
  const [done, open] = zones as [FreshZone, FreshZone]
  const body = { zones: zones.map(({ name }) => ({ zone: name, changes: www(['192.0.2.9']), if_match: 1 })) }
  const headers = { 'idempotency-key': 'plan-failed' }
  const failed = await elsewhere.transact(async (tx) => {
    await sql`select 1 from zones where id = ${open.id} for no key update`.execute(tx)
    const applying = apply(body, { headers })
    await untilBlocked(tx)
    assert.equal(await done.version(), 2)
    const repeat = await apply(body, { headers })
    assert.deepEqual(codeOf(repeat), [409, 'conflict'])
    assert.equal(repeat.headers['retry-after'], '5')
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(tx)
    return { answer: await applying }
  })
  assert.equal(failed.answer.status, 503)
  const repeat = await apply(body, { headers })
  assert.deepEqual(statuses(repeat), ['applied', 'applied'])
  assert.deepEqual([await done.version(), await open.version()], [2, 2])
  assert.deepEqual((await apply(body, { headers })).body, repeat.body)
})

test('after a process has died, a repeat is refused for a minute and then continues', async () => {
  const [zone] = (await zonesWith(1)) as [FreshZone]
  const body = { zones: [{ zone: zone.name, changes: www(['192.0.2.9']), if_match: 1 }] }
  const headers = { 'idempotency-key': 'plan-killed' }
  const answer = await apply(body, { headers })
  // The state that a process leaves if it is killed after the last zone and before it stores the response.
  await sql`update idempotency_keys set status = null, answer = ${JSON.stringify({ 0: { status: 'applied', version: 2, bytes: 1 } })}::json
    where key = 'plan-killed'`.execute(db)
  assert.deepEqual(codeOf(await apply(body, { headers })), [409, 'conflict'])
  await moveClock(api.database, '61 seconds')
  assert.deepEqual(codeOf(await apply({ zones: [{ ...body.zones[0], if_match: 2 }] }, { headers })), [
    409,
    'idempotency_mismatch',
  ])
  assert.deepEqual((await apply(body, { headers })).body, answer.body)
  assert.equal(await zone.version(), 2)
})
