import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Permission } from '@zonewright/contract'
import { sql } from '#platform/postgres/index.ts'
import { assertBriefTurns } from '#testing/longest-turn.ts'
import { startTestApi, type TestAnswer, testNameservers } from '#testing/test-api.ts'

const api = await startTestApi()
const { db } = api.database
const account = await api.account('owner@example.net')
const stranger = await api.account('stranger@example.net')
const key = await api.key(account, { name: 'pdns' })

const call = (method: string, path: string, body?: unknown, secret = key): Promise<TestAnswer> =>
  api.call(method, `/servers/localhost${path}`, {
    headers: { 'x-api-key': secret },
    ...(body !== undefined && { body }),
  })

let zones = 0
async function freshZone(owner = account) {
  const { id, name } = await api.zone(owner, `zone${++zones}.example.com`)
  const path = `/zones/${name}.`
  return {
    ...{ id, name, path },
    patch: (rrsets: readonly object[], secret = key) => call('PATCH', path, { rrsets }, secret),
    rrsets: async (secret = key) => rrsetsOf(await call('GET', path, undefined, secret)),
  }
}

const keyWith = (...permissions: Permission[]) => api.key(account, { permissions })
const acmeKeyFor = (zone: { id: string }) => api.key(account, { zones: [zone.id], permissions: ['acme:dns01'] })

/** The record sets of a zone in a response, without the SOA and the NS at the apex, as one line each. */
function rrsetsOf({ status, body }: TestAnswer): string[] {
  assert.equal(status, 200, JSON.stringify(body))
  type Rrset = { name: string; type: string; ttl: number; records: { content: string }[] }
  return body.rrsets
    .filter(({ name, type }: Rrset) => name !== body.name || (type !== 'SOA' && type !== 'NS'))
    .map(({ name, type, ttl, records }: Rrset) =>
      [name.slice(0, -body.name.length), ttl, type, records.map(({ content }) => content).join(' | ')].join(' '),
    )
}

const replace = (name: string, type: string, contents: string[], ttl: unknown = 300) => ({
  ...{ name, type, ttl, changetype: 'REPLACE' },
  records: contents.map((content) => ({ content, disabled: false })),
})

test('clients can read the versions, the server, its configuration and its statistics', async () => {
  const versions = await api.call('GET', '/api', { prefix: '', headers: { 'x-api-key': key } })
  assert.deepEqual(versions.body, [{ url: '/api/v1', version: 1 }])
  const [server, ...others] = (await api.call('GET', '/servers', { key })).body
  assert.deepEqual([server, others], [(await call('GET', '')).body, []])
  assert.deepEqual([server.type, server.id, server.daemon_type], ['Server', 'localhost', 'authoritative'])
  assert.match(server.version, /^4\.9\.\d+$/)
  for (const path of ['/config', '/statistics', '/statistics?includerings=false'])
    assert.deepEqual((await call('GET', path)).body, [])
})

test('accepts a key in X-API-Key or as a Bearer token', async () => {
  const { path } = await freshZone()
  const statusOf = async (headers: Record<string, string>) =>
    (await api.call('GET', `/servers/localhost${path}`, { headers })).status
  assert.equal(await statusOf({ 'x-api-key': key }), 200)
  assert.equal(await statusOf({ authorization: `Bearer ${key}` }), 200)
  assert.equal(await statusOf({ authorization: `Basic ${Buffer.from(`x:${key}`).toString('base64')}` }), 401)
  assert.equal(await statusOf({}), 401)
})

test('finds a zone by its id, with or without the final dot, and with =XX and %XX in it', async () => {
  const zone = await freshZone()
  const [, rest = ''] = zone.name.split('zone')
  for (const id of [
    `${zone.name}.`,
    zone.name,
    zone.name.toUpperCase(),
    `=7Aone${rest}.`,
    `=7aone${rest}=2E`,
    `%7Aone${rest}%2e`,
    `%3D7Aone${rest}`,
  ])
    assert.equal((await call('GET', `/zones/${id}`)).body.name, `${zone.name}.`, id)
  for (const id of [
    'nowhere.example.',
    zone.id,
    '=2E',
    '=',
    '..',
    'a..b',
    '%00',
    '=00',
    `${zone.name}..`,
    `x.${zone.name}`,
  ])
    assert.equal((await call('GET', `/zones/${id}`)).status, 404, id)
})

