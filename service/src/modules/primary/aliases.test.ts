import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { parseName, type ResourceRecord, rdataToText, recordsOf, toSerial, typeToText } from '@zonewright/dns'
import { createAddressResolver } from '#adapters/address-resolver/index.ts'
import { Refresher, TargetLookup } from '#modules/alias/index.ts'
import { deleteZone } from '#modules/zones/index.ts'
import { restoreZone } from '#modules/zones/restore-zone.ts'
import { actorNamed } from '#platform/caller.ts'
import { createMetrics } from '#platform/figures/metrics.ts'
import { createLogger } from '#platform/log.ts'
import { sql } from '#platform/postgres/index.ts'
import { eventually } from '#testing/eventually.ts'
import { moveClock } from '#testing/move-clock.ts'
import { startTestApi } from '#testing/test-api.ts'
import { type FreshZone, faultsOf, testZones, zoneFileType } from '#testing/test-zones.ts'
import { ZoneSource } from './zone-source.ts'

const api = await startTestApi()
const { database, dns } = api
const { account, key, freshZone } = await testZones(api)
const source = new ZoneSource(database.db)
const refresher = new Refresher({
  database,
  lookup: new TargetLookup(database, createAddressResolver({ servers: [dns.address] })),
  log: createLogger('test', 'silent'),
  metrics: createMetrics(),
})
refresher.start()
await sql`insert into nameservers (name, address, position) values ('ns1.zonewright.test', '127.0.0.1:9', 1)`.execute(
  database.db,
)
after(() => refresher.stop())
beforeEach(() => {
  dns.mode = 'good'
})

const actor = actorNamed('operator', 'test')
let targets = 0
/** A host elsewhere, with these addresses. */
function target(a: readonly string[], { aaaa = [] as readonly string[], ttl = 60 } = {}): string {
  const host = `target${++targets}.example.net`
  if (a.length > 0) dns.set(host, 'A', a, { ttl })
  if (aaaa.length > 0) dns.set(host, 'AAAA', aaaa, { ttl })
  return host
}

/** The published records of a zone without those of the service, as a transfer sends them. */
async function published({ name }: { name: string }): Promise<string[]> {
  const rrsets = [...((await source.whole(parseName(`${name}.`))) ?? [])]
  return rrsets
    .flatMap((rrset) => [...recordsOf(rrset)])
    .filter(({ type }) => !['SOA', 'NS'].includes(typeToText(type)))
    .map(
      ({ name: owner, type, ttl, data }) =>
        `${relative(owner, name)} ${ttl} ${typeToText(type)} ${rdataToText(type, data)}`,
    )
    .sort()
}

function relative(owner: string, zone: string): string {
  return owner === `${zone}.` ? '@' : owner.slice(0, -zone.length - 2)
}

/** What an IXFR from a serial removes and adds. */
async function since({ name: zone }: { name: string }, serial: number): Promise<string[]> {
  const found = await source.since(parseName(`${zone}.`), toSerial(serial % 2 ** 32))
  const line = (sign: string, { name, type, data }: ResourceRecord): string =>
    `${sign}${relative(name, zone)} ${typeToText(type)} ${rdataToText(type, data)}`
  return [...(found?.steps ?? [])].flatMap(({ removed, added }) => [
    ...[...removed].map((record) => line('-', record)),
    ...[...added].map((record) => line('+', record)),
  ])
}

async function stateOf(zone: FreshZone): Promise<{ version: number; serial: number; audit: number; events: number }> {
  const { rows } = await sql<{ version: number; serial: number; audit: number; events: number }>`
    select version, serial, (select count(*)::int from audit_log where zone_id = z.id) as audit,
      (select count(*)::int from event_outbox where zone_id = z.id) as events
    from zones z where id = ${zone.id}`.execute(database.db)
  return rows[0] as { version: number; serial: number; audit: number; events: number }
}

