import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApi, type TestAnswer } from '#testing/test-api.ts'
import { type FreshZone, faultsOf, testZones, zoneFileType } from '#testing/test-zones.ts'

const api = await startTestApi()
const { account, freshZone } = await testZones(api)

const dots = ({ body }: TestAnswer): { name: string; type: string; message: string; line?: number }[] =>
  (body.warnings ?? []).filter(({ code }: { code: string }) => code === 'forgotten_dot')

/** Writes to an empty zone. Returns whether the write is refused for a missing dot, which must leave the zone unchanged. */
async function refusesDot(zone: FreshZone, type: string, record: string): Promise<boolean> {
  const version = await zone.version()
  const answer = await zone.put('host', type, [record])
  if (answer.status < 300) return false
  assert.deepEqual([answer.status, faultsOf(answer)], [422, ['missing_dot /records/0']], `${type} ${record}`)
  assert.equal(answer.body.error.code, 'missing_dot')
  assert.equal(await zone.version(), version)
  return true
}

test('a name that ends in a TLD, has no final dot and matches nothing in the zone is refused, in the data of every type', async () => {
  const zone = await freshZone()
  for (const [type, record] of [
    ['CNAME', 'shops.myshopify.com'],
    ['MX', '1 aspmx.l.google.com'],
    ['CNAME', 'example.netlify.app'],
    ['CNAME', 'Target.EXAMPLE.Org'],
    ['NS', 'ns1.dns-host.net'],
    ['SRV', '10 5 5061 sipfed.online.lync.com'],
    ['PTR', 'host.example.co.uk'],
    ['DNAME', 'new.example.eu'],
    ['NAPTR', '100 10 "S" "SIP+D2U" "" _sip._udp.example.net'],
    ['HTTPS', '1 cdn.example.dev alpn=h2'],
    ['SVCB', '0 svc.example.io'],
    ['AFSDB', '1 afs.example.edu'],
    ['RP', 'admin.example.net. text.example.net'],
    ['KX', '10 kx.example.de'],
    ['LP', '10 l64.example.fr'],
    ['MINFO', 'a.example.net b.example.net.'],
    ['IPSECKEY', '10 3 2 gw.example.com AQNRU3mG7TVTO2BkR47usntb102uFJtugbo6BSGvgqt4AQ=='],
    ['CNAME', 'xn--bcher-kva.xn--p1ai'],
    ['CNAME', 'shop.xyz'],
    ['CNAME', 'a.b.ck'],
    ['CNAME', 'a\\.b.example.net'],
  ] as const)
    assert.ok(await refusesDot(zone, type, record), `${type} ${record}`)
})

test('a name that does not end in a TLD, an absolute name, and a value that is not a name are accepted; relative names get a warning', async () => {
  const zone = await freshZone()
  for (const [type, record, warned] of [
    ['CNAME', 'web.lan', 1],
    ['CNAME', 'db.prod.internal', 1],
    ['CNAME', 'dc1.corp', 1],
    ['CNAME', 'api.default.svc', 1],
    ['CNAME', 'a.b', 1],
    ['PTR', '5.0-25.2.0.192.in-addr.arpa', 1],
    ['CNAME', 'x.test', 1],
    ['CNAME', 'x.com2', 1],
    ['CNAME', 'shops.myshopify.com.', 0],
    ['CNAME', 'www', 0],
    ['CNAME', 'com', 0],
    ['CNAME', '@', 0],
    ['CNAME', 'a\\.com', 0],
    ['CNAME', 'a\\046com', 0],
    ['URI', '10 1 "https://example.com/a.com"', 0],
    ['CAA', '0 issue "letsencrypt.org"', 0],
    ['NAPTR', '1 1 "U" "E2U+sip" "!^.*$!sip:info@example.com!" .', 0],
    ['HTTPS', '1 . alpn=h2,example.com', 0],
    ['TXT', '"example.com"', 0],
  ] as const) {
    assert.equal(await refusesDot(zone, type, record), false, `${type} ${record}`)
    const again = await zone.put('host', type, [record], { ttl: 60 })
    assert.equal(dots(again).length, warned, `${type} ${record}`)
    await zone.call('DELETE', `/rrsets/host/${type}`)
  }
})

