import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cpuMs } from './cpu-time.test.ts'
import { parseName } from './name.ts'
import { groupRecords } from './rrset.ts'
import { writeZoneFile } from './write-zone-file.ts'
import { parseZoneFile, readZoneFile } from './zone-file.ts'
import { example, faultsIn, lineOf } from './zone-samples.test.ts'

test('reports every fault with its line, and reads the lines between them', () => {
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

test('reports every fault of a record, in the order of its words', () => {
  assert.deepEqual(faultsIn('a..b 3000000000 CH A 192.0.2.300\n'), [
    [1, 'bad_name'],
    [1, 'bad_ttl'],
    [1, 'bad_class'],
    [1, 'bad_rdata'],
  ])
  assert.deepEqual(faultsIn('www.example.net. A 192.0.2.300\n'), [
    [1, 'out_of_zone'],
    [1, 'bad_rdata'],
  ])
})

test('reports an unusable owner name once, and still checks its other lines', () => {
  const text =
    'ok A 192.0.2.1\nx..y A 192.0.2.2\n A 192.0.2.3\n A 192.0.2.300\nz.example.net. A 192.0.2.4\n A 192.0.2.5\n'
  assert.deepEqual(faultsIn(text), [
    [2, 'bad_name'],
    [4, 'bad_rdata'],
    [5, 'out_of_zone'],
  ])
  assert.deepEqual(
    parseZoneFile(text, { origin: example, defaultTtl: 60 }).records.map(({ line }) => line),
    [1],
  )
  assert.deepEqual(faultsIn(' A 192.0.2.1\n A 192.0.2.2\n'), [[1, 'bad_name']])
})

test('lines that inherit their owner name from a line that cannot be split into words are dropped', () => {
  const text = 'a A 192.0.2.1\nb TXT ) x\n  A 192.0.2.2\nc A 192.0.2.3\n'
  const { records, faults } = parseZoneFile(text, { origin: example, defaultTtl: 60 })
  assert.deepEqual(
    [faults.length, records.map(lineOf)],
    [1, ['a.example.com. 60 A 192.0.2.1', 'c.example.com. 60 A 192.0.2.3']],
  )
})

test('reports a missing TTL once, because adding it fixes all records below', () => {
  const ttlFaults = (text: string) =>
    parseZoneFile(text, { origin: example }).faults.map(({ line, code }) => [line, code])
  assert.deepEqual(ttlFaults('a A 192.0.2.1\nb A 192.0.2.300\nc A 192.0.2.1\n'), [
    [1, 'bad_ttl'],
    [2, 'bad_rdata'],
  ])
  assert.deepEqual(ttlFaults('a 5 A 192.0.2.1\nb A 192.0.2.1\nc A 192.0.2.1\n'), [])
  assert.deepEqual(ttlFaults('$TTL soon\na A 192.0.2.1\nb A 192.0.2.1\n'), [[1, 'bad_ttl']])
})

test('refuses TTLs above 2³¹ − 1 and TTLs with invalid units', () => {
  for (const ttl of ['2147483648', '99999999999', '1y', '1h30', '-5', '24856d']) {
    assert.equal(faultsIn(`a A 192.0.2.1\n$TTL ${ttl}\nb A 192.0.2.1\n`).length, 1, ttl)
  }
})

test('reports an unclosed parenthesis or quote on the line where it was opened', () => {
  assert.deepEqual(faultsIn('a A 192.0.2.1\nb TXT ( x\nc A 192.0.2.1\n'), [[2, 'bad_syntax']])
  assert.deepEqual(faultsIn('a A 192.0.2.1\nb TXT "x\nc A 192.0.2.1\n'), [[2, 'bad_syntax']])
  assert.deepEqual(faultsIn('a TXT ( ( x ) )\n'), [[1, 'bad_syntax']])
})

test('a record is a fault if it has no TTL and there is no default', () => {
  const { faults } = parseZoneFile('a A 192.0.2.1\n', { origin: example })
  assert.deepEqual(
    faults.map(({ code }) => code),
    ['bad_ttl'],
  )
})

test('reading stops after many faults, and $GENERATE after many records', () => {
  const { faults } = parseZoneFile('x\n'.repeat(5000), { origin: example })
  assert.equal(faults.length, 101)
  assert.equal(faults.at(-1)?.code, 'too_many_faults')
  const { records } = parseZoneFile('$GENERATE 1-999999999 $ 5 A 192.0.2.1\n', { origin: example })
  assert.equal(records.length, 100_000)
  const long = parseZoneFile(`$GENERATE 1-99999 a 5 TXT $ ${'x'.repeat(200).concat(' ').repeat(70)}\n`, {
    origin: example,
  })
  assert.deepEqual(
    long.faults.map(({ code }) => code),
    ['bad_syntax'],
  )
  assert.ok(long.records.length < 1_500, `${long.records.length} records of 14 kB each`)
})

test('reading stops at the first rrset above the limit, whatever creates it', () => {
  const text = 'a 5 A 192.0.2.1\na 5 A 192.0.2.2\nb 5 A 192.0.2.1\nc 5 A 192.0.2.1\nd 5 BOGUS\n'
  const read = (maxRrsets: number | undefined, of = text) => {
    const { records, faults, tooManyAt } = parseZoneFile(of, { origin: example, maxRrsets })
    return [records.length, faults.length, tooManyAt]
  }
  assert.deepEqual(read(undefined), [4, 1, undefined])
  assert.deepEqual(read(3), [4, 1, undefined])
  assert.deepEqual(read(2), [4, 0, 4])
  assert.deepEqual(read(1), [3, 0, 3])
  assert.deepEqual(read(10, `${text}$GENERATE 1000-30000 e 5 TYPE$ \\# 0\n`), [12, 1, 6])
})

test('reports only the first record above the limit of an rrset, keeps none above it, and reads other rrsets', () => {
  const read = (text: string) => {
    const { records, faults } = parseZoneFile(text, { origin: example, maxRecordsEach: 2 })
    return [records.map(({ line }) => line), faults.map(({ line, code }) => [line, code])]
  }
  const hosts = Array.from({ length: 4 }, (_, i) => `a 5 A 192.0.2.${i}\n`).join('')
  assert.deepEqual(read(`${hosts}a 5 AAAA ::1\nb 5 A 192.0.2.1\n`), [[1, 2, 5, 6], [[3, 'too_large']]])
  assert.deepEqual(read('$GENERATE 0-200 a 5 A 192.0.2.$\nb 5 A 192.0.2.1\n'), [[1, 1, 2], [[1, 'too_large']]])
})

test('reading can pause, also after empty lines, comments, and each record that one line creates', () => {
  const reading = readZoneFile('\n\n; nothing\na 5 A 192.0.2.1\n$GENERATE 1-9 b$ 5 A 192.0.2.$\n', { origin: example })
  let pauses = 0
  let step = reading.next()
  for (; !step.done; step = reading.next()) pauses++
  assert.equal(step.value.records.length, 10)
  assert.ok(pauses >= 3 + 1 + 9, `${pauses}`)
})

/** Characters and words with a meaning in a zone file, and some without. */
const pieces = [
  ' ',
  '\t',
  '\n',
  '\r\n',
  '(',
  ')',
  '"',
  ';',
  '\\',
  '\\#',
  '\\0',
  '$',
  '{',
  '}',
  '@',
  '.',
  '..',
  'a',
  '*',
  '1',
  '-',
  '/',
  ',',
  '=',
]
  .concat([
    '$TTL ',
    '$ORIGIN ',
    '$GENERATE 1-3 ',
    '{0,3,n}',
    'IN',
    'CH',
    '5m',
    'A',
    'TXT',
    'MX',
    'HTTPS',
    'TYPE9',
    '192.0.2.1',
  ])
  .concat(['alpn=', '\0', '\x7f', 'é', '\ud800', '\u2028', 'x'.repeat(64)])

test('reading any text throws nothing, and its faults are in the order of their lines', () => {
  const anyText = fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(anyText, (text) => {
      const { records, faults } = parseZoneFile(text, { origin: example, defaultTtl: 60 })
      const lines = faults.map(({ line }) => line)
      assert.deepEqual(
        lines,
        [...lines].sort((a, b) => a - b),
      )
      assert.ok(lines.every((line) => line >= 1 && line <= text.split('\n').length))
      const plain = records.map(({ line, ...record }) => record)
      const written = writeZoneFile(example, groupRecords(plain))
      const again = parseZoneFile(written, { origin: example })
      assert.deepEqual([again.faults, groupRecords(again.records)], [[], groupRecords(plain)])
    }),
    { numRuns: 5000 },
  )
})

test('the message of a fault quotes only a little of a long text', () => {
  const long = 'x'.repeat(100_000)
  for (const line of [
    `${long} A 192.0.2.1`,
    `a A ${long}`,
    `a A "${long}"`,
    `a ${long}`,
    `a CLASS${'1'.repeat(9999)} A x`,
    `$${long}`,
    `a 1${long} A x`,
    `a HTTPS 1 . ${long}=1`,
    `a LOC ${long}`,
    `a APL ${long}`,
  ]) {
    for (const { message } of parseZoneFile(line, { origin: example, defaultTtl: 60 }).faults) {
      assert.ok(message.length < 400, message.slice(0, 400))
    }
  }
})

test('reads 16 MiB in proportional time, whether the lines are valid or not', () => {
  const size = 16 * 1024 * 1024
  for (const line of ['www 300 IN A 192.0.2.1\n', 'a 5 TXT "(" (\n', '( " \n', '"\n', '\\', '$GENERATE 1-2 a A (\n']) {
    const text = line.repeat(Math.floor(size / line.length))
    const tookMs = cpuMs(() => parseZoneFile(text, { origin: example }))
    assert.ok(tookMs < 20_000, `${JSON.stringify(line)} took ${tookMs} ms`)
  }
})

test('reports an owner name that is a comment or a URL of another format once, whatever follows it', () => {
  const { faults, records } = parseZoneFile(
    [
      '$TTL 60',
      '# Exported by another panel',
      '#www CNAME elsewhere.example.net.',
      '# www A 192.0.2.1',
      '// comment',
      '//old 300 IN A 192.0.2.66',
      'https://shop IN CNAME x.example.net.',
      'ok A 192.0.2.1',
    ].join('\n'),
    { origin: parseName('example.com.') },
  )
  assert.deepEqual(
    faults.map(({ line, code }) => `${line} ${code}`),
    ['2 bad_name', '4 bad_name', '5 bad_name'],
  )
  // The others could be names: a zone that has them may have them again.
  assert.deepEqual(
    records.map(({ line, newFaults }) => [line, newFaults?.map(({ at, code }) => `${at} ${code}`)]),
    [
      [3, ['name bad_name']],
      [6, ['name bad_name']],
      [7, ['name bad_name']],
      [8, undefined],
    ],
  )
})

test('other owner names in a zone file that need backslashes are accepted with a warning', () => {
  const { faults, warnings, records } = parseZoneFile(
    [
      'a#b 60 A 192.0.2.1',
      'c,d A 192.0.2.1',
      ' TXT x',
      'e\\#f A 192.0.2.1',
      'g.@ A 192.0.2.1',
      '@ A 192.0.2.1',
      '0/25 NS ns',
    ].join('\n'),
    { origin: parseName('example.com.') },
  )
  assert.deepEqual(faults, [])
  assert.deepEqual(
    records.map(({ name }) => name.replace('.example.com.', '')),
    ['a#b', 'c,d', 'c,d', 'e#f', 'g', 'example.com.', '0/25'],
  )
  assert.deepEqual(
    warnings.map(({ line, code, name }) => `${line} ${code} ${name}`),
    ['1 unescaped_name a#b.example.com.', '2 unescaped_name c,d.example.com.'],
  )
})

test('a target in a zone file that is an address or a URL is a fault of its line, unless the zone has it', () => {
  const { faults, records } = parseZoneFile(
    [
      'a 60 CNAME http://x',
      'b CNAME 192.0.2.1',
      'c MX 10 192.0.2.1',
      'd CNAME x\\:80',
      'e PTR a:b.2.0.192.in-addr.arpa.',
    ].join('\n'),
    { origin: parseName('example.com.') },
  )
  assert.deepEqual(
    faults.map(({ line, code }) => `${line} ${code}`),
    ['3 bad_rdata'],
  )
  assert.deepEqual(
    records.map(({ line, newFaults }) => [line, newFaults?.map(({ at, code }) => `${at} ${code}`)]),
    [
      [1, ['data bad_rdata']],
      [2, ['data bad_rdata']],
      [4, undefined],
      [5, undefined],
    ],
  )
})