/** Makes the lookup of a target due. */
async function makeDue(host: string): Promise<void> {
  await sql`update alias_targets set due_at = app_now() where target = ${host}`.execute(database.db)
}

/** Waits until a check passes. */
async function settles(check: () => Promise<void>): Promise<void> {
  let last: unknown
  const passed = () =>
    check().then(
      () => true,
      (error: unknown) => {
        last = error
        return false
      },
    )
  await eventually('the check passes', passed, 20_000).catch(() => {
    throw last
  })
}

const warningsOf = ({ body }: { body: { warnings?: { code: string }[] } }) =>
  (body.warnings ?? []).map(({ code }) => code)

test('a write publishes the addresses of the target with its own serial; readers see only the ALIAS', async () => {
  const zone = await freshZone()
  const host = target(['93.184.216.2', '93.184.216.1'], { aaaa: ['2606:2800:21f::1'] })
  const before = await stateOf(zone)
  const put = await zone.put('@', 'ALIAS', [`${host}.`], { ttl: 3_600 })
  assert.equal(put.status, 201)
  assert.deepEqual(warningsOf(put), [])
  const { checked_at, ...resolved } = put.body.resolved
  assert.deepEqual(resolved, { a: ['93.184.216.1', '93.184.216.2'], aaaa: ['2606:2800:21f::1'], error: null })
  assert.match(checked_at, /^\d{4}-/)
  assert.deepEqual(await published(zone), ['@ 60 A 93.184.216.1', '@ 60 A 93.184.216.2', '@ 60 AAAA 2606:2800:21f::1'])
  const serial = (await stateOf(zone)).serial
  assert.equal(Number(put.headers['zone-serial']), serial % 2 ** 32)
  assert.deepEqual(await since(zone, before.serial), [
    '+@ A 93.184.216.1',
    '+@ A 93.184.216.2',
    '+@ AAAA 2606:2800:21f::1',
  ])
  const got = await zone.call('GET', '/rrsets/@/ALIAS')
  assert.deepEqual(got.body, put.body)
  const list = await zone.call('GET', '/rrsets')
  const own = list.body.data.filter(({ managed }: { managed: boolean }) => !managed)
  assert.deepEqual(own, [put.body])
  assert.equal((await zone.call('GET', '/rrsets/@/A')).status, 404)
})

test('history, diffs, dry runs and the event contain only the ALIAS', async () => {
  const zone = await freshZone()
  const host = target(['93.184.216.3'])
  const dry = await zone.call('PUT', '/rrsets/@/ALIAS?dry_run=true', { body: { records: [`${host}.`], ttl: 300 } })
  const change = { name: zone.name, type: 'ALIAS', before: null, after: { ttl: 300, records: [`${host}.`] } }
  assert.deepEqual(dry.body.diff.changes, [change])
  await zone.put('@', 'ALIAS', [`${host}.`], { ttl: 300 })
  assert.deepEqual((await zone.call('GET', '/versions/1/diff')).body.changes, [change])
  const { rows } = await sql<{ data: { changes: unknown } }>`
    select data from event_outbox where zone_id = ${zone.id} and type = 'zone.records_changed'`.execute(database.db)
  assert.deepEqual(
    rows.map(({ data }) => data.changes),
    [[{ name: zone.name, type: 'ALIAS', ttl: 300, records: [`${host}.`] }]],
  )
})

test('a new value, a new TTL and a deletion each publish only the difference', async () => {
  const zone = await freshZone()
  const [one, two] = [target(['93.184.216.4'], { ttl: 600 }), target(['93.184.216.5'], { aaaa: ['2606::5'], ttl: 600 })]
  await zone.put('www', 'ALIAS', [`${one}.`], { ttl: 3_600 })
  const first = (await stateOf(zone)).serial
  await zone.call('PATCH', '/rrsets/www/ALIAS', { body: { add: [`${two}.`], remove: [`${one}.`] } })
  assert.deepEqual(await since(zone, first), ['-www A 93.184.216.4', '+www A 93.184.216.5', '+www AAAA 2606::5'])
  assert.deepEqual(await published(zone), ['www 600 A 93.184.216.5', 'www 600 AAAA 2606::5'])
  await zone.put('www', 'ALIAS', [`${two}.`], { ttl: 60 })
  assert.deepEqual(await published(zone), ['www 60 A 93.184.216.5', 'www 60 AAAA 2606::5'])
  const last = (await stateOf(zone)).serial
  assert.equal((await zone.call('DELETE', '/rrsets/www/ALIAS')).status, 204)
  assert.deepEqual(await since(zone, last), ['-www A 93.184.216.5', '-www AAAA 2606::5'])
  assert.deepEqual(await published(zone), [])
})