test('the message and the warning give both spellings', async () => {
  const zone = await freshZone()
  const spellings = [`Write shops.myshopify.com. for`, `or shops.myshopify.com.${zone.name}. if`]
  const refused = await zone.put('www', 'CNAME', ['shops.MyShopify.com'])
  const [fault] = refused.body.error.details
  for (const text of spellings) assert.ok(fault.message.includes(text), fault.message)
  const warned = await zone.put('www', 'CNAME', ['web.lan'])
  const [warning] = dots(warned)
  assert.deepEqual([warning?.name, warning?.type], [`www.${zone.name}`, 'CNAME'])
  assert.match(
    warning?.message ?? '',
    new RegExp(`^web\\.lan has no final dot.*web\\.lan\\. for.*web\\.lan\\.${zone.name}\\.`),
  )
  // Either spelling is accepted without a warning.
  for (const record of ['web.lan.', `web.lan.${zone.name}.`])
    assert.equal((await zone.put('www', 'CNAME', [record])).body.warnings, undefined)
})

test('a name that ends in the zone’s own name is refused only if the zone’s name has a TLD', async () => {
  const key = await api.key(account)
  for (const [zone, status] of [
    ['doubled.com', 422],
    ['doubled.co.uk', 422],
    ['doubled.test', 201],
    ['doubled.lan', 201],
    ['doubled.corp.internal', 201],
  ] as const) {
    await api.zone(account, zone)
    for (const [owner, record] of [
      ['a', `www.${zone}`],
      ['b', zone],
      ['c', `a.b.${zone.toUpperCase()}`],
    ] as const) {
      const answer = await api.call('PUT', `/zones/${zone}/rrsets/${owner}/CNAME`, { key, body: { records: [record] } })
      assert.equal(answer.status, status, `${record} ${JSON.stringify(answer.body)}`)
      if (status === 422) assert.deepEqual(faultsOf(answer), ['missing_dot /records/0'], record)
      else assert.equal(dots(answer).length, 1, record)
    }
  }
})

test('only a label of letters, digits and hyphens is a TLD', async () => {
  const zone = await freshZone()
  for (const record of ['host.example.com\\:80', 'host.example.com/', 'host.example.com\\032', 'host.example.com\\?x'])
    assert.equal(dots(await zone.put('host', 'CNAME', [record])).length, 1, record)
})

test('a name that is refused for another reason gets no advice about its dot', async () => {
  const zone = await freshZone()
  for (const record of ['http://www.example.com', 'example.com:443', '//www.example.com'])
    assert.deepEqual(faultsOf(await zone.put('host', 'CNAME', [record])), ['bad_rdata /records/0'], record)
})

test('a name that matches something in the zone is accepted with a warning', async () => {
  const cases: readonly [why: string, there: readonly [string, string, string][], record: string][] = [
    ['an owner name', [['web1.eu', 'A', '192.0.2.1']], 'web1.eu'],
    ['anything at its last label', [['eu', 'TXT', '"x"']], 'web1.eu'],
    ['anything below its last label', [['other.deep.eu', 'A', '192.0.2.1']], 'web1.eu'],
    ['an empty non-terminal', [['a.www.host.com', 'A', '192.0.2.1']], 'www.host.com'],
    ['a wildcard', [['*', 'A', '192.0.2.1']], 'web1.eu'],
    ['a wildcard below', [['*.eu', 'A', '192.0.2.1']], 'web1.eu'],
    ['a delegation', [['eu', 'NS', 'ns1.example.net.']], 'a.web1.eu'],
    ['a DNAME', [['eu', 'DNAME', 'example.net.']], 'web1.eu'],
    ['a DNAME at the apex', [['@', 'DNAME', 'example.net.']], 'web1.eu'],
    ['an escaped label', [['x\\.y.eu', 'A', '192.0.2.1']], 'x\\.y.eu'],
  ]
  for (const [why, there, record] of cases) {
    const zone = await freshZone()
    assert.ok(await refusesDot(zone, 'PTR', record), `${why}: not without it`)
    for (const [name, type, value] of there) assert.ok((await zone.put(name, type, [value])).status < 300, why)
    const place = there[0]?.[1] === 'DNAME' && there[0]?.[0] === '@' ? '@' : 'host'
    const answer = await zone.put(place, 'PTR', [record])
    assert.ok(answer.status < 300, `${why}: ${JSON.stringify(answer.body)}`)
    assert.equal(dots(answer).length, 1, why)
  }
})

