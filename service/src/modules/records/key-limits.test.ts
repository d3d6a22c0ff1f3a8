import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Permission, WireKeyLimit } from '@zonewright/contract'
import { sql } from '#platform/postgres/index.ts'
import { startTestApi, type TestAnswer } from '#testing/test-api.ts'
import { codeOf, type FreshZone, faultsOf, rrsetNames, testZones, zoneFileType } from '#testing/test-zones.ts'

const api = await startTestApi()
const { account, freshZone } = await testZones(api)

/** A key that is limited to these record sets of a zone. */
const keyFor = (
  zone: FreshZone,
  limits: Omit<WireKeyLimit, 'zone'>[],
  permissions: Permission[] = ['records:read', 'records:write'],
) =>
  api.key(account, {
    picks: [zone.name],
    limits: limits.map((limit) => ({ zone: zone.name, ...limit })),
    permissions,
  })

const home = { names: ['home', '*.lan'], types: ['A', 'AAAA'] }

/** A zone with records inside the limits `home`, and others, which have "secret" or 192.0.2.77 in all of their parts. */
async function mixedZone(): Promise<FreshZone> {
  const zone = await freshZone()
  const changes = [
    { name: 'home', type: 'A', records: ['192.0.2.1'] },
    { name: 'nas.lan', type: 'A', records: ['192.0.2.2'] },
    { name: '*.lan', type: 'AAAA', records: ['2001:db8::1'] },
    { name: 'a.b.lan', type: 'A', records: ['192.0.2.3'] },
    { name: 'home', type: 'TXT', ttl: 77, records: ['"secret"'] },
    { name: 'lan', type: 'A', records: ['192.0.2.77'] },
    { name: 'secret', type: 'A', records: ['192.0.2.77'] },
    { name: 'x\\.lan', type: 'A', records: ['192.0.2.77'] },
    { name: 'secretlan', type: 'A', records: ['192.0.2.77'] },
    { name: 'mail-secret', type: 'MX', records: [`10 home.${zone.name}.`] },
    { name: 'alias.lan', type: 'CNAME', records: ['secret.example.net.'] },
    { name: 'tree.lan', type: 'DNAME', records: ['secret.example.net.'] },
    { name: 'cut.lan', type: 'NS', records: ['secret.example.net.'] },
  ]
  const made = await zone.call('PATCH', '/rrsets', { body: { changes } })
  assert.equal(made.status, 200, JSON.stringify(made.body))
  return zone
}

/** Everything outside the limits `home`: values, names, types and TTLs that no request of these tests sends. */
const hidden = /secret|192\.0\.2\.77|"ttl":77\b|\bTXT\b|\bMX\b|CNAME|DNAME of|\bNS\b|SOA/

const told = ({ headers, body }: TestAnswer): string => `${JSON.stringify(headers)} ${JSON.stringify(body)}`

const inHome = (zone: FreshZone) => [
  `*.lan.${zone.name} AAAA`,
  `a.b.lan.${zone.name} A`,
  `home.${zone.name} A`,
  `nas.lan.${zone.name} A`,
]

test('a list has only the record sets within the limits, whatever the query', async () => {
  const zone = await mixedZone()
  const key = await keyFor(zone, [home])
  const list = async (query: string) => rrsetNames(await zone.call('GET', `/rrsets${query}`, { key }))
  assert.deepEqual(await list(''), inHome(zone))
  assert.deepEqual(await list('?type=aaaa'), [`*.lan.${zone.name} AAAA`])
  assert.deepEqual(await list('?name=home'), [`home.${zone.name} A`])
  assert.deepEqual(await list('?q=192.0.2.'), inHome(zone).slice(1))
  for (const query of [
    '?name=secret',
    '?q=secret',
    '?q=77',
    '?type=SOA',
    '?type=NS',
    '?name=@',
    '?type=MX',
    '?name=lan',
  ])
    assert.deepEqual(await list(query), [], query)
})