test('an ALIAS and addresses exclude each other, and the error names the ALIAS', async () => {
  const zone = await freshZone()
  const host = target(['93.184.216.6'])
  await zone.put('@', 'ALIAS', [`${host}.`])
  for (const [type, value] of [
    ['A', '192.0.2.1'],
    ['AAAA', '2001:db8::1'],
  ] as const) {
    const refused = await zone.put('@', type, [value])
    assert.deepEqual([refused.status, faultsOf(refused)], [422, ['alias_not_alone /records']])
    assert.match(
      refused.body.error.message,
      new RegExp(`has an ALIAS to ${host}\\., which publishes its A and AAAA records`),
    )
  }
  const cname = await zone.put('www', 'CNAME', ['a.example.net.'])
  assert.equal(cname.status, 201)
  assert.deepEqual(faultsOf(await zone.put('www', 'ALIAS', [`${host}.`])), ['cname_not_alone /records'])
  assert.deepEqual(faultsOf(await zone.put('@', 'ALIAS', [`${host}.`, 'b.example.net.'])), ['single_value /records'])
  const second = await zone.call('PATCH', '/rrsets/@/ALIAS', { body: { add: ['b.example.net.'] } })
  assert.deepEqual(faultsOf(second), ['single_value /add'])
  await zone.put('host', 'A', ['192.0.2.1'])
  await zone.put('host', 'AAAA', ['2001:db8::1'])
  const beside = await zone.put('host', 'ALIAS', [`${host}.`])
  assert.match(beside.body.error.message, /: host\.\S+ has A, AAAA records\. An ALIAS publishes/)
  const both = await zone.call('PATCH', '/rrsets', {
    body: {
      changes: [
        { name: 'new', type: 'ALIAS', records: [`${host}.`] },
        { name: 'new', type: 'A', records: ['192.0.2.1'] },
      ],
    },
  })
  assert.deepEqual(faultsOf(both), ['alias_not_alone /changes/0'])
  const swap = await zone.call('PATCH', '/rrsets', {
    body: {
      changes: [
        { name: 'host', type: 'A', records: [] },
        { name: 'host', type: 'AAAA', records: [] },
        { name: 'host', type: 'ALIAS', records: [`${host}.`] },
      ],
    },
  })
  assert.equal(swap.status, 200)
  for (const [type, value] of [
    ['MX', '10 mail.example.net.'],
    ['TXT', '"text"'],
    ['CAA', '0 issue "ca.example.net"'],
  ] as const)
    assert.equal((await zone.put('@', type, [value])).status, 201, type)
  assert.equal((await zone.put('host', 'NS', ['ns.example.net.'])).status, 201)
})

test('a key that cannot read the ALIAS does not learn where it leads', async () => {
  const zone = await freshZone()
  await zone.put('www', 'ALIAS', [`${target(['93.184.216.7'])}.`])
  const writer = await api.key(account, { permissions: ['records:write'] })
  const refused = await zone.call('PUT', '/rrsets/www/A', { body: { records: ['192.0.2.1'] }, key: writer })
  assert.deepEqual(faultsOf(refused), ['alias_not_alone /records'])
  assert.doesNotMatch(JSON.stringify(refused.body), /example\.net/)
})

