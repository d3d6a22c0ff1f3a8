import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Permission } from '@zonewright/contract'
import { sql } from '#platform/postgres/index.ts'
import { startTestApi, type TestAnswer } from '#testing/test-api.ts'
import { codeOf, type FreshZone, faultsOf, testZones } from '#testing/test-zones.ts'
import { readPresets } from './catalogue.ts'

const api = await startTestApi()
const { database } = api
const { account, key, freshZone } = await testZones(api)
interface Options {
  readonly query?: string
  readonly headers?: Record<string, string>
  readonly key?: string
}

function apply(zone: FreshZone, id: string, parameters: object = {}, { query = '', ...more }: Options = {}) {
  return zone.call('POST', `/presets/${id}${query}`, { body: { parameters }, ...more })
}

async function recordsOf(zone: FreshZone): Promise<string[]> {
  const { data } = (await zone.call('GET', '/rrsets?limit=200')).body
  return data
    .filter(({ managed }: { managed: boolean }) => !managed)
    .map(({ name, type, records }: { name: string; type: string; records: string[] }) =>
      [name === zone.name ? '@' : name.slice(0, -zone.name.length - 1), type, ...records].join(' '),
    )
    .sort()
}

/** The diff of a response, as `name type before → after`. */
function diffOf({ body }: TestAnswer): string[] {
  const side = (rrset: { records: string[] } | null) => rrset?.records.join(' ') ?? '-'
  return body.diff.changes.map(
    ({ name, type, before, after }: { name: string; type: string; before: null; after: null }) =>
      `${name.split('.')[0]} ${type} ${side(before)} → ${side(after)}`,
  )
}

const keyWith = (...permissions: Permission[]): Promise<string> => api.key(account, { permissions })

test('the list pages through every preset, and each preset can also be read alone', async () => {
  const ids = [...readPresets().presets.keys()]
  const first = await api.call('GET', '/presets?limit=20', { key })
  assert.equal(first.body.data.length, 20)
  const second = await api.call('GET', `/presets?limit=20&cursor=${first.body.next_cursor}`, { key })
  assert.equal(second.body.next_cursor, null)
  const all = [...first.body.data, ...second.body.data]
  assert.deepEqual(
    all.map(({ id }: { id: string }) => id),
    ids,
  )
  for (const preset of all) assert.deepEqual((await api.call('GET', `/presets/${preset.id}`, { key })).body, preset)
  assert.deepEqual(codeOf(await api.call('GET', '/presets?cursor=x', { key })), [422, 'validation_failed'])
})

test('reading or applying a preset that does not exist returns 404', async () => {
  const zone = await freshZone()
  assert.deepEqual(codeOf(await api.call('GET', '/presets/example.net.none', { key })), [404, 'not_found'])
  assert.deepEqual(codeOf(await apply(zone, '__proto__')), [404, 'not_found'])
  assert.equal((await apply(zone, 'Netlify.com.WEBSITE', { site: 'x' })).status, 200)
})

test('applying a preset is one change with its diff, version, audit entry and event; a repeat has no effect', async () => {
  const zone = await freshZone()
  const answer = await apply(zone, 'netlify.com.website', { site: 'my-site' })
  assert.equal(answer.status, 200)
  assert.deepEqual([answer.body.version, answer.headers.etag], [1, '"1"'])
  assert.equal(answer.headers['zone-serial'], String(answer.body.serial))
  assert.deepEqual(diffOf(answer), [`${zone.name.split('.')[0]} A - → 75.2.60.5`, 'www CNAME - → my-site.netlify.app.'])
  assert.deepEqual(answer.body.warnings, [])
  assert.deepEqual(await recordsOf(zone), ['@ A 75.2.60.5', 'www CNAME my-site.netlify.app.'])

  const again = await apply(zone, 'netlify.com.website', { site: 'my-site' })
  assert.deepEqual([again.status, again.body], [200, { ...answer.body, diff: { changes: [] } }])
  const { rows } = await sql<{ changes: number; entries: number; events: number }>`select
    (select count(*)::int from zone_changes where zone_id = ${zone.id}) as changes,
    (select count(*)::int from audit_log where zone_id = ${zone.id} and action = 'records.changed') as entries,
    (select count(*)::int from event_outbox where zone_id = ${zone.id} and type = 'zone.records_changed') as events`.execute(
    database.db,
  )
  assert.deepEqual(rows, [{ changes: 1, entries: 1, events: 1 }])
})

