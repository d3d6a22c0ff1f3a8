import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeZoneFile } from './write-zone-file.ts'
import { parseZoneFile } from './zone-file.ts'
import { example, faultsIn, linesIn, linesOf, zoneFrom } from './zone-samples.test.ts'

test('reads the example of RFC 1035 §5.3', () => {
  const text = `$TTL 1h
@   IN  SOA     VENERA      Action\\.domains (
                                 20     ; SERIAL
                                 7200   ; REFRESH
                                 600    ; RETRY
                                 3600000; EXPIRE
                                 60)    ; MINIMUM

        NS      A.ISI.EDU.
        NS      VENERA
        MX      10      VENERA
        MX      20      VAXA

VENERA  A       10.1.0.52
        A       128.9.0.32
`
  assert.deepEqual(linesIn(text), [
    'example.com. 3600 SOA venera.example.com. action\\.domains.example.com. 20 7200 600 3600000 60',
    'example.com. 3600 NS a.isi.edu.',
    'example.com. 3600 NS venera.example.com.',
    'example.com. 3600 MX 10 venera.example.com.',
    'example.com. 3600 MX 20 vaxa.example.com.',
    'venera.example.com. 3600 A 10.1.0.52',
    'venera.example.com. 3600 A 128.9.0.32',
  ])
})

test('names keep their case on request if signatures cover it; all others become lower case (RFC 6840 §5.1)', () => {
  const wireText = (type: string, data: string, keepsCase: boolean): string => {
    const file = parseZoneFile(`Owner 60 ${type} ${data}\n`, { origin: example, keepsCase })
    assert.deepEqual(file.faults, [])
    assert.equal(file.records[0]?.name, 'owner.example.com.')
    return Buffer.from(file.records[0]?.data ?? []).toString('latin1')
  }
  const kept = [
    ['NSEC', 'Mail.Example.ORG. A', '\x04Mail\x07Example\x03ORG\0'],
    ['NSEC', 'Mail A', '\x04Mail\x07example\x03com\0'],
    ['NSEC', 'A\\.B\\067\\c.Example.com. A', '\x05A.BCc\x07Example\x03com\0'],
    ['HTTPS', '1 Web.Example.com. alpn=h2', '\x03Web\x07Example\x03com\0'],
    ['SVCB', '1 @ port=53', '\x07example\x03com\0'],
    ['IPSECKEY', '10 3 2 Gate.Example.com. AQID', '\x04Gate\x07Example\x03com\0'],
    ['HIP', '2 AABB AQID One.Example.com. Two', '\x03One\x07Example\x03com\0\x03Two\x07example\x03com\0'],
    ['LP', '10 L64.Example.com.', '\x03L64\x07Example\x03com\0'],
  ] as const
  for (const [type, data, name] of kept) {
    assert.ok(wireText(type, data, true).includes(name), `${type} ${data}`)
    assert.ok(wireText(type, data, false).includes(name.toLowerCase()), `${type} ${data}`)
  }
  for (const [type, data] of [['MX', '10 Mail.Example.com.'] as const, ['CNAME', 'Mail.Example.com.'] as const])
    assert.ok(wireText(type, data, true).includes('\x04mail\x07example\x03com\0'), type)
})

test('TTL and class can be in either order, and later records inherit the TTL', () => {
  assert.deepEqual(
    linesIn('a 60 IN A 192.0.2.1\nb IN 90 A 192.0.2.1\nc A 192.0.2.1\nd 1h30m CLASS1 TYPE1 192.0.2.1\n'),
    [
      'a.example.com. 60 A 192.0.2.1',
      'b.example.com. 90 A 192.0.2.1',
      'c.example.com. 90 A 192.0.2.1',
      'd.example.com. 5400 A 192.0.2.1',
    ],
  )
  assert.deepEqual(linesIn('a 60 A 192.0.2.1\n$TTL 7\nb A 192.0.2.1\n').at(-1), 'b.example.com. 7 A 192.0.2.1')
})

test('$ORIGIN completes the names below it', () => {
  const text = '$TTL 5\n$ORIGIN sub\nwww CNAME @\n$ORIGIN deep.example.com.\n@ CNAME www\n'
  assert.deepEqual(linesIn(text), [
    'www.sub.example.com. 5 CNAME sub.example.com.',
    'deep.example.com. 5 CNAME www.deep.example.com.',
  ])
  assert.equal(parseZoneFile(text, { origin: example }).origin, 'deep.example.com.')
})

test('reads quotes, escapes, comments and line ends of every kind', () => {
  assert.deepEqual(
    linesIn('a 5 TXT "semi;colon" (two ; comment (\n "three\nlines") ; end\r\nb\t5\tTXT\ta\\ b\\;c\r\n'),
    ['a.example.com. 5 TXT "semi;colon" "two" "three\\010lines"', 'b.example.com. 5 TXT "a b;c"'],
  )
  assert.deepEqual(linesIn('\uFEFFa 5 A 192.0.2.1'), ['a.example.com. 5 A 192.0.2.1'])
  assert.deepEqual(linesIn('; nothing\n\n   \n'), [])
})