test('refuses targets that are not valid', async () => {
  const zone = await freshZone()
  for (const bad of [
    '192.0.2.1',
    'localhost.',
    'db.internal.',
    'intranet.',
    'https://www.example.net/',
    '_a.example.net.',
    '*.example.net.',
  ])
    assert.deepEqual(faultsOf(await zone.put('@', 'ALIAS', [bad])), ['bad_rdata /records/0'], bad)
})

for (const [what, prepare, error] of [
  ['does not exist', (host: string) => void host, 'no_address'],
  ['is an alias of itself', (host: string) => dns.set(host, 'CNAME', [`${host}.`]), 'too_many_steps'],
  ['has a private address', (host: string) => dns.set(host, 'A', ['93.184.216.8', '10.0.0.1']), 'private_address'],
  ['has a server that fails', () => (dns.mode = 'servfail'), 'server_failure'],
  ['has a silent server', () => (dns.mode = 'silent'), 'timeout'],
] as const)
  test(`a target that ${what} is saved with a warning, within the time limit`, async () => {
    const zone = await freshZone()
    const host = target([])
    prepare(host)
    const startedMs = performance.now()
    const put = await zone.put('@', 'ALIAS', [`${host}.`])
    assert.ok(performance.now() - startedMs < 4_000)
    assert.deepEqual([put.status, warningsOf(put), put.body.resolved.error], [201, ['alias_unresolved'], error])
    assert.deepEqual(await published(zone), [])
  })

test('a target with a hundred addresses publishes the lowest 20, with a warning', async () => {
  const zone = await freshZone()
  const host = target(Array.from({ length: 100 }, (_, i) => `93.184.216.${200 - i}`))
  const put = await zone.put('@', 'ALIAS', [`${host}.`])
  assert.deepEqual(warningsOf(put), ['alias_truncated'])
  assert.match(put.body.warnings[0].message, /has 100 addresses\. Only 20 of them are published/)
  assert.deepEqual(
    put.body.resolved.a,
    Array.from({ length: 20 }, (_, i) => `93.184.216.${101 + i}`),
  )
})

test('a change at the target raises the serial, and creates no version, audit entry or event', async () => {
  const [zone, other] = [await freshZone(), await freshZone()]
  const host = target(['93.184.216.9'])
  for (const each of [zone, other]) await each.put('@', 'ALIAS', [`${host}.`])
  const [before, updatedAt] = [await stateOf(zone), (await zone.call('GET', '/rrsets/@/ALIAS')).body.updated_at]
  dns.set(host, 'A', ['93.184.216.10'])
  dns.asked.length = 0
  await makeDue(host)
  await settles(async () => assert.deepEqual(await published(zone), ['@ 60 A 93.184.216.10']))
  await settles(async () => assert.deepEqual(await published(other), ['@ 60 A 93.184.216.10']))
  assert.equal(dns.asked.filter((asked) => asked === `udp A ${host}`).length, 1, 'one lookup for all zones')
  const now = await stateOf(zone)
  assert.ok(now.serial > before.serial)
  assert.deepEqual({ ...now, serial: 0 }, { ...before, serial: 0 })
  assert.deepEqual(await since(zone, before.serial), ['-@ A 93.184.216.9', '+@ A 93.184.216.10'])
  const got = await zone.call('GET', '/rrsets/@/ALIAS')
  assert.deepEqual([got.body.updated_at, got.body.resolved.a], [updatedAt, ['93.184.216.10']])
  assert.equal((await zone.call('GET', '/versions')).body.data.length, 1)
})

test('the same answer leaves the serial unchanged', async () => {
  const zone = await freshZone()
  const host = target(['93.184.216.11'])
  await zone.put('@', 'ALIAS', [`${host}.`])
  const before = await stateOf(zone)
  const { checked_at: checkedAt } = (await zone.call('GET', '/rrsets/@/ALIAS')).body.resolved
  await makeDue(host)
  await settles(async () => {
    const { checked_at } = (await zone.call('GET', '/rrsets/@/ALIAS')).body.resolved
    assert.notEqual(checked_at, checkedAt)
  })
  assert.deepEqual(await stateOf(zone), before)
})