test('pages of a limited list are full, and their cursors name only what is within the limits', async () => {
  const zone = await mixedZone()
  const key = await keyFor(zone, [home])
  const seen: string[] = []
  for (let cursor: string | null = null, page = 0; page === 0 || cursor !== null; page++) {
    const answer = await zone.call('GET', `/rrsets?limit=1${cursor === null ? '' : `&cursor=${cursor}`}`, { key })
    assert.equal(answer.body.data.length, 1)
    assert.doesNotMatch(told(answer), hidden)
    seen.push(...rrsetNames(answer))
    cursor = answer.body.next_cursor
    if (cursor !== null)
      assert.deepEqual(Buffer.from(cursor, 'base64url').toString(), JSON.stringify(seen.at(-1)?.split(' ')))
  }
  assert.deepEqual(seen, inHome(zone))
  const forged = Buffer.from(JSON.stringify([`secret.${zone.name}`, 'A'])).toString('base64url')
  assert.deepEqual(rrsetNames(await zone.call('GET', `/rrsets?cursor=${forged}`, { key })), [])
})

test('the database and the code agree on what limits cover', async () => {
  const zone = await freshZone()
  const labels = ['a', 'lan', '*', 'x\\.lan', 'x\\\\', '\\@']
  const names = labels.flatMap((one) => [one, ...labels.flatMap((two) => [`${one}.${two}`, `${one}.${two}.lan`])])
  await sql`insert into zone_rrsets (zone_id, name, type, ttl, records)
    select ${zone.id}, name || ${`.${zone.name}`}, type, 60, array['x']
    from unnest(${names}::text[]) name, unnest(array['A', 'TXT']) type on conflict do nothing`.execute(api.database.db)
  await sql`insert into zone_rrsets (zone_id, name, type, ttl, records) values (${zone.id}, ${zone.name}, 'A', 60, array['x'])`.execute(
    api.database.db,
  )
  for (const limits of [
    [{ names: ['*.lan'], types: ['A'] }],
    [{ names: ['*.x\\.lan', 'lan', '@'], types: ['A', 'TXT'] }],
    [{ names: ['*.x\\\\', '*.*'.slice(2)], types: ['TXT'] }],
    [
      { names: ['*'], types: ['A'] },
      { names: ['lan'], types: ['TXT'] },
    ],
    [{ names: ['nowhere'], types: ['A'] }],
  ]) {
    const key = await keyFor(zone, limits)
    const listed = rrsetNames(await zone.call('GET', '/rrsets?limit=200', { key }))
    const covered: string[] = []
    for (const name of [...new Set([...names.map((name) => `${name}.${zone.name}`), zone.name])])
      for (const type of ['A', 'TXT']) {
        if (name === zone.name && type === 'TXT') continue
        const path = `/rrsets/${encodeURIComponent(`${name}.`)}/${type}`
        if ((await zone.call('GET', path, { key })).status === 200) covered.push(`${name} ${type}`)
      }
    assert.deepEqual(listed.sort(), covered.sort(), JSON.stringify(limits))
  }
})

test('a single record set outside the limits is refused, whether it exists or not, and the refusal names the limits', async () => {
  const zone = await mixedZone()
  const key = await keyFor(zone, [home])
  const messages = new Set<string>()
  for (const target of [
    'secret/A',
    'nothing/A',
    'home/TXT',
    'lan/A',
    '@/SOA',
    '@/NS',
    'x\\.lan/A',
    'home/TYPE16',
    'HOME/txt',
  ])
    for (const [method, body] of [
      ['GET', undefined],
      ['PUT', { records: ['192.0.2.9'] }],
      ['PATCH', { add: ['192.0.2.9'] }],
      ['DELETE', undefined],
    ] as const) {
      const answer = await zone.call(method, `/rrsets/${encodeURI(target)}`, { key, ...(body && { body }) })
      assert.deepEqual(codeOf(answer), [403, 'forbidden'], `${method} ${target}`)
      messages.add(answer.body.error.message)
    }
  assert.deepEqual([...messages], [`In ${zone.name}, this key is limited to these records: home, *.lan (A, AAAA).`])
  for (const [target, status] of [
    ['home/A', 200],
    ['HOME/a', 200],
    ['home/TYPE1', 200],
    ['\\104ome/A', 200],
    [`home.${zone.name}./A`, 200],
    ['*.lan/AAAA', 200],
    ['nothing.lan/A', 404],
    ['home/AAAA', 404],
  ] as const)
    assert.equal((await zone.call('GET', `/rrsets/${encodeURI(target)}`, { key })).status, status, target)
})

