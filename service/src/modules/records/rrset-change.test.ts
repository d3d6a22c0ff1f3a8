import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '#platform/errors.ts'
import { type Ask, parseChange, parseTarget, pathBelow, readableTarget } from './rrset-change.ts'
import { byName, newFaults } from './rules.ts'

const zone = 'example.com'

interface Wish {
  readonly name?: string
  readonly type?: string
  readonly ttl?: number
  readonly records?: readonly string[]
  readonly ask?: Ask
}

function parse({ name = 'www', type = 'A', ttl, records = ['192.0.2.1'], ask = { kind: 'replace', records } }: Wish) {
  return parseChange(zone, { name, type, ttl, ask }, pathBelow('/changes/3'))
}

/** The errors as `code path`, in a zone without these records; an accepted change has none. */
function faults(wish: Wish): string[] {
  const parsed = parse(wish)
  const all = 'faults' in parsed ? parsed.faults : newFaults(parsed.change, new Map())
  return all.map(({ code, path }) => `${code} ${path?.replace('/changes/3', '')}`)
}

function accepted(wish: Wish) {
  const parsed = parse(wish)
  if ('faults' in parsed) assert.fail(`refused: ${parsed.faults.map(({ message }) => message).join(' ')}`)
  return parsed
}

function recordsOf(type: string, ...records: string[]): readonly string[] {
  const { ask } = accepted({ name: 'host', type, records }).change
  return ask.kind === 'edit' ? [] : ask.records
}

test('an owner name can be the apex, relative or absolute, and is returned in full without its final dot', () => {
  const names: [written: string, meant: string][] = [
    ['@', 'example.com'],
    ['example.com', 'example.com'],
    ['example.com.', 'example.com'],
    ['www', 'www.example.com'],
    ['a.b', 'a.b.example.com'],
    ['www.example.com', 'www.example.com'],
    ['www.example.com.', 'www.example.com'],
    ['*', '*.example.com'],
    ['*.sub', '*.sub.example.com'],
    ['_dmarc', '_dmarc.example.com'],
    ['notexample.com', 'notexample.com.example.com'],
  ]
  for (const [written, meant] of names) assert.equal(accepted({ name: written }).change.name, meant, written)
})

test('letter case in a name does not matter', () => {
  assert.equal(accepted({ name: 'wWw.ExAmPle.CoM' }).change.name, 'www.example.com')
  assert.equal(accepted({ name: 'WWW', type: 'aaaa', records: ['2001:DB8::1'] }).change.type, 'AAAA')
})

test('a name outside the zone is refused, and so is an invalid name', () => {
  for (const name of ['www.example.org.', 'com.', '.', 'badexample.com.', 'x\\.example.com.'])
    assert.deepEqual(faults({ name }), ['out_of_zone /name'], name)
  for (const name of ['', 'a..b', '.www', 'a b', 'a"b', 'a\tb', 'a\u0000b', 'a\\999', '..'])
    assert.deepEqual(faults({ name }), ['bad_name /name'], JSON.stringify(name))
})

test('unusual bytes of a name are escaped, each in exactly one way', () => {
  assert.equal(accepted({ name: 'a\\.b' }).change.name, 'a\\.b.example.com')
  assert.equal(accepted({ name: 'a\\046b' }).change.name, 'a\\.b.example.com')
  assert.equal(accepted({ name: 'a\\032b' }).change.name, 'a\\032b.example.com')
  assert.equal(accepted({ name: '\\065' }).change.name, 'a.example.com')
})

test('a Unicode name becomes the same A-labels in every spelling', () => {
  for (const name of [
    'bücher',
    'BÜCHER',
    'bu\u0308cher',
    'xn--bcher-kva',
    'XN--BCHER-KVA.example.com',
    'bücher.example.com.',
  ])
    assert.equal(accepted({ name }).change.name, 'xn--bcher-kva.example.com', name)
  assert.equal(
    accepted({ name: '_dmarc.bücher', type: 'TXT', records: ['"x"'] }).change.name,
    '_dmarc.xn--bcher-kva.example.com',
  )
  assert.equal(accepted({ name: '*.bücher' }).change.name, '*.xn--bcher-kva.example.com')
  assert.deepEqual(faults({ name: 'bücher.example.org.' }), ['out_of_zone /name'])
})