test('a known target is not looked up again by the next write', async () => {
  const zone = await freshZone()
  const host = target(['93.184.216.12'])
  await zone.put('@', 'ALIAS', [`${host}.`])
  dns.asked.length = 0
  assert.deepEqual((await zone.put('www', 'ALIAS', [`${host}.`])).body.resolved.a, ['93.184.216.12'])
  assert.deepEqual(
    dns.asked.filter((asked) => asked.endsWith(host)),
    [],
  )
})

test('targets in live zones here are resolved from their records: addresses, aliases, wildcards and DNAMEs', async () => {
  const [zone, hosted] = [await freshZone(), await freshZone()]
  await hosted.put('www', 'A', ['93.184.216.13'], { ttl: 120 })
  await hosted.put('www', 'AAAA', ['2606::13'], { ttl: 240 })
  await hosted.put('shop', 'CNAME', ['www'], { ttl: 90 })
  await hosted.put('*.wild', 'A', ['93.184.216.14'])
  await hosted.put('deep.inner.wild', 'TXT', ['"x"'])
  await hosted.put('old', 'DNAME', ['wild'])
  await hosted.put('@', 'ALIAS', [`www.${hosted.name}.`])
  dns.asked.length = 0
  const resolvedTo = async (host: string) => {
    const { body } = await zone.put('@', 'ALIAS', [`${host}.${hosted.name}.`])
    return [body.resolved.a, body.resolved.aaaa, body.resolved.error]
  }
  const both = [['93.184.216.13'], ['2606::13'], null]
  assert.deepEqual(await resolvedTo('www'), both)
  assert.deepEqual(await published(zone), ['@ 120 A 93.184.216.13', '@ 120 AAAA 2606::13'])
  assert.deepEqual(await resolvedTo('shop'), both)
  assert.equal((await published(zone))[0], '@ 90 A 93.184.216.13')
  const wild = [['93.184.216.14'], [], null]
  assert.deepEqual(await resolvedTo('any.wild'), wild)
  assert.deepEqual(await resolvedTo('a.b.wild'), wild)
  assert.deepEqual(await resolvedTo('any.old'), wild)
  for (const nothing of ['nowhere', 'inner.wild', 'x.inner.wild', 'wild'])
    assert.deepEqual(await resolvedTo(nothing), [[], [], 'no_address'], nothing)
  const apex = await zone.put('@', 'ALIAS', [`${hosted.name}.`])
  assert.deepEqual(apex.body.resolved.a, ['93.184.216.13'], 'an ALIAS leads to its target')
  assert.deepEqual(dns.asked, [], 'nobody else is asked')
})

test('an ALIAS in a loop of live zones has no addresses; a delegated host is looked up elsewhere', async () => {
  const [one, two] = [await freshZone(), await freshZone()]
  await one.put('@', 'ALIAS', [`${two.name}.`])
  await two.put('@', 'ALIAS', [`${one.name}.`])
  const put = await two.put('@', 'ALIAS', [`${one.name}.`])
  assert.deepEqual([warningsOf(put), put.body.resolved.error], [['alias_unresolved'], 'too_many_steps'])
  await one.put('sub', 'NS', ['ns.example.net.'])
  dns.set(`www.sub.${one.name}`, 'A', ['93.184.216.15'])
  const away = await two.put('away', 'ALIAS', [`www.sub.${one.name}.`])
  assert.deepEqual(away.body.resolved.a, ['93.184.216.15'])
})