test('an IDN and an HTTPS record are covered however they are written', async () => {
  const zone = await freshZone()
  const key = await keyFor(zone, [{ names: ['*.bücher'], types: ['type65'] }])
  const put = await zone.call('PUT', '/rrsets/www.b%C3%BCcher/TYPE65', { key, body: { records: ['1 .'] } })
  assert.deepEqual([put.status, put.body.name], [201, `www.xn--bcher-kva.${zone.name}`])
  assert.equal((await zone.call('GET', '/rrsets/WWW.XN--BCHER-KVA/HTTPS', { key })).status, 200)
})

test('a write within the limits works, and its response, dry run and errors name nothing outside them', async () => {
  for (const [method, path, status, body] of [
    ['PUT', '/rrsets/home/A', 200, { records: ['192.0.2.9'] }],
    ['PUT', '/rrsets/new.lan/A', 201, { records: ['192.0.2.9'] }],
    ['POST', '/rrsets', 201, { name: 'home', type: 'AAAA', records: ['2001:db8::9'] }],
    ['POST', '/rrsets', 409, { name: 'home', type: 'A', records: ['192.0.2.9'] }],
    ['PATCH', '/rrsets/home/A', 200, { add: ['192.0.2.9'] }],
    // An MX outside the limits points to it.
    ['DELETE', '/rrsets/home/A', 204],
    ['PATCH', '/rrsets', 200, { changes: [{ name: 'home', type: 'A', records: [] }] }],
    ['PATCH', '/rrsets', 200, { changes: [{ name: 'new.lan', type: 'A', records: ['192.0.2.9'] }] }],
    ['POST', '/import', 200, { rrsets: [{ name: 'home', type: 'A', records: ['192.0.2.9'] }] }],
    ['POST', '/import?mode=merge', 200, 'home 60 A 192.0.2.9\nnew.lan 60 AAAA 2001:db8::9\n'],
    // Records outside the limits conflict with the change.
    ['PUT', '/rrsets/alias.lan/A', 422, { records: ['192.0.2.9'] }],
    ['PUT', '/rrsets/below.tree.lan/A', 422, { records: ['192.0.2.9'] }],
    ['POST', '/import', 422, 'alias.lan 60 A 192.0.2.9\nbelow.tree.lan 60 A 192.0.2.9\nfaulty.lan 60 A 192.0.2.\n'],
  ] as const) {
    const what = `${method} ${path} ${JSON.stringify(body)}`
    const zone = await mixedZone()
    const key = await keyFor(zone, [home])
    const headers = typeof body === 'string' ? zoneFileType : {}
    const send = (query: string) =>
      zone.call(method, path + query, { key, headers, ...(body !== undefined && { body }) })
    const dry = await send(`${path.includes('?') ? '&' : '?'}dry_run=true`)
    const isListed = dry.status === 200 && typeof body === 'string'
    assert.equal(dry.status, status < 300 || isListed ? 200 : status, `dry run of ${what}: ${told(dry)}`)
    assert.doesNotMatch(told(dry), hidden, `dry run of ${what}`)
    const done = await send('')
    assert.equal(done.status, status, `${what}: ${told(done)}`)
    assert.doesNotMatch(told(done), hidden, what)
  }
})

test('one record set outside the limits refuses the whole request, even one with other errors, and changes nothing', async () => {
  const zone = await mixedZone()
  const key = await keyFor(zone, [home])
  const version = await zone.version()
  const inside = { name: 'home', type: 'A', records: ['192.0.2.9'] }
  const outside = { name: 'other', type: 'A', records: ['192.0.2.9'] }
  for (const [method, path, body] of [
    ['PATCH', '/rrsets', { changes: [inside, outside] }],
    ['PATCH', '/rrsets', { changes: [inside, { ...outside, records: [] }] }],
    ['PATCH', '/rrsets', { changes: [{ ...inside, records: ['bad'] }, outside] }],
    ['PATCH', '/rrsets', { changes: [inside, { ...outside, type: 'NS' }] }],
    ['POST', '/rrsets', outside],
    ['POST', '/import', { rrsets: [inside, outside] }],
    ['POST', '/import', 'home 60 A 192.0.2.9\nother 60 A 192.0.2.9\n'],
    ['POST', '/import', 'home 60 A 192.0.2.\nother 60 A 192.0.2.9\n'],
    // Whether this is an error depends on whether the zone has the name.
    ['POST', '/import', 'home 60 A 192.0.2.9\n//other 60 A 192.0.2.9\n'],
    ['POST', '/presets/google.com.site-verification', { parameters: { code: 'x' } }],
  ] as const)
    for (const query of ['', '?dry_run=true']) {
      const headers = typeof body === 'string' ? zoneFileType : {}
      const answer = await zone.call(method, path + query, { key, headers, body })
      const what = `${method} ${path}${query} ${JSON.stringify(body)}`
      assert.deepEqual(codeOf(answer), [403, 'forbidden'], `${what} ${told(answer)}`)
      assert.doesNotMatch(told(answer), /other|secret/, what)
    }
  assert.equal(await zone.version(), version)
})