test('refuses a path that is too long or not decodable in the form of PowerDNS, and elsewhere in that of the API', async () => {
  const long = 'a'.repeat(5_000)
  for (const id of ['%FF', '%', '%zz', 'example%C3.com.', long])
    for (const [method, path] of [
      ['GET', `/zones/${id}`],
      ['PATCH', `/zones/${id}`],
      ['GET', `/zones/${id}/cryptokeys?x=%FF`],
    ] as const) {
      const { status, body } = await call(method, path, method === 'PATCH' ? { rrsets: [] } : undefined)
      assert.equal(status >= 400 && status < 500, true, `${path} ${status}`)
      assert.deepEqual(Object.keys(body), ['error'], path)
      assert.equal(typeof body.error, 'string', path)
    }
  const { status, body } = await api.call('GET', '/zones/%FF', { key })
  assert.deepEqual([status, body.error.code], [400, 'malformed_request'])
})

test('a zone shows its SOA and NS, then its record sets, with the members of PowerDNS', async () => {
  const zone = await freshZone()
  await zone.patch([replace(`www.${zone.name}.`, 'A', ['192.0.2.1'])])
  const { status, body, headers } = await call('GET', zone.path)
  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'application/json')
  const { serial } = (await api.call('GET', `/zones/${zone.name}`, { key })).body
  const { rrsets, ...members } = body
  assert.deepEqual(members, {
    ...{ account: '', api_rectify: false, catalog: '', dnssec: false, edited_serial: serial, id: `${zone.name}.` },
    ...{ kind: 'Master', last_check: 0, master_tsig_key_ids: [], masters: [], name: `${zone.name}.` },
    ...{ notified_serial: serial, nsec3narrow: false, nsec3param: '', serial, slave_tsig_key_ids: [], soa_edit: '' },
    ...{ soa_edit_api: 'DEFAULT', url: `/api/v1/servers/localhost/zones/${zone.name}.` },
  })
  const [ns1, ns2] = testNameservers
  assert.deepEqual(rrsets, [
    {
      ...{ comments: [], name: `${zone.name}.` },
      records: [{ content: `${ns1}. hostmaster.zonewright.test. ${serial} 14400 3600 1209600 300`, disabled: false }],
      ...{ ttl: 3600, type: 'SOA' },
    },
    {
      ...{ comments: [], name: `${zone.name}.` },
      records: [ns1, ns2].map((host) => ({ content: `${host}.`, disabled: false })),
      ...{ ttl: 3600, type: 'NS' },
    },
    {
      ...{ comments: [], name: `www.${zone.name}.` },
      records: [{ content: '192.0.2.1', disabled: false }],
      ...{ ttl: 300, type: 'A' },
    },
  ])
})

test('rrsets=false omits the record sets; rrset_name and rrset_type select some', async () => {
  const zone = await freshZone()
  await zone.patch([
    replace(`www.${zone.name}.`, 'A', ['192.0.2.1']),
    replace(`www.${zone.name}.`, 'TXT', ['"hello"']),
    replace(`mail.${zone.name}.`, 'A', ['192.0.2.2']),
  ])
  const typesOf = async (query: string): Promise<string[] | undefined> =>
    (await call('GET', `${zone.path}${query}`)).body.rrsets?.map(
      ({ name, type }: { name: string; type: string }) => `${name.split('.')[0]} ${type}`,
    )
  assert.equal(await typesOf('?rrsets=false'), undefined)
  assert.equal(await typesOf(`?rrsets=false&rrset_name=www.${zone.name}.`), undefined)
  assert.equal((await typesOf('?rrsets=true'))?.length, 5)
  assert.deepEqual(await typesOf(`?rrset_name=www.${zone.name}.`), ['www A', 'www TXT'])
  assert.deepEqual(await typesOf(`?rrset_name=WWW.${zone.name}&rrset_type=txt`), ['www TXT'])
  assert.deepEqual(await typesOf('?rrset_type=A'), ['mail A', 'www A'])
  assert.deepEqual(await typesOf(`?rrset_name=${zone.name}.&rrset_type=NS`), [`${zone.name.split('.')[0]} NS`])
  for (const name of [`none.${zone.name}.`, 'example.net.', 'a..b', '%00'])
    assert.deepEqual(await typesOf(`?rrset_name=${name}`), [], name)
})