test('a target in a zone here that is not live is looked up like any other host', async () => {
  const [zone, hosted] = [await freshZone(), await freshZone()]
  await hosted.put('www', 'A', ['93.184.216.16'])
  await sql`update zones set state = 'pending' where id = ${hosted.id}`.execute(database.db)
  const put = await zone.put('@', 'ALIAS', [`www.${hosted.name}.`])
  assert.deepEqual([put.body.resolved.a, put.body.resolved.error], [[], 'no_address'])
  dns.set(`www.${hosted.name}`, 'A', ['93.184.216.17'])
  await zone.put('@', 'ALIAS', [`www.${hosted.name}.`])
  await settles(async () => assert.deepEqual(await published(zone), ['@ 60 A 93.184.216.17']))
})

test('an export has the ALIAS as a comment above its addresses, which an import reads back without a change', async () => {
  const zone = await freshZone()
  const host = target(['93.184.216.18'], { aaaa: ['2606::18'] })
  const lost = target([])
  await zone.put('@', 'ALIAS', [`${host}.`], { ttl: 300 })
  await zone.put('lost', 'ALIAS', [`${lost}.`], { ttl: 300 })
  await zone.put('www', 'A', ['192.0.2.1'])
  const { body: file } = await zone.call('GET', '/export')
  const lines = file.split('\n')
  const at = lines.indexOf(`; ALIAS 300 ${zone.name}. ${host}.`)
  assert.deepEqual(lines.slice(at + 1, at + 3), [
    `${zone.name}.\t60\tIN\tA\t93.184.216.18`,
    `${zone.name}.\t60\tIN\tAAAA\t2606::18`,
  ])
  assert.ok(lines.includes(`; ALIAS 300 lost.${zone.name}. ${lost}.`))
  const back = await zone.call('POST', '/import?mode=replace&dry_run=true', { body: file, headers: zoneFileType })
  assert.deepEqual([back.status, back.body.diff.changes, back.body.errors], [200, [], []])
  assert.deepEqual(
    back.body.adapted.map(({ code }: { code: string }) => code),
    ['alias_addresses'],
  )
  const flat = (await zone.call('GET', '/export?alias=flatten')).body
  assert.doesNotMatch(flat, /ALIAS/)
  assert.match(flat, /\tA\t93\.184\.216\.18\n/)
  assert.equal((await zone.call('GET', '/export?alias=other')).status, 422)
})

test('imports zone files with ALIAS and ANAME, and reports a conflict at its line', async () => {
  const zone = await freshZone()
  const host = target(['93.184.216.19'])
  const file = `$TTL 300\n@ ANAME ${host}.\nshop IN ALIAS ${host}.\n`
  const made = await zone.call('POST', '/import', { body: file, headers: zoneFileType })
  assert.deepEqual([made.status, warningsOf(made)], [200, []])
  assert.deepEqual(await published(zone), ['@ 60 A 93.184.216.19', 'shop 60 A 93.184.216.19'])
  const bad = `$TTL 300\nx A 192.0.2.1\nx ALIAS ${host}.\n`
  const refused = await zone.call('POST', '/import', { body: bad, headers: zoneFileType })
  assert.deepEqual(faultsOf(refused), ['alias_not_alone 3'])
})

test('an ALIAS to a host that the same request creates gets its addresses soon after it', async () => {
  const zone = await freshZone()
  const file = `$TTL 300\n@ ALIAS www\nwww A 93.184.216.60\n`
  const made = await zone.call('POST', '/import', { body: file, headers: zoneFileType })
  assert.deepEqual([made.status, warningsOf(made)], [200, ['alias_unresolved']])
  const began = performance.now()
  await settles(async () =>
    assert.deepEqual(await published(zone), ['@ 300 A 93.184.216.60', 'www 300 A 93.184.216.60']),
  )
  assert.ok(performance.now() - began < 20_000, 'and does not wait for the usual retry')
})

test('a restore brings an ALIAS back with its addresses', async () => {
  const zone = await freshZone()
  const host = target(['93.184.216.20'])
  await zone.put('@', 'ALIAS', [`${host}.`])
  await zone.call('DELETE', '/rrsets/@/ALIAS')
  await zone.put('@', 'A', ['192.0.2.1'])
  assert.equal((await zone.call('POST', '/versions/1/restore')).status, 200)
  assert.deepEqual(await published(zone), ['@ 60 A 93.184.216.20'])
})