test('names at other places do not make a name match', async () => {
  const zone = await freshZone()
  for (const [name, type, value] of [
    ['web1', 'A', '192.0.2.1'],
    ['neu', 'A', '192.0.2.1'],
    ['x.eu.other', 'A', '192.0.2.1'],
    ['*.other', 'A', '192.0.2.1'],
    ['sub', 'NS', 'ns1.example.net.'],
    ['dname', 'DNAME', 'example.net.'],
    ['a\\.eu', 'A', '192.0.2.1'],
    ['_eu', 'A', '192.0.2.1'],
  ] as const)
    assert.ok((await zone.put(name, type, [value])).status < 300, name)
  assert.ok(await refusesDot(zone, 'CNAME', 'web1.eu'))
  assert.equal(await refusesDot(zone, 'CNAME', 'x.other'), false, 'no TLD')
})

test('every JSON write refuses a name like this with its place, also in dry runs and together with other errors', async () => {
  const zone = await freshZone()
  const records = ['1 aspmx.l.google.com']
  const rrset = { name: '@', type: 'MX', records }
  const mailHost = { name: 'a', type: 'A', records: ['192.0.2.1'] }
  for (const [method, path, body, place] of [
    ['PUT', '/rrsets/@/MX', { records: ['5 mail', ...records] }, '/records/1'],
    ['POST', '/rrsets', rrset, '/records/0'],
    ['PATCH', '/rrsets/@/MX', { add: records }, '/add/0'],
    ['PATCH', '/rrsets', { changes: [mailHost, rrset] }, '/changes/1/records/0'],
    ['PUT', '/rrsets', { rrsets: [mailHost, rrset] }, '/rrsets/1/records/0'],
    ['POST', '/import', { rrsets: [{ ...rrset, type: 'SOA' }, rrset] }, '/rrsets/1/records/0'],
    ['POST', '/import?mode=replace', { rrsets: [rrset] }, '/rrsets/0/records/0'],
  ] as const)
    for (const dry of ['', 'dry_run=true']) {
      const what = `${method} ${path} ${dry}`
      const query = dry && `${path.includes('?') ? '&' : '?'}${dry}`
      const answer = await zone.call(method, path + query, { body })
      assert.deepEqual([answer.status, faultsOf(answer)], [422, [`missing_dot ${place}`]], what)
      const kept = await zone.call(method, path + query, { body, headers: { 'idempotency-key': what } })
      assert.deepEqual([kept.status, faultsOf(kept)], [422, [`missing_dot ${place}`]], what)
    }
  await zone.put('www', 'A', ['192.0.2.1'])
  const changes = [
    { name: 'www', type: 'CNAME', records: ['a.example.net.'] },
    { name: 'x', type: 'CNAME', records: ['shops.myshopify.com'] },
    { name: 'y', type: 'DNAME', records: ['example.org'] },
  ]
  const answer = await zone.call('PATCH', '/rrsets', { body: { changes } })
  assert.equal(answer.body.error.code, 'validation_failed')
  assert.deepEqual(faultsOf(answer).toSorted(), [
    'cname_not_alone /changes/0',
    'missing_dot /changes/1/records/0',
    'missing_dot /changes/2/records/0',
  ])
  assert.equal(await zone.version(), 1)
})