test('a Unicode name that would be parsed as more than a name is refused', () => {
  for (const name of ['bücher/x', 'bücher?x', 'bücher#x', 'ü\\.x', 'ü%2ex', 'ü\tx', 'ü:80', 'x@ü', 'ü／x', '\u00ad'])
    assert.deepEqual(faults({ name }), ['bad_name /name'], JSON.stringify(name))
  assert.equal(accepted({ name: '４' }).change.name, '4.example.com')
  assert.equal(accepted({ name: '１.２.３.４' }).change.name, '1.2.3.4.example.com')
  assert.equal(accepted({ name: 'a。bücher' }).change.name, 'a.xn--bcher-kva.example.com')
})

test('a label has at most 63 bytes, and a name has at most 255 on the wire, including the zone', () => {
  assert.deepEqual(faults({ name: 'a'.repeat(63) }), [])
  assert.deepEqual(faults({ name: 'a'.repeat(64) }), ['bad_name /name'])
  // 13 bytes of example.com. leave 242: three labels of 64 bytes and one of 50.
  const long = `${`${'a'.repeat(63)}.`.repeat(3)}`
  assert.deepEqual(faults({ name: long + 'b'.repeat(49) }), [])
  assert.deepEqual(faults({ name: long + 'b'.repeat(50) }), ['bad_name /name'])
})

test('a wildcard is only the leftmost label, and is never delegated or redirected', () => {
  assert.deepEqual(faults({ name: 'a.*' }), ['bad_name /name'])
  assert.deepEqual(faults({ name: '*.*' }), ['bad_name /name'])
  assert.deepEqual(faults({ name: '*x' }), [])
  assert.deepEqual(faults({ name: '*', type: 'NS', records: ['ns.example.net.'] }), ['wildcard_ns /type'])
  assert.deepEqual(faults({ name: '*', type: 'DNAME', records: ['example.net.'] }), ['wildcard_dname /type'])
  assert.deepEqual(faults({ name: 'sub', type: 'NS', records: ['ns.example.net.'] }), [])
})

test('the SOA and the NS records at the apex belong to the service and cannot be deleted', () => {
  for (const type of ['SOA', 'NS', 'soa'])
    assert.deepEqual(faults({ name: '@', type, records: [] }), ['service_owned /type'])
  assert.deepEqual(faults({ name: 'sub', type: 'SOA', records: [] }), ['bad_type /type'])
})

test('a CNAME and a DS are refused at the apex and accepted below it', () => {
  assert.deepEqual(faults({ name: '@', type: 'CNAME', records: ['x.example.net.'] }), ['cname_at_apex /type'])
  assert.deepEqual(faults({ name: 'www', type: 'CNAME', records: ['x.example.net.'] }), [])
  const ds = ['12345 13 2 0000000000000000000000000000000000000000000000000000000000000000']
  assert.deepEqual(faults({ name: '@', type: 'DS', records: ds }), ['ds_at_apex /type'])
  assert.deepEqual(faults({ name: 'sub', type: 'DS', records: ds }), [])
  assert.deepEqual(faults({ name: '@', type: 'DNAME', records: ['example.net.'] }), [])
})

test('a type that is not allowed at a name can be deleted there, because it is absent', () => {
  for (const [name, type] of [
    ['@', 'CNAME'],
    ['@', 'DS'],
    ['*', 'NS'],
    ['a.*.b', 'A'],
  ] as const)
    assert.deepEqual(faults({ name, type, records: [] }), [], `${name} ${type}`)
  const edit = (add: string[], remove: string[]) =>
    faults({ name: 'a.*.b', type: 'A', ask: { kind: 'edit', add, remove } }).length
  assert.equal(edit([], ['192.0.2.1']), 0)
  assert.equal(edit(['192.0.2.2'], ['192.0.2.1']), 1, 'what is exchanged is written there')
})