test('applies all entries in order, or none, and a client reads the zone back as it was sent', async () => {
  const zone = await freshZone()
  const at = (label: string) => `${label}.${zone.name}.`
  const records = (...contents: string[]) => contents.map((content) => ({ content }))
  const made = await zone.patch([
    replace(at('www'), 'A', ['192.0.2.1']),
    { name: at('www'), type: 'A', changetype: 'EXTEND', ttl: 60, records: records('192.0.2.2', '192.0.2.3') },
    { name: at('www'), type: 'A', changetype: 'PRUNE', records: records('192.0.2.1') },
    replace(at('alias'), 'A', ['192.0.2.9']),
    { name: at('alias'), type: 'A', changetype: 'DELETE', ttl: 0, records: null },
    replace(at('alias'), 'CNAME', [at('www')], 5),
    replace(at('mail'), 'MX', ['10 mail.example.net.', '20 mx.example.net.'], 10_000_000),
    replace(at('txt'), 'TXT', ['"v=spf1 -all"', '"two" "strings"'], '120'),
    replace(at('_sip._tcp'), 'SRV', ['0 5 5060 sip.example.net.']),
  ])
  assert.deepEqual([made.status, made.body], [204, ''])
  const all = [
    '_sip._tcp. 300 SRV 0 5 5060 sip.example.net.',
    `alias. 30 CNAME www.${zone.name}.`,
    'mail. 604800 MX 10 mail.example.net. | 20 mx.example.net.',
    'txt. 120 TXT "two" "strings" | "v=spf1 -all"',
    'www. 60 A 192.0.2.2 | 192.0.2.3',
  ]
  assert.deepEqual(await zone.rrsets(), all)
  const refused = await zone.patch([replace(at('new'), 'A', ['192.0.2.1']), replace(at('alias'), 'A', ['192.0.2.1'])])
  assert.equal(refused.status, 422)
  assert.match(refused.body.error, /^\/rrsets\/1: alias.* is a CNAME/)
  assert.deepEqual(await zone.rrsets(), all)
})

test('a change creates one version, one event, and history and audit entries with the key and its source', async () => {
  const zone = await freshZone()
  await zone.patch([replace(`a.${zone.name}.`, 'A', ['192.0.2.1']), replace(`b.${zone.name}.`, 'A', ['192.0.2.1'])])
  const { rows: versions } = await sql`
    select actor_kind as kind, actor_name as name, source, changes_count as n from zone_changes where zone_id = ${zone.id}`.execute(
    db,
  )
  assert.deepEqual(versions, [{ kind: 'key', name: 'pdns', source: 'powerdns', n: 2 }])
  const { rows: entries } = await sql`
    select actor_name as name, source from audit_log where zone_id = ${zone.id} and action = 'records.changed'`.execute(
    db,
  )
  assert.deepEqual(entries, [{ name: 'pdns', source: 'powerdns' }])
})

test('a client can send back what it has read, and a change without effect creates no version', async () => {
  const zone = await freshZone()
  await zone.patch([replace(`www.${zone.name}.`, 'TXT', ['"a"', '"b"'])])
  const versionOf = async () => (await api.call('GET', `/zones/${zone.name}`, { key })).body.version
  const before = await versionOf()
  const { rrsets } = (await call('GET', zone.path)).body
  const again = await zone.patch(rrsets.map((rrset: object) => ({ ...rrset, changetype: 'REPLACE' })))
  assert.deepEqual([again.status, await versionOf()], [204, before])
  for (const nothing of [
    [],
    [{ name: `none.${zone.name}.`, type: 'A', changetype: 'DELETE' }],
    [{ name: `${zone.name}.`, type: 'SOA', changetype: 'DELETE' }],
    [{ name: `www.${zone.name}.`, type: 'TXT', changetype: 'REPLACE', comments: [{ content: 'x', account: 'y' }] }],
  ])
    assert.deepEqual([(await zone.patch(nothing)).status, await versionOf()], [204, before])
  assert.deepEqual(await zone.rrsets(), ['www. 300 TXT "a" | "b"'])
})

test('keeps the SOA and the NS at the apex, and refuses other values for them', async () => {
  const zone = await freshZone()
  const apex = `${zone.name}.`
  const own = testNameservers.map((host) => `${host}.`)
  assert.equal((await zone.patch([replace(apex, 'NS', own, 60), replace(apex, 'A', ['192.0.2.1'])])).status, 204)
  const other = await zone.patch([
    replace(apex, 'NS', ['ns1.example.net.']),
    replace(`www.${apex}`, 'A', ['192.0.2.1']),
  ])
  assert.equal(other.status, 422)
  assert.match(other.body.error, /send exactly these: ns1\.zonewright\.test\. ns2\.zonewright\.test\.$/)
  assert.deepEqual(await zone.rrsets(), [' 300 A 192.0.2.1'])
})