test('a bulk change is judged as a whole: names that it adds match, and names that it removes do not', async () => {
  const zone = await freshZone()
  const alias = { name: 'www', type: 'CNAME', records: ['web1.eu'] }
  const web = { name: 'web1.eu', type: 'A', records: ['192.0.2.1'] }
  const bulk = (...changes: object[]) => zone.call('PATCH', '/rrsets', { body: { changes } })
  assert.deepEqual(faultsOf(await bulk(alias)), ['missing_dot /changes/0/records/0'])
  const both = await bulk(alias, web)
  assert.deepEqual([both.status, dots(both).length], [200, 1])
  assert.equal((await bulk(alias)).status, 200)
  assert.deepEqual(faultsOf(await bulk({ ...web, records: [] }, alias)), ['missing_dot /changes/1/records/0'])
  assert.equal((await bulk({ ...web, records: [] }, { ...web, name: 'other.eu' }, alias)).status, 200)
  assert.deepEqual(faultsOf(await zone.call('PUT', '/rrsets', { body: { rrsets: [alias] } })), [
    'missing_dot /rrsets/0/records/0',
  ])
  assert.equal((await zone.call('PUT', '/rrsets', { body: { rrsets: [alias, web] } })).status, 200)
  assert.deepEqual(faultsOf(await zone.call('POST', '/import?mode=replace', { body: { rrsets: [alias] } })), [
    'missing_dot /rrsets/0/records/0',
  ])
  assert.equal((await zone.call('POST', '/import', { body: { rrsets: [alias] } })).status, 200)
})

test('DELETE, remove and restoring an earlier version are exempt', async () => {
  const zone = await freshZone()
  const written = `shops.myshopify.com.${zone.name}.`
  await zone.put('www', 'CNAME', [written]) // 1
  const removed = await zone.call('PATCH', '/rrsets/www/CNAME', { body: { remove: ['shops.myshopify.com'] } })
  assert.equal(removed.status, 204)
  const restored = await zone.call('POST', '/versions/1/restore', {})
  assert.deepEqual([restored.status, restored.body.warnings], [200, []])
  assert.deepEqual((await zone.call('GET', '/rrsets/www/CNAME')).body.records, [written])
  assert.equal((await zone.call('DELETE', '/rrsets/www/CNAME')).status, 204)
  const changes = [{ name: 'www', type: 'CNAME', records: [] }]
  assert.equal((await zone.call('PATCH', '/rrsets', { body: { changes } })).status, 200)
  await zone.put('@', 'MX', ['10 mail', '1 aspmx.l.google.com.'])
  const both = { remove: ['1 aspmx.l.google.com'], add: ['5 aspmx.l.google.com.'] }
  assert.equal((await zone.call('PATCH', '/rrsets/@/MX', { body: both })).status, 200)
})

test('a zone file is imported as written, with one warning per line, and the import returns the same as the dry run', async () => {
  const zone = await freshZone()
  const body = [
    '$TTL 300',
    'www CNAME shops.myshopify.com',
    '@ MX 1 aspmx.l.google.com',
    '@ MX 5 alt1.aspmx.l.google.com',
    '@ RP admin.example.net text.example.net',
    'ok CNAME shops.myshopify.com.',
    'dc CNAME web.lan',
    'web1.eu A 192.0.2.1',
    'eu-alias CNAME web1.eu',
    'a.dc1 A 192.0.2.1',
    'b CNAME a.dc1',
    'c CNAME other.dc1',
    '$ORIGIN sub',
    'd CNAME host.example.org',
    'e CNAME a.dc1',
  ].join('\n')
  const send = (query: string) => zone.call('POST', `/import${query}`, { body, headers: zoneFileType })
  const dry = await send('?dry_run=true')
  assert.deepEqual(
    dots(dry).map(({ line, name, type }) => [line, name.slice(0, -zone.name.length), type]),
    [
      [2, 'www.', 'CNAME'],
      [3, '', 'MX'],
      [4, '', 'MX'],
      [5, '', 'RP'],
      [7, 'dc.', 'CNAME'],
      [9, 'eu-alias.', 'CNAME'],
      [14, 'd.sub.', 'CNAME'],
      [15, 'e.sub.', 'CNAME'],
    ],
  )
  assert.match(dots(dry)[3]?.message ?? '', /^admin\.example\.net has/, 'the first name of its line')
  const real = await send('')
  assert.deepEqual([real.status, real.body.warnings], [200, dry.body.warnings])
  assert.ok(dots(real)[6]?.message.includes(`host.example.org.sub.${zone.name}.`), 'by the $ORIGIN of the line')
  assert.deepEqual((await zone.call('GET', '/rrsets/www/CNAME')).body.records, [`shops.myshopify.com.${zone.name}.`])
  assert.deepEqual(dots(await send('')), dots(dry), 'again, when it changes nothing')
})