test('conflicting records are replaced and reported, SPF records are merged, and the rest stays', async () => {
  const zone = await freshZone()
  await zone.put('@', 'MX', ['10 mx.old.example.'])
  await zone.put('@', 'TXT', ['"v=spf1 include:old.example -all"', '"kept"'])
  await zone.put('www', 'A', ['192.0.2.1'])
  const answer = await apply(zone, 'google.com.workspace')
  assert.deepEqual(
    answer.body.warnings.map(({ code, type }: { code: string; type: string }) => `${code} ${type}`),
    ['replaced MX', 'spf_merged TXT'],
  )
  assert.deepEqual(await recordsOf(zone), [
    '@ MX 1 smtp.google.com.',
    '@ TXT "kept" "v=spf1 include:old.example include:_spf.google.com -all"',
    'www A 192.0.2.1',
  ])
  assert.equal((await apply(zone, 'zonewright.no-mail')).status, 200)
  assert.ok((await recordsOf(zone)).includes('@ TXT "kept" "v=spf1 -all"'))
})

test('a dry run shows the difference and the warnings, and changes nothing', async () => {
  const zone = await freshZone()
  await zone.put('www', 'A', ['192.0.2.1'])
  const dry = await apply(zone, 'netlify.com.website', { site: 'x' }, { query: '?dry_run=true' })
  assert.deepEqual([dry.status, dry.body.warnings.length, await zone.version()], [200, 1, 1])
  assert.deepEqual(await recordsOf(zone), ['www A 192.0.2.1'])
  const real = await apply(zone, 'netlify.com.website', { site: 'x' })
  assert.deepEqual([real.body.diff, real.body.warnings], [dry.body.diff, dry.body.warnings])
})

test('If-Match with an old version is refused, and nothing is changed', async () => {
  const zone = await freshZone()
  await zone.put('www', 'A', ['192.0.2.1'])
  const stale = await apply(zone, 'netlify.com.website', { site: 'x' }, { headers: { 'if-match': '"0"' } })
  assert.deepEqual(codeOf(stale), [412, 'precondition_failed'])
  assert.equal(await zone.version(), 1)
  const fresh = await apply(zone, 'netlify.com.website', { site: 'x' }, { headers: { 'if-match': '"1"' } })
  assert.equal(fresh.status, 200)
})

test('a repeat with the same Idempotency-Key gets the first response; with other parameters, it is refused', async () => {
  const zone = await freshZone()
  const headers = { 'idempotency-key': 'one' }
  const first = await apply(zone, 'netlify.com.website', { site: 'x' }, { headers })
  await zone.call('DELETE', '/rrsets/www/CNAME')
  const repeat = await apply(zone, 'netlify.com.website', { site: 'x' }, { headers })
  assert.deepEqual([repeat.status, repeat.body], [200, first.body])
  assert.deepEqual(await recordsOf(zone), ['@ A 75.2.60.5'])
  const other = await apply(zone, 'netlify.com.website', { site: 'y' }, { headers })
  assert.deepEqual(codeOf(other), [409, 'idempotency_mismatch'])
})

test('invalid parameters return 422 with the place of every error, and nothing changes', async () => {
  const zone = await freshZone()
  const answer = await apply(zone, 'matrix.org.homeserver', { port: '-1', typo: 'x', host: 'other.example.org.' })
  assert.deepEqual(codeOf(answer), [422, 'validation_failed'])
  assert.deepEqual(faultsOf(answer).toSorted(), [
    'invalid /parameters/port',
    'missing /parameters/server',
    'out_of_zone /parameters/host',
    'unknown_member /parameters/typo',
  ])
  for (const body of [{ parameters: 'x' }, { parameters: { site: 1 } }, { parameter: {} }, [], 'text'])
    assert.ok((await zone.call('POST', '/presets/netlify.com.website', { body })).status >= 415, JSON.stringify(body))
  const proto = await zone.call('POST', '/presets/netlify.com.website', {
    body: '{"parameters":{"site":"x","constructor":"y"}}',
    headers: { 'content-type': 'application/json' },
  })
  assert.deepEqual(faultsOf(proto), ['unknown_member /parameters/constructor'])
  assert.deepEqual(codeOf(await apply(zone, 'cloudflare.com.pages', { project: 'x' })), [422, 'validation_failed'])
  assert.equal(await zone.version(), 0)
})

