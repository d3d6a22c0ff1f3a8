import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newWarnings, warningsOf } from './warnings.ts'

const rrset = (name: string, type: string, records: string[], ttl = 3_600) => ({
  name: name === '@' ? 'example.com' : `${name}.example.com`,
  type,
  ttl,
  records,
})
const codes = (...rrsets: ReturnType<typeof rrset>[]): string[] =>
  warningsOf('example.com', rrsets).map(({ name, type, code }) => `${name} ${type} ${code}`)

test('a mail server or nameserver that is an alias or has no address gets a warning', () => {
  const mx = rrset('@', 'MX', ['10 mail.example.com.'])
  assert.deepEqual(codes(mx), ['example.com MX no_address'])
  assert.deepEqual(codes(mx, rrset('mail', 'CNAME', ['x.example.net.'])), ['example.com MX target_is_alias'])
  assert.deepEqual(codes(mx, rrset('mail', 'TXT', ['"x"'])), ['example.com MX no_address'])
  for (const type of ['A', 'AAAA'])
    assert.deepEqual(codes(mx, rrset('mail', type, [type === 'A' ? '192.0.2.1' : '2001:db8::1'])), [])
  assert.deepEqual(codes(rrset('sub', 'NS', ['ns.sub.example.com.'])), [], 'glue is the child’s to tell')
  assert.deepEqual(codes(rrset('sub', 'NS', ['ns.example.com.'])), ['sub.example.com NS no_address'])
})

test('a PTR in a reverse zone gets no warning about its name, whatever digits it begins with', () => {
  for (const [zone, name] of [
    ['8.b.d.0.1.0.0.2.ip6.arpa', '1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa'],
    ['2.0.192.in-addr.arpa', '1.2.0.192.in-addr.arpa'],
    ['6.4.e164.arpa', '4.3.2.1.1.6.4.e164.arpa'],
  ] as const)
    assert.deepEqual(warningsOf(zone, [{ name, type: 'PTR', ttl: 3_600, records: ['host.example.net.'] }]), [], name)
})

test('targets in other zones, under a wildcard with an address, or below a delegation get no warning', () => {
  assert.deepEqual(codes(rrset('@', 'MX', ['10 mail.example.net.'])), [])
  assert.deepEqual(codes(rrset('@', 'MX', ['0 .'])), [])
  const mx = rrset('@', 'MX', ['10 mail.example.com.'])
  assert.deepEqual(codes(mx, rrset('*', 'A', ['192.0.2.1'])), [])
  assert.deepEqual(codes(mx, rrset('*', 'TXT', ['"x"'])), ['example.com MX no_address'])
  const deep = rrset('@', 'MX', ['10 mail.sub.example.com.'])
  assert.deepEqual(codes(deep, rrset('sub', 'NS', ['ns.example.net.'])), [])
  assert.deepEqual(codes(deep, rrset('mail.sub', 'NS', ['ns.example.net.'])), [], 'delegated at its very name')
  assert.deepEqual(codes(rrset('@', 'MX', ['10 example.com.']), rrset('@', 'NS', ['ns.example.net.'])), [
    'example.com MX no_address',
  ])
})

test('only the wildcard of the closest existing name counts', () => {
  const deep = rrset('@', 'MX', ['10 a.b.example.com.'])
  const all = rrset('*', 'A', ['192.0.2.1'])
  assert.deepEqual(codes(deep, all), [])
  for (const there of [rrset('b', 'TXT', ['"x"']), rrset('x.y.b', 'TXT', ['"x"'])]) {
    assert.deepEqual(codes(deep, all, there), ['example.com MX no_address'], there.name)
    assert.deepEqual(codes(deep, all, there, rrset('*.b', 'AAAA', ['2001:db8::1'])), [], there.name)
  }
  assert.deepEqual(codes(rrset('@', 'MX', ['10 b.example.com.']), all, rrset('x.b', 'TXT', ['"x"'])), [
    'example.com MX no_address',
  ])
})

test('a name that ends in the zone’s name twice gets a warning, at any place', () => {
  const about = (...rrsets: ReturnType<typeof rrset>[]) => codes(...rrsets).filter((told) => told.endsWith('dot'))
  assert.deepEqual(about(rrset('www', 'CNAME', ['app.example.com.example.com.'])), [
    'www.example.com CNAME forgotten_dot',
  ])
  assert.deepEqual(about(rrset('_sip._tcp', 'SRV', ['0 0 5060 example.com.example.com.'])), [
    '_sip._tcp.example.com SRV forgotten_dot',
  ])
  assert.deepEqual(about(rrset('www.example.com', 'A', ['192.0.2.1'])), ['www.example.com.example.com A forgotten_dot'])
  assert.deepEqual(
    about(
      rrset('a', 'CNAME', ['notexample.com.example.com.']),
      rrset('b', 'CNAME', ['example.com.example.com.example.net.']),
      rrset('c', 'TXT', ['"app.example.com.example.com."']),
      rrset('d', 'CNAME', ['a\\.example.com.example.com.']),
    ),
    [],
  )
})

test('two SPF records and a TTL of more than a day get a warning', () => {
  assert.deepEqual(codes(rrset('@', 'TXT', ['"v=spf1 -all"', '"other"'])), [])
  assert.deepEqual(codes(rrset('@', 'TXT', ['"v=spf1 -all"', '"v=spf1 mx -all"'])), ['example.com TXT two_spf'])
  assert.deepEqual(codes(rrset('@', 'A', ['192.0.2.1'], 86_400)), [])
  assert.deepEqual(codes(rrset('@', 'A', ['192.0.2.1'], 86_401)), ['example.com A long_ttl'])
})

test('records below a DNAME get a warning, and records at its name do not', () => {
  const dname = rrset('sub', 'DNAME', ['example.net.'])
  assert.deepEqual(codes(dname, rrset('sub', 'TXT', ['"x"']), rrset('notsub', 'TXT', ['"x"'])), [])
  assert.deepEqual(codes(dname, rrset('a.b.sub', 'TXT', ['"x"'])), ['a.b.sub.example.com TXT below_dname'])
  const apex = rrset('@', 'DNAME', ['example.net.'])
  assert.deepEqual(codes(apex, rrset('@', 'TXT', ['"x"']), dname), ['sub.example.com DNAME below_dname'])
})

test('a change gets only warnings about what it causes', () => {
  const old = warningsOf('example.com', [rrset('@', 'MX', ['10 mail.example.com.'])])
  const now = warningsOf('example.com', [
    rrset('@', 'MX', ['10 mail.example.com.']),
    rrset('www', 'A', ['192.0.2.1'], 604_800),
  ])
  assert.deepEqual(
    newWarnings(old, now).map(({ code }) => code),
    ['long_ttl'],
  )
})