test('hides the service’s delegations to other zones, and ignores their deletion', async () => {
  const zone = await freshZone()
  const made = await api.call('POST', '/zones', { key, body: { name: `sub.${zone.name}` } })
  assert.deepEqual([made.status, made.body.state], [201, 'live'])
  assert.deepEqual(await zone.rrsets(), [])
  const entry = { name: `sub.${zone.name}.`, type: 'NS', changetype: 'DELETE' }
  assert.equal((await zone.patch([entry, replace(`www.${zone.name}.`, 'A', ['192.0.2.1'])])).status, 204)
  const list = await api.call('GET', `/zones/${zone.name}/rrsets?name=sub&type=NS`, { key })
  assert.equal(list.body.data.length, 1)
  const changed = await zone.patch([replace(`sub.${zone.name}.`, 'NS', ['ns.example.net.'])])
  assert.equal(changed.status, 422)
})

test('lists all zones of a key at once, except pending ones', async () => {
  const owner = await api.account('many@example.net')
  const all = await api.key(owner)
  const names = Array.from({ length: 205 }, (_, i) => `z${String(i).padStart(3, '0')}.many.example`)
  for (const name of names) await api.zone(owner, name)
  await api.call('POST', '/zones', { key: all, body: { name: 'pending.example.org' } })
  const list = async (query: string, secret = all): Promise<string[]> =>
    (await call('GET', `/zones${query}`, undefined, secret)).body.map(({ name }: { name: string }) => name.slice(0, -1))
  assert.deepEqual(await list(''), names)
  const [one = '', two = ''] = names
  for (const name of [one, `${one}.`, `${one}.`.toUpperCase()]) assert.deepEqual(await list(`?zone=${name}`), [one])
  for (const name of ['', '.', 'none.example', 'many.example', '%00', 'pending.example.org'])
    assert.deepEqual(await list(`?zone=${name}`), [], name)
  const picked = await api.key(owner, { picks: [one, two], permissions: ['records:read'] })
  assert.deepEqual(await list('', picked), [one, two])
  const { body } = await call('GET', `/zones?zone=${one}`, undefined, all)
  const { rrsets: _, ...zone } = (await call('GET', `/zones/${one}`, undefined, all)).body
  for (const [member, value] of Object.entries(body[0])) assert.deepEqual(zone[member], value, member)
})

test('a pending zone looks as if it did not exist', async () => {
  const name = 'waiting.example.org'
  assert.equal((await api.call('POST', '/zones', { key, body: { name } })).body.state, 'pending')
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['PATCH', '', { rrsets: [] }],
    ['PUT', '', { kind: 'Master' }],
    ['PUT', '/notify', undefined],
    ['GET', '/export', undefined],
    ['GET', '/cryptokeys', undefined],
  ] as const) {
    const answer = await call(method, `/zones/${name}.${path}`, body)
    assert.deepEqual([answer.status, answer.body], [404, { error: 'Not Found' }], `${method} ${path}`)
  }
})