test('the host of a preset follows the rule for new owner names; an existing name is accepted as it is printed', async () => {
  const zone = await freshZone()
  const set = (host: string) => apply(zone, 'cloudflare.com.pages', { project: 'x', host })
  for (const host of ['a#b', 'user@host', 'http://www', 'a:8080', "it's"])
    assert.deepEqual(faultsOf(await set(host)), ['bad_name /parameters/host'], host)
  const many = await apply(zone, 'fastmail.com.mail', { host: 'a#b' })
  assert.deepEqual(faultsOf(many), ['bad_name /parameters/host'], 'once for all records')
  await zone.put('a\\#b', 'TXT', ['x'])
  for (const host of [`a#b.${zone.name}`, 'c\\#d', 'www.@', 'bücher', '0/25'])
    assert.equal((await set(host)).status, 200, host)
  assert.deepEqual(
    (await recordsOf(zone)).map((record) => record.split(' ')[0]),
    ['0/25', 'a#b', 'c#d', 'www', 'xn--bcher-kva'],
  )
})

test('a preset accepts plain text and puts it in quotes', async () => {
  for (const [code, record] of [
    ['v=spf1 include:x ~all', '"google-site-verification=v=spf1 include:x ~all"'],
    ["'x y'", '"google-site-verification=\'x y\'"'],
    ['a;b (c)', '"google-site-verification=a;b (c)"'],
    ['k="v"', '"google-site-verification=k=\\"v\\""'],
    ['a\\032b', '"google-site-verification=a\\\\032b"'],
  ] as const) {
    const zone = await freshZone()
    assert.equal((await apply(zone, 'google.com.site-verification', { code })).status, 200)
    assert.deepEqual(await recordsOf(zone), [`@ TXT ${record}`])
  }
})

test('a preset can be applied to a subdomain', async () => {
  const zone = await freshZone()
  await apply(zone, 'cloudflare.com.pages', { project: 'x', host: 'app' })
  await apply(zone, 'bsky.app.handle', { did: 'did:plc:abc', host: `alice.${zone.name}` })
  assert.deepEqual(await recordsOf(zone), ['_atproto.alice TXT "did=did:plc:abc"', 'app CNAME x.pages.dev.'])
})

test('a key that can write but not read sees the preset’s values, and only how many record sets lost values', async () => {
  const zone = await freshZone()
  await zone.put('@', 'MX', ['10 secret.old.example.'])
  await zone.put('@', 'TXT', ['"v=spf1 include:secret.example -all"', '"apple-domain=secret"', '"another secret"'])
  await zone.put('sig1._domainkey', 'TXT', ['"secret"'])
  const writer = await keyWith('records:write')
  const answer = await apply(zone, 'icloud.com.mail', { verification: 'abc' }, { key: writer })
  assert.equal(answer.status, 200)
  assert.ok(!JSON.stringify(answer.body).includes('secret'))
  const apex = zone.name.split('.')[0]
  assert.deepEqual(diffOf(answer), [
    `${apex} MX - → 10 mx01.mail.icloud.com. 10 mx02.mail.icloud.com.`,
    `${apex} TXT - → "apple-domain=abc"`,
    `sig1 CNAME - → sig1.dkim.${zone.name}.at.icloudmailadmin.com.`,
  ])
  assert.deepEqual(
    answer.body.warnings.map(({ message }: { message: string }) => message),
    ['3 record sets lost values that the new records replace.'],
  )
})

test('presets and record changes that are applied at the same time lose none of each other’s values', async () => {
  const zone = await freshZone()
  const codes = Array.from({ length: 10 }, (_, i) => `code${i}`)
  const answers = await Promise.all([
    ...codes.map((code) => apply(zone, 'google.com.site-verification', { code })),
    ...codes.map((code) => zone.call('PATCH', '/rrsets/@/TXT', { body: { add: [`"by hand ${code}"`] } })),
    apply(zone, 'google.com.workspace'),
    apply(zone, 'fastmail.com.mail'),
  ])
  for (const { status } of answers) assert.ok(status === 200 || status === 201)
  const { records } = (await zone.call('GET', '/rrsets/@/TXT')).body
  assert.equal(records.length, 21)
  const spf = records.find((record: string) => record.includes('spf1'))
  assert.match(spf, /include:_spf\.google\.com/)
  assert.match(spf, /include:spf\.messagingengine\.com/)
})