test('at most a hundred lines of a zone file get a warning', async () => {
  const zone = await freshZone()
  const body = Array.from({ length: 150 }, (_, i) => `h${i} 60 CNAME shop${i}.myshopify.com\n`).join('')
  const answer = await zone.call('POST', '/import', { body, headers: zoneFileType })
  assert.deepEqual([answer.status, answer.body.diff.changes.length, dots(answer).length], [200, 150, 100])
  assert.deepEqual(
    dots(answer).map(({ line }) => line),
    Array.from({ length: 100 }, (_, i) => i + 1),
  )
})

test('a JSON import warns about at most a hundred names, and every suspicious name is judged', async () => {
  const zone = await freshZone()
  const alias = (name: string, target: string) => ({ name, type: 'CNAME', records: [target] })
  const rrsets = Array.from({ length: 150 }, (_, i) => alias(`h${i}`, `web${i}.lan`))
  const many = await zone.call('POST', '/import', { body: { rrsets } })
  assert.deepEqual([many.status, dots(many).length], [200, 100])
  const matching = Array.from({ length: 150 }, (_, i) => alias(`m${i}`, `web${i}.eu`))
  const body = {
    rrsets: [{ name: 'eu', type: 'A', records: ['192.0.2.1'] }, ...matching, alias('last', 'x.example.com')],
  }
  assert.deepEqual(faultsOf(await zone.call('POST', '/import', { body })), ['missing_dot /rrsets/151/records/0'])
  const names = [alias('a', 'x.example.com'), ...matching]
  const refused = await zone.call('POST', '/import', { body: { rrsets: names } })
  assert.deepEqual([refused.status, faultsOf(refused).length], [422, 100])
})

test('importing an export causes no such warnings', async () => {
  const zone = await freshZone()
  await zone.put('www', 'CNAME', [`shops.myshopify.com.${zone.name}.`])
  await zone.put('@', 'MX', ['1 aspmx.l.google.com.'])
  const file = await zone.call('GET', '/export')
  const answer = await zone.call('POST', '/import?mode=replace', { body: String(file.body), headers: zoneFileType })
  assert.deepEqual([answer.status, answer.body.diff.changes, answer.body.warnings], [200, [], []])
})

test('a key that cannot read gets warnings about what it sent, independent of the zone’s records', async () => {
  const zone = await freshZone()
  const writer = await api.key(account, { permissions: ['records:write'] })
  const put = await zone.call('PUT', '/rrsets/www/CNAME', { key: writer, body: { records: ['web.lan'] } })
  assert.equal(dots(put).length, 1)
  const body = 'www 60 CNAME a.dc1\nx 60 CNAME a.dc2\na.dc2 60 A 192.0.2.1\n'
  const send = () => zone.call('POST', '/import', { key: writer, body, headers: zoneFileType })
  const before = await send()
  assert.deepEqual(
    dots(before).map(({ line }) => line),
    [1],
  )
  await zone.put('a.dc1', 'A', ['192.0.2.1'])
  assert.deepEqual(dots(await send()), dots(before))
})

test('presets treat hosts as absolute, with or without a final dot', async () => {
  const zone = await freshZone()
  for (const server of ['matrix.example.net', 'matrix.example.net.']) {
    const parameters = { server, port: '443' }
    const answer = await zone.call('POST', '/presets/matrix.org.homeserver', { body: { parameters } })
    assert.deepEqual([answer.status, dots(answer)], [200, []], JSON.stringify(answer.body))
    const { data } = (await zone.call('GET', '/rrsets?type=SRV')).body
    assert.ok(data.length > 0)
    assert.ok(
      data.every(({ records }: { records: string[] }) =>
        records.every((record) => record.endsWith(' matrix.example.net.')),
      ),
    )
  }
})