test('a key with only acme:dns01 finds the zones that were picked for it and changes challenges', async () => {
  const zone = await freshZone()
  const challenge = `_acme-challenge.www.${zone.name}.`
  await zone.patch([
    replace(`www.${zone.name}.`, 'A', ['192.0.2.1']),
    replace(`_acme-challenge.${zone.name}.`, 'TXT', ['"0"']),
  ])
  await call('PUT', zone.path, { account: 'secret' })
  const acme = await acmeKeyFor(zone)
  const named = { id: `${zone.name}.`, name: `${zone.name}.`, serial: 0 }
  assert.deepEqual((await call('GET', '/zones', undefined, acme)).body, [named])
  assert.deepEqual((await call('GET', `/zones?zone=${zone.name}.`, undefined, acme)).body, [named])
  assert.equal((await zone.patch([replace(challenge, 'TXT', ['"1"'])], acme)).status, 204)
  const shown = await call('GET', zone.path, undefined, acme)
  assert.deepEqual(rrsetsOf(shown), ['_acme-challenge.www. 300 TXT "1"', '_acme-challenge. 300 TXT "0"'])
  assert.equal(shown.body.rrsets.length, 2, 'neither SOA nor NS')
  assert.deepEqual([shown.body.serial, shown.body.account, shown.body.kind], [0, '', 'Master'])
  assert.deepEqual((await call('PUT', `${zone.path}/notify`, undefined, acme)).status, 200)
  for (const entry of [
    replace(`www.${zone.name}.`, 'A', ['192.0.2.2']),
    replace(challenge, 'A', ['192.0.2.2']),
    { name: `${zone.name}.`, type: 'SOA', changetype: 'DELETE' },
    { name: `www.${zone.name}.`, type: 'A', changetype: 'DELETE' },
  ]) {
    const refused = await zone.patch([replace(challenge, 'TXT', ['"2"']), entry], acme)
    assert.deepEqual([refused.status, refused.headers['content-type']], [403, 'text/plain; charset=utf-8'])
  }
  for (const path of ['/export', '/cryptokeys'])
    assert.equal((await call('GET', zone.path + path, undefined, acme)).status, 403)
  assert.equal((await zone.patch([{ name: challenge, type: 'TXT', changetype: 'DELETE' }], acme)).status, 204)
  const everywhere = await call('GET', '/zones', undefined, await keyWith('acme:dns01'))
  assert.equal(everywhere.status, 403)
  assert.match(everywhere.body, /Pick zones by name, or add records:read\.\n$/)
})

test('a key with limits sees and changes only the record sets within them', async () => {
  const zone = await freshZone()
  const limits = [{ zone: zone.name, names: ['home'], types: ['A'] }]
  const limited = await api.key(account, { picks: [zone.name], limits, permissions: ['records:read', 'records:write'] })
  await zone.patch([
    replace(`secret.${zone.name}.`, 'A', ['192.0.2.77']),
    replace(`home.${zone.name}.`, 'A', ['192.0.2.1']),
  ])
  assert.equal((await zone.patch([replace(`home.${zone.name}.`, 'A', ['192.0.2.2'])], limited)).status, 204)
  const shown = await call('GET', zone.path, undefined, limited)
  assert.deepEqual(rrsetsOf(shown), ['home. 300 A 192.0.2.2'])
  assert.equal(shown.body.rrsets.length, 1)
  assert.deepEqual(
    (await call('GET', `${zone.path}?rrset_name=secret.${zone.name}.`, undefined, limited)).body.rrsets,
    [],
  )
  for (const entry of [
    replace(`secret.${zone.name}.`, 'A', ['192.0.2.1']),
    { name: `secret.${zone.name}.`, type: 'A', changetype: 'DELETE' },
    { name: `secret.${zone.name}.`, type: 'A', changetype: 'PRUNE', records: [{ content: '192.0.2.77' }] },
    replace(
      `${zone.name}.`,
      'NS',
      testNameservers.map((host) => `${host}.`),
    ),
  ]) {
    const refused = await zone.patch([entry], limited)
    assert.equal(refused.status, 403)
    assert.doesNotMatch(refused.body, /192\.0\.2\.77/)
  }
  for (const [method, path, body] of [
    ['GET', '/export', undefined],
    ['PUT', '', { account: 'x' }],
  ] as const)
    assert.equal((await call(method, zone.path + path, body, limited)).status, 403)
  assert.deepEqual(await zone.rrsets(), ['home. 300 A 192.0.2.2', 'secret. 300 A 192.0.2.77'])
})

test('a key without read access learns nothing by writing', async () => {
  const zone = await freshZone()
  const writer = await keyWith('records:write')
  assert.equal((await zone.patch([replace(`www.${zone.name}.`, 'A', ['192.0.2.1'])], writer)).status, 204)
  for (const path of ['/zones', zone.path]) assert.equal((await call('GET', path, undefined, writer)).status, 403, path)
})