test('several changes of one name in shared transactions publish the last one', async () => {
  const zone = await freshZone()
  const hosts = Array.from({ length: 4 }, (_, i) => target([`93.184.217.${i + 1}`]))
  const before = (await stateOf(zone)).serial
  const puts = await Promise.all(hosts.map((host) => zone.put('@', 'ALIAS', [`${host}.`])))
  assert.ok(puts.every(({ status }) => status < 300))
  const { body } = await zone.call('GET', '/rrsets/@/ALIAS')
  const last = hosts.indexOf(body.records[0].slice(0, -1))
  assert.deepEqual(await published(zone), [`@ 60 A 93.184.217.${last + 1}`])
  assert.deepEqual(await since(zone, before), [`+@ A 93.184.217.${last + 1}`])
})

test('a write with an Idempotency-Key and one in a pending zone also publish', async () => {
  const zone = await freshZone()
  const host = target(['93.184.216.21'])
  const headers = { 'idempotency-key': 'alias-1' }
  const body = { records: [`${host}.`] }
  const first = await zone.call('PUT', '/rrsets/@/ALIAS', { body, headers })
  assert.deepEqual([first.status, first.body.resolved.a], [201, ['93.184.216.21']])
  assert.deepEqual((await zone.call('PUT', '/rrsets/@/ALIAS', { body, headers })).body, first.body)
  assert.deepEqual(await published(zone), ['@ 60 A 93.184.216.21'])
  const { body: pending } = await api.call('POST', '/zones', { key, body: { name: 'pending-alias.example.org' } })
  const put = await api.call('PUT', `/zones/${pending.id}/rrsets/@/ALIAS`, { key, body })
  assert.deepEqual(put.body.resolved.a, ['93.184.216.21'])
})

test('a failing target keeps its addresses for 24 hours; a deleted zone is left alone, and follows when it is restored', async () => {
  const [zone, deleted] = [await freshZone(), await freshZone()]
  const host = target(['93.184.216.22'])
  for (const each of [zone, deleted]) await each.put('@', 'ALIAS', [`${host}.`])
  await database.transact((tx) => deleteZone(tx, actor, deleted.id, api.verification.delegate))
  dns.set(host, 'A', [])
  await makeDue(host)
  await settles(async () => {
    const { body } = await zone.call('GET', '/rrsets/@/ALIAS')
    assert.deepEqual([body.resolved.error, body.resolved.a], ['no_address', ['93.184.216.22']])
  })
  assert.deepEqual(await published(zone), ['@ 60 A 93.184.216.22'])
  const again = await zone.put('@', 'ALIAS', [`${host}.`])
  assert.deepEqual(warningsOf(again), ['alias_unresolved'])
  assert.match(again.body.warnings[0].message, /The last known addresses stay published/)
  await moveClock(database, '25 hours')
  await makeDue(host)
  await settles(async () => assert.deepEqual(await published(zone), []))
  await moveClock(database, '0 hours')
  dns.set(host, 'A', ['93.184.216.23'])
  await makeDue(host)
  await settles(async () => assert.deepEqual(await published(zone), ['@ 60 A 93.184.216.23']))
  await database.transact((tx) =>
    restoreZone(tx, api.verification, { actor, accountId: account, serviceDomains: [] }, deleted.id),
  )
  await settles(async () => assert.deepEqual(await published(deleted), ['@ 60 A 93.184.216.23']))
})

test('a target that no zone uses any longer is forgotten', async () => {
  const zone = await freshZone()
  const host = target(['93.184.216.24'])
  await zone.put('@', 'ALIAS', [`${host}.`])
  await zone.call('DELETE', '/rrsets/@/ALIAS')
  await makeDue(host)
  await settles(async () => {
    const { rows } = await sql`select from alias_targets where target = ${host}`.execute(database.db)
    assert.equal(rows.length, 0)
  })
})