test('an import ignores managed records, and the limits do not have to cover them', async () => {
  const zone = await mixedZone()
  const key = await keyFor(zone, [home])
  const file = `$ORIGIN ${zone.name}.\n@ 60 SOA ns.example.net. h.example.net. 1 2 3 4 5\n@ 60 NS ns.example.net.\nhome 60 A 192.0.2.9\n`
  const answer = await zone.call('POST', '/import', { key, headers: zoneFileType, body: file })
  assert.deepEqual([answer.status, answer.body.ignored_count, answer.body.diff.changes.length], [200, 2, 1])
})

test('calls that cover the whole zone are refused', async () => {
  const zone = await mixedZone()
  const key = await keyFor(zone, [home])
  const inside = { rrsets: [{ name: 'home', type: 'A', records: ['192.0.2.9'] }] }
  for (const [method, path, body] of [
    ['PUT', '/rrsets', inside],
    ['PUT', '/rrsets?dry_run=true', inside],
    ['POST', '/import?mode=replace', inside],
    ['POST', '/import?mode=replace&dry_run=true', inside],
    ['GET', '/export'],
    ['GET', '/versions'],
    ['GET', '/versions/1'],
    ['GET', '/versions/1/diff'],
    ['POST', '/versions/0/restore', {}],
    ['POST', '/versions/1/restore?dry_run=true', {}],
    ['GET', '/checklist'],
  ] as const) {
    const answer = await zone.call(method, path, { key, ...(body && { body }) })
    assert.deepEqual(codeOf(answer), [403, 'forbidden'], `${method} ${path}`)
    assert.doesNotMatch(told(answer), hidden)
  }
  assert.equal((await zone.call('GET', '', { key })).status, 200)
  assert.equal((await zone.call('GET', '/delegation', { key })).status, 200)
})

test('propagation is shown for the zone, and for record sets within the limits', async () => {
  const zone = await mixedZone()
  const key = await keyFor(zone, [home])
  for (const [query, status] of [
    ['', 200],
    ['?name=home&type=A', 200],
    ['?name=x.lan&type=aaaa', 200],
    ['?name=secret&type=A', 403],
    ['?name=home&type=TXT', 403],
    ['?name=@&type=SOA', 403],
  ] as const)
    assert.equal((await zone.call('GET', `/propagation${query}`, { key })).status, status, query)
})

test('a preset is applied if all of its changes are within the limits', async () => {
  const zone = await mixedZone()
  await zone.put('@', 'TXT', ['"v=spf1 -all"'])
  const inside = await keyFor(zone, [{ names: ['@'], types: ['TXT'] }])
  const path = '/presets/google.com.site-verification'
  const applied = await zone.call('POST', path, { key: inside, body: { parameters: { code: 'x' } } })
  assert.deepEqual([applied.status, applied.body.diff.changes.length], [200, 1])
  // It also removes records that conflict with its own.
  const partly = await keyFor(zone, [{ names: ['@', '_dmarc'], types: ['TXT'] }])
  const refused = await zone.call('POST', '/presets/zonewright.no-mail', { key: partly, body: {} })
  assert.deepEqual(codeOf(refused), [403, 'forbidden'])
})

test('limits of an acme:dns01 key must list the challenge name and TXT, and never cover more than challenges', async () => {
  const zone = await freshZone()
  const acme = await keyFor(zone, [{ names: ['_acme-challenge.www', 'www'], types: ['TXT', 'A'] }], ['acme:dns01'])
  const put = async (target: string) => {
    const body = { records: target.endsWith('A') ? ['192.0.2.1'] : ['"x"'] }
    return (await zone.call('PUT', `/rrsets/${target}`, { key: acme, body })).status
  }
  assert.equal(await put('_acme-challenge.www/TXT'), 201)
  for (const target of [
    '_acme-challenge/TXT',
    'www/TXT',
    'www/A',
    '_acme-challenge.www/A',
    '_acme-challenge.other/TXT',
  ])
    assert.equal(await put(target), 403, target)
  await zone.put('_acme-challenge', 'TXT', ['"other"'])
  assert.deepEqual(rrsetNames(await zone.call('GET', '/rrsets', { key: acme })), [
    `_acme-challenge.www.${zone.name} TXT`,
  ])
})