test('stores kind and account as they are sent, and changes nothing else', async () => {
  const zone = await freshZone()
  const settings = async () => {
    const { kind, account: sent } = (await call('GET', `${zone.path}?rrsets=false`)).body
    return [kind, sent]
  }
  assert.deepEqual(await settings(), ['Master', ''])
  for (const [body, after] of [
    [{ kind: 'Native', account: 'ada' }, ['Native', 'ada']],
    [{ account: '' }, ['Native', '']],
    [{ kind: 'master', masters: [], soa_edit_api: 'DEFAULT', name: 'x', dnssec: false }, ['master', '']],
    [{ account: 'bob', serial: 1 }, ['master', 'bob']],
    [{ kind: null, account: null }, ['master', 'bob']],
    [{ kind: '' }, ['master', 'bob']],
    [{}, ['master', 'bob']],
  ] as const) {
    assert.equal((await call('PUT', zone.path, body)).status, 204)
    assert.deepEqual(await settings(), after, JSON.stringify(body))
  }
  const { rows } =
    await sql`select from audit_log where zone_id = ${zone.id} and action = 'zone.powerdns_changed'`.execute(db)
  assert.equal(rows.length, 4, 'one entry for each change')
  for (const body of [
    { kind: 'Slave' },
    { kind: 'Producer' },
    { dnssec: true },
    { nsec3param: '1 0 0 -' },
    { rrsets: [] },
    { account: 'x'.repeat(256) },
    { kind: 1 },
    [],
  ])
    assert.equal((await call('PUT', zone.path, body)).status, 422, JSON.stringify(body))
  assert.deepEqual(await settings(), ['master', 'bob'])
  assert.equal((await api.call('GET', `/zones/${zone.name}`, { key })).body.version, 0)
})

test('notify and rectify do nothing, export is text, and DNSSEC keys can be read but not changed', async () => {
  const zone = await freshZone()
  await zone.patch([replace(`www.${zone.name}.`, 'A', ['192.0.2.1'])])
  // acme.sh sends an empty form, and other clients an empty body of JSON.
  for (const [path, result] of [
    ['/notify', 'Notification queued'],
    ['/rectify', 'Rectified'],
  ] as const)
    for (const headers of [
      {},
      { 'content-type': 'application/x-www-form-urlencoded' },
      { 'content-type': 'application/json' },
    ])
      assert.deepEqual(
        (await api.call('PUT', `/servers/localhost${zone.path}${path}`, { key, headers, body: '' })).body,
        { result },
      )
  const exported = await call('GET', `${zone.path}/export`)
  assert.equal(exported.headers['content-type'], 'text/plain; charset=utf-8')
  assert.match(exported.body, /^www\.zone\d+\.example\.com\.\t300\tIN\tA\t192\.0\.2\.1$/m)
  assert.deepEqual((await call('GET', `${zone.path}/cryptokeys`)).body, [])
  assert.equal((await call('GET', `${zone.path}/cryptokeys/1`)).status, 404)
  for (const [method, path] of [
    ['POST', '/cryptokeys'],
    ['PUT', '/cryptokeys/1'],
    ['DELETE', '/cryptokeys/1'],
    ['DELETE', ''],
  ] as const) {
    const { status, headers, body } = await call(method, zone.path + path)
    assert.deepEqual([status, headers['content-type']], [403, 'text/plain; charset=utf-8'], `${method} ${path}`)
    assert.match(body, /^API keys cannot/)
  }
  assert.equal((await call('GET', zone.path)).status, 200)
})

test('other paths and other servers return 404', async () => {
  const zone = await freshZone()
  for (const [method, path] of [
    ['GET', '/servers/other/zones'],
    ['GET', `/servers/localhost${zone.path}/metadata`],
    ['PUT', `/servers/localhost${zone.path}/axfr-retrieve`],
    ['GET', '/servers/localhost/search-data?q=x'],
    ['PUT', '/servers/localhost/cache/flush?domain=x'],
    ['PATCH', '/servers/localhost/zones'],
  ] as const) {
    const { status, headers, body } = await api.call(method, path, { key })
    assert.deepEqual([status, headers['content-type'], body], [404, 'application/json', { error: 'Not Found' }], path)
  }
  assert.equal((await api.call('GET', '/servers/localhost/nothing')).status, 401)
})

test('another account’s zones return 404; a zone that the key does not cover is refused by name', async () => {
  const [foreign, own, picked] = [await freshZone(stranger), await freshZone(), await freshZone()]
  const some = await api.key(account, { zones: [picked.id], permissions: ['records:read', 'records:write'] })
  for (const [method, body] of [
    ['GET', undefined],
    ['PATCH', { rrsets: [replace(`www.${foreign.name}.`, 'A', ['192.0.2.1'])] }],
    ['PUT', { kind: 'Native' }],
    ['DELETE', undefined],
  ] as const) {
    const missing = await call(method, foreign.path, body)
    assert.deepEqual([missing.status, missing.body], [404, { error: 'Not Found' }], method)
    const outside = await call(method, own.path, body, some)
    assert.deepEqual([outside.status, outside.headers['content-type']], [403, 'text/plain; charset=utf-8'], method)
  }
})