test('records of a signed zone belong to the service: some types at any name, some at the apex; any of them can be deleted', () => {
  const data: [type: string, record: string][] = [
    ['RRSIG', 'A 13 3 300 20300101000000 20200101000000 12345 example.com. AQPA'],
    ['NSEC', 'b.example.com. A'],
    ['NSEC3', '1 0 0 - 2t7b4g4vsa5smi47k61mv5bv1a22bojr A'],
    ['NSEC3PARAM', '1 0 0 -'],
    ['TYPE46', '\\# 1 00'],
  ]
  const atApex: [type: string, record: string][] = [
    ['DNSKEY', '257 3 13 AQPA'],
    ['CDS', '0 0 0 00'],
    ['CDNSKEY', '0 3 0 AA=='],
    ['ZONEMD', `1 1 1 ${'ab'.repeat(48)}`],
  ]
  for (const name of ['@', 'www', '*', '_x.y'])
    for (const [type, record] of data)
      for (const written of [record, 'x', '\\# 0', '\\# 3 010203'])
        assert.deepEqual(faults({ name, type, records: [written] }), ['service_owned /type'], `${type} ${written}`)
  for (const [type, record] of atApex) {
    for (const written of [record, 'x', '', '\\# 0', '\\# 1 00'])
      assert.deepEqual(faults({ name: '@', type, records: [written] }), ['service_owned /type'], `${type} ${written}`)
    assert.deepEqual(faults({ name: '@', type, ask: { kind: 'edit', add: [record], remove: [] } }), [
      'service_owned /type',
    ])
    assert.deepEqual(faults({ name: 'sub', type, records: [record] }), [])
  }
  for (const [type, record] of [...data.slice(0, 4), ...atApex]) {
    assert.deepEqual(faults({ name: '@', type, records: [] }), [], type)
    assert.deepEqual(faults({ name: '@', type, ask: { kind: 'edit', add: [], remove: [record] } }), [], type)
  }
})

test('a value that can no longer be written can still be removed', () => {
  const remove = ['\\# 3 010203']
  assert.deepEqual(faults({ type: 'IPSECKEY', records: remove }), ['bad_rdata /records/0'])
  assert.deepEqual(faults({ type: 'IPSECKEY', ask: { kind: 'edit', add: [], remove } }), [])
  assert.deepEqual(faults({ type: 'DS', ask: { kind: 'edit', add: [], remove: ['1 8 9 ab'] } }), [])
  assert.deepEqual(faults({ type: 'DS', ask: { kind: 'edit', add: ['1 8 9 ab'], remove: [] } }), ['bad_rdata /add/0'])
})

test('types that exist only in queries and messages are refused, and unknown types are not', () => {
  for (const type of [
    'ANY',
    'AXFR',
    'IXFR',
    'OPT',
    'TSIG',
    'TKEY',
    'MAILB',
    'MAILA',
    'TYPE128',
    'TYPE255',
    'TYPE41',
    'TYPE65535',
  ])
    assert.ok(faults({ type, records: [] }).includes('bad_type /type'), type)
  for (const type of ['', 'BOGUS', 'TYPE65536', 'A AAAA', 'TYPE'])
    assert.ok(faults({ type, records: [] }).includes('bad_type /type'), type)
  assert.deepEqual(faults({ type: 'TYPE65400', records: ['\\# 2 abcd'] }), [])
  assert.equal(accepted({ type: 'TYPE1' }).change.type, 'A')
})

test('a CNAME and a DNAME have exactly one value', () => {
  for (const type of ['CNAME', 'DNAME']) {
    assert.deepEqual(faults({ type, records: ['a.example.net.', 'b.example.net.'] }), ['single_value /records'])
    assert.deepEqual(faults({ type, records: ['a.example.net.', 'A.Example.Net.'] }), [])
    assert.deepEqual(faults({ type, ask: { kind: 'edit', add: ['a.example.net.', 'b.example.net.'], remove: [] } }), [
      'single_value /add',
    ])
  }
})

test('a TTL is between 30 seconds and a week', () => {
  for (const ttl of [30, 3_600, 604_800, undefined]) assert.deepEqual(faults(ttl === undefined ? {} : { ttl }), [])
  for (const ttl of [29, 604_801, 0, -1]) assert.deepEqual(faults({ ttl }), ['bad_ttl /ttl'])
})

