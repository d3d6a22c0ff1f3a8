import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeZoneFile } from './write-zone-file.ts'
import { parseZoneFile } from './zone-file.ts'
import { example, lineOf, linesOf, zoneFrom } from './zone-samples.test.ts'

function linesIn(text: string): string[] {
  const { records, faults } = parseZoneFile(text, { origin: example })
  assert.deepEqual(faults, [])
  return records.map(lineOf)
}

function faultsIn(text: string): [line: number, code: string][] {
  return parseZoneFile(text, { origin: example, defaultTtl: 60 }).faults.map(({ line, code }) => [line, code])
}

test('the example of RFC 1035 §5.3 reads', () => {
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

test('TTL and class come in either order, and the TTL is carried over', () => {
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

test('quotes, escapes, comments and line ends of every kind', () => {
  assert.deepEqual(
    linesIn('a 5 TXT "semi;colon" (two ; comment (\n "three\nlines") ; end\r\nb\t5\tTXT\ta\\ b\\;c\r\n'),
    ['a.example.com. 5 TXT "semi;colon" "two" "three\\010lines"', 'b.example.com. 5 TXT "a b;c"'],
  )
  assert.deepEqual(linesIn('\uFEFFa 5 A 192.0.2.1'), ['a.example.com. 5 A 192.0.2.1'])
  assert.deepEqual(linesIn('; nothing\n\n   \n'), [])
})

test('$GENERATE makes its records', () => {
  const text = `$TTL 5\n$GENERATE 1-3/2 host-$ A 192.0.2.$\{10,0,d}\n$GENERATE 10-11 $\{0,4,x}\\$ CNAME a$$.$\n`
  assert.deepEqual(linesIn(text), [
    'host-1.example.com. 5 A 192.0.2.11',
    'host-3.example.com. 5 A 192.0.2.13',
    '000a\\$.example.com. 5 CNAME a\\$.10.example.com.',
    '000b\\$.example.com. 5 CNAME a\\$.11.example.com.',
  ])
})

test('every fault is told with its line, and the lines between are read', () => {
  const text = `@ SOA ns1 host 1 2 3 4 5
a A 192.0.2.300
b A 192.0.2.1
c CH TXT x
d 3000000000 A 192.0.2.1
e NOTYPE x
f MX (
  10
)
$INCLUDE other.zone
$UNKNOWN x
g..h A 192.0.2.1
  A 192.0.2.2
i.example.net. A 192.0.2.1
j A
k )
l TXT "a" "b\\999"
$TTL
$TTL never
$GENERATE 5-1 a A 192.0.2.1
m
n AXFR \\# 0
o A 192.0.2.1
`
  assert.deepEqual(faultsIn(text), [
    [2, 'bad_rdata'],
    [4, 'bad_class'],
    [5, 'bad_ttl'],
    [6, 'bad_type'],
    [7, 'bad_rdata'],
    [10, 'unsupported_directive'],
    [11, 'unsupported_directive'],
    [12, 'bad_name'],
    [13, 'bad_name'],
    [14, 'out_of_zone'],
    [15, 'bad_rdata'],
    [16, 'bad_syntax'],
    [17, 'bad_rdata'],
    [18, 'bad_syntax'],
    [19, 'bad_ttl'],
    [20, 'bad_syntax'],
    [21, 'bad_syntax'],
    [22, 'bad_type'],
  ])
  const { records } = parseZoneFile(text, { origin: example, defaultTtl: 60 })
  assert.deepEqual(
    records.map(({ line }) => line),
    [1, 3, 23],
  )
})

test('what is opened and never closed is told where it was opened', () => {
  assert.deepEqual(faultsIn('a A 192.0.2.1\nb TXT ( x\nc A 192.0.2.1\n'), [[2, 'bad_syntax']])
  assert.deepEqual(faultsIn('a A 192.0.2.1\nb TXT "x\nc A 192.0.2.1\n'), [[2, 'bad_syntax']])
  assert.deepEqual(faultsIn('a TXT ( ( x ) )\n'), [[1, 'bad_syntax']])
})

test('a record without any TTL to take is a fault', () => {
  const { faults } = parseZoneFile('a A 192.0.2.1\n', { origin: example })
  assert.deepEqual(
    faults.map(({ code }) => code),
    ['bad_ttl'],
  )
})

test('reading stops after many faults, and $GENERATE after many records', () => {
  const { faults } = parseZoneFile('x\n'.repeat(5000), { origin: example })
  assert.equal(faults.length, 1001)
  assert.equal(faults.at(-1)?.code, 'too_many_faults')
  const { records } = parseZoneFile('$GENERATE 1-999999999 $ 5 A 192.0.2.1\n', { origin: example })
  assert.equal(records.length, 100_000)
})

test('16 MiB are read in time in proportion, good lines or not', () => {
  const size = 16 * 1024 * 1024
  for (const line of ['www 300 IN A 192.0.2.1\n', 'a 5 TXT "(" (\n', '( " \n', '"\n', '\\', '$GENERATE 1-2 a A (\n']) {
    const startedAt = performance.now()
    parseZoneFile(line.repeat(Math.floor(size / line.length)), { origin: example })
    assert.ok(performance.now() - startedAt < 20_000, `${JSON.stringify(line)} took too long`)
  }
})

test('what is written reads as the same zone, SOA first', () => {
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