test('a body that is unreadable, or has another shape, changes nothing', async () => {
  const zone = await freshZone()
  const www = replace(`www.${zone.name}.`, 'A', ['192.0.2.1'])
  const send = (body: unknown, type = 'application/json') =>
    api.call('PATCH', `/servers/localhost${zone.path}`, { key, headers: { 'content-type': type }, body })
  for (const [body, status] of [
    ['', 400],
    ['{', 400],
    ['{"rrsets":[', 400],
    [Buffer.from([0x22, 0xff, 0x22]), 400],
    ['null', 422],
    ['[]', 422],
    ['"text"', 422],
    ['{}', 422],
    [{ rrsets: null }, 422],
    [{ rrsets: {} }, 422],
    [{ rrsets: [null] }, 422],
    [{ rrsets: [{}] }, 422],
    [{ rrsets: [{ ...www, name: 1 }] }, 422],
    [{ rrsets: [{ ...www, type: null }] }, 422],
    [{ rrsets: [{ ...www, type: 'NOPE' }] }, 422],
    [{ rrsets: [{ ...www, type: '' }] }, 422],
    [{ rrsets: [{ ...www, records: 'x' }] }, 422],
    [{ rrsets: [{ ...www, records: ['192.0.2.1'] }] }, 422],
    [{ rrsets: [{ ...www, records: [{}] }] }, 422],
    [{ rrsets: [{ ...www, records: [{ content: '192.0.2.256' }] }] }, 422],
    [{ rrsets: [{ ...www, records: [{ content: '192.0.2.1\u0000' }] }] }, 422],
    [{ rrsets: [{ ...www, name: 'www.example.net.' }] }, 422],
    [{ rrsets: [{ ...www, name: `a..${zone.name}.` }] }, 422],
    [{ rrsets: [{ ...www, changetype: 'UPSERT' }] }, 422],
    [{ rrsets: [www, { ...www, ttl: undefined }] }, 422],
    [{ rrsets: Array.from({ length: 10_001 }, () => www) }, 422],
  ] as const) {
    const answer = await send(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body))
    assert.deepEqual(
      [answer.status, answer.headers['content-type']],
      [status, 'application/json'],
      String(body).slice(0, 60),
    )
    assert.match(answer.body.error, /\.$|\)$/)
  }
  assert.deepEqual(await zone.rrsets(), [])
  // PowerDNS ignores the content type. curl declares a form.
  for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'application/json; charset=UTF-8'])
    assert.equal((await send(JSON.stringify({ rrsets: [www] }), type)).status, 204, type)
})

test('changes ten thousand record sets at once, from several megabytes, and reads them back', async () => {
  const zone = await freshZone()
  const names = Array.from({ length: 10_000 }, (_, i) => `n${String(i).padStart(5, '0')}.${zone.name}.`)
  const headers = { 'content-type': 'application/json' }
  // Uses new values each time, because unchanged ones are not written.
  const bodies = ['x', 'y', 'z'].map((letter) => {
    const value = `"${letter.repeat(200)}"`
    return Buffer.from(JSON.stringify({ rrsets: names.map((name) => replace(name, 'TXT', [value])) }))
  })
  await assertBriefTurns('the change', 60, async (run) => {
    const body = bodies[run] ?? Buffer.of()
    assert.ok(body.length > 3_000_000)
    const made = await api.call('PATCH', `/servers/localhost${zone.path}`, { key, headers, body })
    assert.equal(made.status, 204, JSON.stringify(made.body))
  })
  const shown = await call('GET', zone.path)
  assert.equal(shown.body.rrsets.length, 10_002)
  const gone = await zone.patch(names.map((name) => ({ name, type: 'TXT', changetype: 'DELETE' })))
  assert.equal(gone.status, 204)
  assert.deepEqual(await zone.rrsets(), [])
})

test('refuses a body over 16 MiB before it reads it', async () => {
  const zone = await freshZone()
  const { status, body } = await api.call('PATCH', `/servers/localhost${zone.path}`, {
    key,
    headers: { 'content-type': 'application/json' },
    body: Buffer.alloc(16 * 1024 * 1024 + 1, 0x20),
  })
  assert.deepEqual([status, body], [413, { error: 'The body is larger than 16 MiB, the limit for this call.' }])
})