test('values are returned in the canonical form of their type', () => {
  const forms: [type: string, written: string, kept: string][] = [
    ['A', '192.0.2.1', '192.0.2.1'],
    ['AAAA', '2001:0DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['CNAME', 'Www.Example.NET.', 'www.example.net.'],
    ['CNAME', 'www', 'www.example.com.'],
    ['CNAME', '@', 'example.com.'],
    ['MX', '  010   Mail ', '10 mail.example.com.'],
    ['TXT', 'v=spf1', '"v=spf1"'],
    ['TXT', '"Keeps Case; and semicolons"', '"Keeps Case; and semicolons"'],
    ['SRV', '0 5 5060 sip', '0 5 5060 sip.example.com.'],
    ['CAA', '0 ISSUE "letsencrypt.org"', '0 issue "letsencrypt.org"'],
    ['PTR', 'host', 'host.example.com.'],
    ['TYPE65400', '\\# 2 AB CD', '\\# 2 abcd'],
    ['A', '\\# 4 c0000201', '192.0.2.1'],
  ]
  for (const [type, written, kept] of forms) assert.deepEqual(recordsOf(type, written), [kept], `${type} ${written}`)
})

test('values that are the same in canonical form are merged and counted', () => {
  const parsed = accepted({ type: 'AAAA', records: ['2001:db8::1', '2001:DB8:0::1', '::1', '0:0::1'] })
  assert.deepEqual(parsed.change.ask, { kind: 'replace', records: ['2001:db8::1', '::1'] })
  assert.equal(parsed.duplicates, 2)
  assert.equal(accepted({ records: ['192.0.2.1', '192.0.2.2'] }).duplicates, 0)
})

test('each invalid value is reported with its place', () => {
  assert.deepEqual(faults({ records: ['192.0.2.1', '192.0.2.256', '192.0.2.2', 'x'] }), [
    'bad_rdata /records/1',
    'bad_rdata /records/3',
  ])
  assert.deepEqual(faults({ ask: { kind: 'edit', add: ['x'], remove: ['192.0.2.1', 'y'] } }), [
    'bad_rdata /add/0',
    'bad_rdata /remove/1',
  ])
  assert.deepEqual(faults({ records: ['192.0.2.1 ; home'] }), ['bad_rdata /records/0'])
  assert.deepEqual(faults({ records: ['192.0.2.1\n192.0.2.2'] }), ['bad_rdata /records/0'])
})

test('data that only the generic form accepts is refused, because its stored text could not be read', () => {
  for (const [type, record] of [
    ['SSHFP', '\\# 3 0101ab'],
    ['DS', '\\# 5 00010802ab'],
    ['ZONEMD', '\\# 7 000000010101ab'],
    ['NAPTR', '\\# 11 0001000100000361626300'],
    ['KX', '\\# 11 0001013101320133013400'],
    ['HTTPS', '\\# 9 000100000000020003'],
    ['HTTPS', '\\# 7 00010000020000'],
    ['HTTPS', '1 . key7=x'],
  ] as const)
    assert.deepEqual(faults({ name: 'x', type, records: [record] }), ['bad_rdata /records/0'], `${type} ${record}`)
})

test('all errors of a change are reported at once', () => {
  assert.deepEqual(faults({ name: 'a..b', ttl: 1, records: ['x', 'y'] }), [
    'bad_name /name',
    'bad_ttl /ttl',
    'bad_rdata /records/0',
    'bad_rdata /records/1',
  ])
  assert.deepEqual(faults({ name: 'a..b', type: 'BOGUS', ttl: 1 }), [
    'bad_name /name',
    'bad_type /type',
    'bad_ttl /ttl',
  ])
})

test('MX, NS, SRV and PTR records point to a host name, never to an address', () => {
  const prefix: Record<string, string> = { MX: '10 ', NS: '', SRV: '0 0 443 ', PTR: '' }
  for (const [type, before] of Object.entries(prefix)) {
    for (const target of ['192.0.2.1', '192.0.2.1.', '2001:db8::1', '2001:db8::1.'])
      assert.deepEqual(
        faults({ name: 'host', type, records: [before + target] }),
        ['bad_rdata /records/0'],
        `${type} ${target}`,
      )
    assert.deepEqual(faults({ name: 'host', type, records: [`${before}mail.example.net.`] }), [], type)
  }
  for (const [type, before] of Object.entries(prefix).filter(([type]) => type !== 'PTR'))
    for (const target of ['under_score.example.net.', '-a.example.net.', 'a b.'])
      assert.deepEqual(
        faults({ name: 'host', type, records: [before + target] }),
        ['bad_rdata /records/0'],
        `${type} ${target}`,
      )
  // Service discovery points to instances, which are not host names (RFC 6763 §4.1).
  assert.deepEqual(faults({ name: '_http._tcp', type: 'PTR', records: ['Printer\\032one._http._tcp'] }), [])
})

test('a target of any type is a domain name: no address, URL or port, unless it is below in-addr.arpa or ip6.arpa', () => {
  const types: Record<string, (target: string) => string> = {
    CNAME: (target) => target,
    DNAME: (target) => target,
    PTR: (target) => target,
    NS: (target) => target,
    MX: (target) => `10 ${target}`,
    SRV: (target) => `0 0 443 ${target}`,
    KX: (target) => `1 ${target}`,
    AFSDB: (target) => `1 ${target}`,
    RT: (target) => `1 ${target}`,
    LP: (target) => `1 ${target}`,
    RP: (target) => `${target} .`,
    MINFO: (target) => `. ${target}`,
    PX: (target) => `1 ${target} a.`,
    NAPTR: (target) => `1 1 "S" "" "" ${target}`,
    HTTPS: (target) => `1 ${target}`,
    SVCB: (target) => `1 ${target} alpn=dot`,
    TALINK: (target) => `. ${target}`,
    HIP: (target) => `2 200100107b1a74df365639cc39f1d578 AwEAAbdx ${target}`,
    IPSECKEY: (target) => `10 3 2 ${target} AQNRU3mG`,
    AMTRELAY: (target) => `10 0 3 ${target}`,
    DSYNC: (target) => `CDS NOTIFY 5359 ${target}`,
    'NSAP-PTR': (target) => target,
  }
  for (const [type, record] of Object.entries(types)) {
    const given = (target: string) => faults({ name: 'host', type, records: [record(target)] })
    for (const target of [
      'http://shop.example.net.',
      'https://example.net',
      '//cdn.example.net.',
      'app:8080',
      'app.example.net:443.',
      'a//b.example.net.',
      '192.0.2.1',
      '192.0.2.1.',
      '2001:db8::1',
      '::ffff:192.0.2.1',
      'fe80::1.',
      '192.0.2.1.@',
    ])
      assert.deepEqual(given(target), ['bad_rdata /records/0'], `${type} ${target}`)
    for (const target of ['host.example.net.', '1.2.0.192.pool.example.net.', 'host', '1.2.3', 'in-addr.example.net.'])
      assert.deepEqual(given(target), [], `${type} ${target}`)
  }
  for (const [type, record] of [
    ['CNAME', '1.2.0.192.in-addr.arpa.'],
    ['CNAME', 'a:b.2.0.192.in-addr.arpa.'],
    ['PTR', 'x//y.8.b.d.0.1.0.0.2.ip6.arpa.'],
    ['CNAME', 'app\\:8080.example.net.'],
    ['PTR', 'Printer\\032a\\:b._ipp._tcp'],
    ['CNAME', 'a\\/\\/b'],
    ['CNAME', 'a/b.example.net.'],
    ['CNAME', '129.128/26'],
  ] as const)
    assert.deepEqual(faults({ name: 'host', type, records: [record] }), [], record)
  for (const record of ['192\\.0.2.1', '\\0491.0.2.1', '2001\\:db8\\:\\:1', '\\# 9 013101320133013400'])
    assert.deepEqual(faults({ name: 'host', type: 'CNAME', records: [record] }), ['bad_rdata /records/0'], record)
})

test('in zones of in-addr.arpa, relative targets may look like addresses', () => {
  for (const [type, record] of [
    ['CNAME', '1.2.3.4'],
    ['NS', '4.3.2.1'],
    ['PTR', '1.2.3.4'],
    ['CNAME', 'a:b'],
  ] as const) {
    const ask: Ask = { kind: 'replace', records: [record] }
    const parsed = parseChange('0.10.in-addr.arpa', { name: 'x', type, ask }, pathBelow(''))
    assert.ok('change' in parsed && parsed.change.ifNew === undefined, record)
  }
})

test('a new name that is written incorrectly is refused; an existing name is accepted as it is printed', () => {
  const { change } = accepted({ name: 'a#b.example.com', type: 'CNAME', records: ['app:8080.example.net.'] })
  const codes = (...existing: [type: string, record: string][]) =>
    newFaults(
      change,
      byName(existing.map(([type, record]) => ({ name: 'a#b.example.com', type, ttl: 60, records: [record] }))),
    ).map(({ path }) => path)
  assert.deepEqual(codes(), ['/changes/3/name', '/changes/3/records/0'])
  assert.deepEqual(codes(['TXT', '"x"']), ['/changes/3/records/0'])
  assert.deepEqual(codes(['CNAME', 'other.example.net.']), ['/changes/3/records/0'])
  assert.deepEqual(codes(['CNAME', 'app:8080.example.net.']), [])
  for (const ask of [
    { kind: 'replace', records: [] },
    { kind: 'edit', add: [], remove: ['192.0.2.1'] },
  ] satisfies Ask[])
    assert.equal(accepted({ name: 'a#b', ask }).change.ifNew, undefined, 'a removal adds no name')
})

test('strings of TXT, SPF, RESINFO and WALLET are in double quotes unless there is only one word', () => {
  for (const type of ['TXT', 'SPF', 'RESINFO', 'WALLET'])
    for (const ask of [
      (record: string): Ask => ({ kind: 'replace', records: [record] }),
      (record: string): Ask => ({ kind: 'create', records: [record] }),
      (record: string): Ask => ({ kind: 'edit', add: [record], remove: [] }),
      (record: string): Ask => ({ kind: 'edit', add: [], remove: [record] }),
    ]) {
      const [fault = ''] = faults({ type, ask: ask('v=spf1 -all') })
      assert.match(fault, /^bad_rdata \/(records|add|remove)\/0$/)
      assert.deepEqual(faults({ type, ask: ask('"v=spf1 -all"') }), [])
      assert.deepEqual(faults({ type, ask: ask('token') }), [])
    }
})

test('a host name that begins like an address is still a host name', () => {
  for (const [type, record] of [
    ['PTR', '1.2.0.192.bc.example.net.'],
    ['MX', '10 1.2.0.192.bc.example.net.'],
    ['NS', '1.2.0.192.example.net.'],
  ] as const)
    assert.deepEqual(faults({ name: 'host', type, records: [record] }), [], record)
})

test('the root as a target means "no service" for MX and SRV, and is refused for NS and PTR', () => {
  assert.deepEqual(faults({ type: 'MX', records: ['0 .'] }), [])
  assert.deepEqual(faults({ type: 'SRV', records: ['0 0 0 .'] }), [])
  assert.deepEqual(faults({ type: 'NS', records: ['.'] }), ['bad_rdata /records/0'])
  assert.deepEqual(faults({ type: 'PTR', records: ['.'] }), ['bad_rdata /records/0'])
})

test('the null MX is the only value and has preference 0', () => {
  assert.deepEqual(faults({ type: 'MX', records: ['10 .'] }), ['null_mx /records'])
  assert.deepEqual(faults({ type: 'MX', records: ['0 .', '10 mail'] }), ['null_mx /records'])
  assert.deepEqual(faults({ type: 'MX', ask: { kind: 'edit', add: ['0 .', '10 mail'], remove: [] } }), ['null_mx /add'])
  assert.deepEqual(faults({ type: 'MX', records: ['10 mail', '20 mail2'] }), [])
})

test('a relative name of two or more labels is noted with its place, and an absolute one is not', () => {
  const dotless = (type: string, record: string) => {
    const parsed = parse({ name: 'host', type, records: [record] })
    assert.ok('change' in parsed, record)
    return parsed.dotless.map(({ absolute, at }) => [absolute, 'path' in at && at.path])
  }
  assert.deepEqual(dotless('CNAME', 'www.example.com'), [['www.example.com.', '/changes/3/records/0']])
  assert.deepEqual(dotless('SRV', '0 0 443 host.EXAMPLE.net'), [['host.example.net.', '/changes/3/records/0']])
  assert.deepEqual(dotless('RP', 'a.b c.d'), [
    ['a.b.', '/changes/3/records/0'],
    ['c.d.', '/changes/3/records/0'],
  ])
  for (const record of ['www', 'www.example.com.', 'www.example.com.example.com.', 'a\\.b', '@'])
    assert.deepEqual(dotless('CNAME', record), [], record)
  assert.deepEqual(dotless('TXT', '"www.example.com"'), [])
})

test('an rrset that does not fit in one DNS message is refused', () => {
  const addresses = (count: number): string[] =>
    Array.from({ length: count }, (_, i) => `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`)
  assert.deepEqual(faults({ records: addresses(2_000) }), [])
  // An address has 16 bytes on the wire, so 4,500 of them do not fit in a message of 65,535 bytes.
  assert.deepEqual(faults({ records: addresses(4_500) }), ['too_large /records'])
  const text = (bytes: number): string => Array.from({ length: bytes / 250 }, () => `"${'x'.repeat(249)}"`).join(' ')
  assert.deepEqual(faults({ type: 'TXT', records: [text(60_000)] }), [])
  assert.deepEqual(faults({ type: 'TXT', records: [text(40_000), text(30_000)] }), ['too_large /records'])
  const v6 = Array.from({ length: 4_000 }, (_, i) => `::${i.toString(16)}`)
  assert.deepEqual(faults({ type: 'AAAA', records: v6 }), ['too_large /records'])
  // Their text is much shorter than their wire form.
  const hints = (count: number): string => `1 . ipv6hint=${Array.from({ length: count }, () => '::').join(',')}`
  assert.deepEqual(faults({ type: 'HTTPS', records: [hints(3_900)] }), [])
  assert.deepEqual(faults({ type: 'HTTPS', records: [hints(4_080)] }), ['too_large /records'])
  const windows = Array.from({ length: 256 }, (_, window) => `TYPE${window * 256 + 250}`).join(' ')
  const bitmaps = (count: number): string[] => Array.from({ length: count }, (_, i) => `${i} 0 ${windows}`)
  assert.deepEqual(faults({ name: 'x', type: 'CSYNC', records: bitmaps(7) }), [])
  assert.deepEqual(faults({ name: 'x', type: 'CSYNC', records: bitmaps(20) }), ['too_large /records'])
})

test('a target is parsed the same way with and without a refusal', () => {
  for (const target of [
    { name: '@', type: 'txt' },
    { name: 'WWW', type: 'TYPE1' },
    { name: 'www.example.com.', type: 'aaaa' },
    { name: '*', type: 'MX' },
    { name: 'bücher', type: 'A' },
  ])
    assert.deepEqual(readableTarget(zone, target), parseTarget(zone, target))
  for (const target of [
    { name: 'a..b', type: 'A' },
    { name: 'other.test.', type: 'A' },
    { name: 'x'.repeat(64), type: 'A' },
    { name: 'www', type: 'BOGUS' },
    { name: '', type: 'TYPE65536' },
  ]) {
    assert.equal(readableTarget(zone, target), undefined)
    assert.throws(() => parseTarget(zone, target), Refusal)
  }
})

test('a name and type in a path are parsed like those in a body, and errors name the parameter', () => {
  assert.deepEqual(parseTarget(zone, { name: '@', type: 'txt' }), { name: 'example.com', type: 'TXT' })
  assert.throws(
    () => parseTarget(zone, { name: 'a..b', type: 'BOGUS' }),
    (error: unknown) => {
      assert.ok(error instanceof Refusal)
      assert.equal(error.code, 'validation_failed')
      assert.deepEqual(
        error.details.map(({ path, code }) => [path, code]),
        [
          ['name', 'bad_name'],
          ['type', 'bad_type'],
        ],
      )
      return true
    },
  )
})