for (const [written, seconds] of [
  ['0', 0],
  ['2147483647', 2147483647],
  ['1W2D3h4M5s', 788645],
  ['90m', 5400],
  ['1d1d', 172800],
] as const) {
  test(`a TTL of ${written} is ${seconds} seconds`, () => {
    assert.deepEqual(linesIn(`a ${written} IN A 192.0.2.1\n`), [`a.example.com. ${seconds} A 192.0.2.1`])
    assert.deepEqual(linesIn(`$TTL ${written}\na A 192.0.2.1\n`), [`a.example.com. ${seconds} A 192.0.2.1`])
  })
}

test('reads white space and line ends of every kind, and a last line without a line end', () => {
  const lines = ['a.example.com. 5 A 192.0.2.1', 'a.example.com. 5 A 192.0.2.2']
  for (const text of [
    'a 5 A 192.0.2.1\n 5 A 192.0.2.2',
    'a\t5\tIN\tA\t192.0.2.1\t\r\n\t5\tA\t192.0.2.2\r\n',
    '\uFEFFa 5 A 192.0.2.1 ; first\n   ; between\n\n  5 A 192.0.2.2;second',
    '(a 5 A 192.0.2.1)\n(\n) a 5 (\nA 192.0.2.2)',
    'a 5 (A) (192.0.2.1) ()\na 5 A(192.0.2.2)',
  ]) {
    assert.deepEqual(linesIn(text), lines, JSON.stringify(text))
  }
})

test('`@` is the origin only if it is a whole name, also inside data', () => {
  assert.deepEqual(linesIn('@ 5 CNAME @\n\\@ 5 CNAME a\\@\n$ORIGIN sub\n@ 5 NS @\n'), [
    'example.com. 5 CNAME example.com.',
    '\\@.example.com. 5 CNAME a\\@.example.com.',
    'sub.example.com. 5 NS sub.example.com.',
  ])
})

test('a quotation over several lines counts all of them, so that a fault below it has the right line', () => {
  assert.deepEqual(faultsIn('a TXT "one\ntwo\nthree"\nb A 192.0.2.300\n'), [[4, 'bad_rdata']])
  assert.deepEqual(faultsIn('a TXT ( "one\ntwo" ; x\n\n)\nb A 192.0.2.300\n'), [[5, 'bad_rdata']])
})

test('reads directives in any case, and nothing else may begin with a dollar sign', () => {
  assert.deepEqual(linesIn('$ttl 5\n$origin sub\na A 192.0.2.1\n'), ['a.sub.example.com. 5 A 192.0.2.1'])
  assert.deepEqual(faultsIn('$ORIGIN a b\n$ORIGIN\n$TTL 5 6\n$INCLUDE a\n$DATE x\n$ a\n'), [
    [1, 'bad_syntax'],
    [2, 'bad_syntax'],
    [3, 'bad_syntax'],
    [4, 'unsupported_directive'],
    [5, 'unsupported_directive'],
    [6, 'unsupported_directive'],
  ])
  assert.match(parseZoneFile('$INCLUDE other.zone\n', { origin: example }).faults[0]?.message ?? '', /put the contents/)
})

test('writes the owner name once per rrset, however many records the rrset has', () => {
  const zone = zoneFrom(`$TTL 300
@ SOA ns1 host 1 2 3 4 5
www A 192.0.2.1
www A 192.0.2.2
www AAAA 2001:db8::1
`)
  assert.equal(
    writeZoneFile(example, zone.rrsets()),
    `$ORIGIN example.com.
example.com.\t300\tIN\tSOA\tns1.example.com. host.example.com. 1 2 3 4 5
www.example.com.\t300\tIN\tA\t192.0.2.1
\t300\tIN\tA\t192.0.2.2
www.example.com.\t300\tIN\tAAAA\t2001:db8::1
`,
  )
  assert.deepEqual(linesOf(zoneFrom(writeZoneFile(example, zone.rrsets())).rrsets()), linesOf(zone.rrsets()))
})

test('a written zone file parses to the same zone, and its SOA is first', () => {
  const zone = zoneFrom(`$TTL 300
www A 192.0.2.1
@ SOA ns1 host 1 2 3 4 5
a\\.b\\032\\@ TXT "x;y" "\\"q\\"" ( "\\000" )
* TYPE65400 \\# 3 010203
caa CAA 0 issue "a.example; x=y"
`)
  const text = writeZoneFile(example, [...zone.rrsets()].reverse())
  assert.match(text, /^\$ORIGIN example\.com\.\nexample\.com\.\t300\tIN\tSOA\t/)
  assert.deepEqual(linesOf(zoneFrom(text).rrsets()), linesOf(zone.rrsets()))
})