test('a limited key that can only write sees only what it sent, and one that can only read changes nothing', async () => {
  const zone = await mixedZone()
  const writer = await keyFor(zone, [home], ['records:write'])
  const patched = await zone.call('PATCH', '/rrsets/home/A', { key: writer, body: { add: ['192.0.2.9'] } })
  assert.deepEqual([patched.status, patched.body.records], [200, ['192.0.2.9']])
  assert.equal((await zone.call('GET', '/rrsets/home/A', { key: writer })).status, 403)
  const reader = await keyFor(zone, [home], ['records:read'])
  assert.equal((await zone.call('GET', '/rrsets/home/A', { key: reader })).status, 200)
  assert.equal(
    (await zone.call('PUT', '/rrsets/home/A', { key: reader, body: { records: ['192.0.2.9'] } })).status,
    403,
  )
})

test('writes with a limited key are still conditional on the version of the whole zone', async () => {
  const zone = await mixedZone()
  const key = await keyFor(zone, [home])
  const { headers } = await zone.call('GET', '/rrsets', { key })
  await zone.put('secret', 'A', ['192.0.2.78'])
  const body = { records: ['192.0.2.9'] }
  const ifMatch = { 'if-match': String(headers['etag']) }
  assert.equal((await zone.call('PUT', '/rrsets/home/A', { key, body, headers: ifMatch })).status, 412)
  assert.equal((await zone.call('PUT', '/rrsets/home/A', { key, body })).status, 200)
})

test('the limits of the zone in the path apply, and end when the zone leaves the scope', async () => {
  const [one, two, third] = [await freshZone(), await freshZone(), await freshZone()]
  const key = await api.key(account, {
    picks: [one.name, two.id],
    limits: [
      { zone: one.name.toUpperCase(), names: ['a'], types: ['A'] },
      { zone: two.id, names: ['b'], types: ['A'] },
      { zone: two.id, names: ['c'], types: ['A'] },
    ],
    permissions: ['records:read', 'records:write'],
  })
  const put = async (zone: FreshZone, name: string) =>
    (await zone.call('PUT', `/rrsets/${name}/A`, { key, body: { records: ['192.0.2.1'] } })).status
  assert.deepEqual([await put(one, 'a'), await put(one, 'b'), await put(one, 'c')], [201, 403, 403])
  assert.deepEqual([await put(two, 'a'), await put(two, 'b'), await put(two, 'c')], [403, 201, 201])
  assert.equal(await put(third, 'a'), 403)
  const current = async () => (await api.call('GET', '/api-keys/current', { key })).body
  assert.deepEqual((await current()).limits, [
    { zone: one.name, names: ['a'], types: ['A'] },
    { zone: two.name, names: ['b'], types: ['A'] },
    { zone: two.name, names: ['c'], types: ['A'] },
  ])
  await sql`delete from api_key_zones where zone_id = ${one.id}`.execute(api.database.db)
  assert.deepEqual(
    (await current()).limits.map(({ zone }: WireKeyLimit) => zone),
    [two.name, two.name],
  )
  assert.equal(await put(one, 'a'), 403)
  await sql`delete from api_key_zones where zone_id = ${two.id}`.execute(api.database.db)
  assert.deepEqual((await current()).limits, [], 'a key without a zone stays limited')
})

test('a change outside the limits is refused before errors in the body are reported', async () => {
  const zone = await freshZone()
  const key = await keyFor(zone, [home])
  const faulty = await zone.call('PUT', '/rrsets/home/A', { key, body: { records: ['bad'] } })
  assert.deepEqual(faultsOf(faulty), ['bad_rdata /records/0'])
  const outside = await zone.call('PUT', '/rrsets/other/A', { key, body: { records: ['bad'] } })
  assert.deepEqual(codeOf(outside), [403, 'forbidden'])
})
