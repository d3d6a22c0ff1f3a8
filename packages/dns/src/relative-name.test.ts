import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseName, rootName } from './name.ts'
import { rdataToText, readRdata } from './rdata.ts'
import { relativeNames } from './relative-name.ts'
import { parseType } from './type.ts'
import { recordTypeOf } from './types/table.ts'
import { parseZoneFile } from './zone-file.ts'

const origin = parseName('example.com.')

/** The names in data that were noted, as they would be with a final dot. */
function noted(type: string, text: string): string[] {
  const relative = relativeNames(readRdata(parseType(type), text, origin).names, origin)
  assert.ok(relative.every((name) => name.origin === origin))
  return relative.map(({ absolute }) => absolute)
}

/** Data of every type with names. Each `*` represents a name. */
const patterns: readonly [type: string, text: string][] = [
  ['NS', '*'],
  ['MD', '*'],
  ['MF', '*'],
  ['CNAME', '*'],
  ['ALIAS', '*'],
  ['SOA', '* * 1 2 3 4 5'],
  ['MB', '*'],
  ['MG', '*'],
  ['MR', '*'],
  ['PTR', '*'],
  ['MINFO', '* *'],
  ['MX', '10 *'],
  ['RP', '* *'],
  ['AFSDB', '1 *'],
  ['RT', '10 *'],
  ['SIG', 'A 8 2 60 20260101000000 20250101000000 1 * AQ=='],
  ['NSAP-PTR', '*'],
  ['PX', '10 * *'],
  ['NXT', '* A'],
  ['SRV', '0 0 443 *'],
  ['NAPTR', '1 1 "S" "SIP+D2U" "" *'],
  ['KX', '10 *'],
  ['A6', '64 :: *'],
  ['DNAME', '*'],
  ['IPSECKEY', '10 3 2 * AQ=='],
  ['RRSIG', 'A 8 2 60 20260101000000 20250101000000 1 * AQ=='],
  ['NSEC', '* A'],
  ['HIP', '2 00 AQ== * *'],
  ['TALINK', '* *'],
  ['SVCB', '1 * alpn=h2'],
  ['HTTPS', '0 *'],
  ['DSYNC', 'CDS NOTIFY 5300 *'],
  ['LP', '10 *'],
  ['AMTRELAY', '10 0 3 *'],
]

test('notes a relative name of two or more labels in the data of every type that has names', () => {
  for (const [type, pattern] of patterns) {
    const fill = (name: string) => pattern.replaceAll('*', name)
    const places = pattern.split('*').length - 1
    assert.deepEqual(noted(type, fill('host.Example.NET')), Array(places).fill('host.example.net.'), type)
    for (const name of ['host.example.net.', 'host', '@', '.'])
      if (type !== 'IPSECKEY' || name !== '.') assert.deepEqual(noted(type, fill(name)), [], `${type} ${name}`)
  }
})

test('no type with names is missing from the list', () => {
  const tested = new Set(patterns.map(([type]) => parseType(type)))
  for (let type = 1; type < 65_536; type++) {
    const declared = recordTypeOf(parseType(`TYPE${type}`))
    if (declared?.hasNames) assert.ok(tested.has(declared.type), `TYPE${type}`)
  }
})

test('values that are not names are not noted: URIs, CAA values, NAPTR expressions and service parameters', () => {
  for (const [type, text] of [
    ['URI', '10 1 "https://www.example.net/a.b"'],
    ['CAA', '0 issue "letsencrypt.org"'],
    ['CAA', '0 iodef "mailto:security@example.net"'],
    ['NAPTR', '1 1 "U" "E2U+sip" "!^.*$!sip:info@example.net!" .'],
    ['SVCB', '1 . alpn="a.b" dohpath="/dns.example.net{?dns}"'],
    ['HTTPS', '1 . ipv4hint=192.0.2.1 key65001="a.example.net"'],
    ['TXT', '"www.example.net"'],
    ['HINFO', '"a.b" "c.d"'],
    ['A', '192.0.2.1'],
    ['LOC', '52 22 23.000 N 4 53 32.000 E -2.00m 0.00m 10000m 10m'],
    ['AMTRELAY', '10 0 1 192.0.2.1'],
  ] as const)
    assert.deepEqual(noted(type, text), [], `${type} ${text}`)
})

test('an escaped dot neither separates labels nor ends a name', () => {
  for (const [text, names] of [
    ['a\\.b', []],
    ['a\\046b', []],
    ['a\\.', []],
    ['a\\.b.net', ['a\\.b.net.']],
    ['a.net\\.', ['a.net\\..']],
    ['a.net\\\\.', []],
    ['a.net\\\\\\.', ['a.net\\\\\\..']],
    ['john\\.doe.example.net.', []],
  ] as const)
    assert.deepEqual(noted('CNAME', text), names, text)
})

test('a final `.@` marks a name as relative', () => {
  assert.deepEqual(noted('CNAME', 'www.@'), [])
  assert.deepEqual(noted('CNAME', 'www.net.@'), [])
})

test('no name is relative if the origin is the root', () => {
  const { names } = readRdata(parseType('CNAME'), 'host.example.net', rootName)
  assert.deepEqual(relativeNames(names, rootName), [])
})

test('if dotted names are absolute, they need no final dot, and other names stay relative', () => {
  for (const [type, text, data] of [
    ['CNAME', 'host.example.net', 'host.example.net.'],
    ['CNAME', 'host.example.net.', 'host.example.net.'],
    ['CNAME', 'host', 'host.example.com.'],
    ['CNAME', 'a\\.b', 'a\\.b.example.com.'],
    ['CNAME', 'host.net.@', 'host.net.example.com.'],
    ['RP', 'a.b c', 'a.b. c.example.com.'],
    ['HIP', '2 00 AQ== rvs.example.net rvs', '2 00 AQ== rvs.example.net. rvs.example.com.'],
    ['SVCB', '1 svc.example.net', '1 svc.example.net.'],
  ] as const)
    assert.equal(rdataToText(parseType(type), readRdata(parseType(type), text, origin, 'absolute').data), data, text)
  const long = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}`
  assert.doesNotThrow(() => readRdata(parseType('CNAME'), long, origin, 'absolute'))
})

test('a zone file notes relative names with their line and the $ORIGIN that completes them', () => {
  const text = [
    '$TTL 60',
    'a CNAME host.example.net',
    'b CNAME host',
    '$ORIGIN sub.example.com.',
    'c MX 10 mail.example.net',
    '$ORIGIN .',
    'd.example.com CNAME host.example.net',
  ].join('\n')
  const { records, faults } = parseZoneFile(text, { origin })
  assert.deepEqual(faults, [])
  assert.deepEqual(
    records.flatMap(({ line, relative }) => relative?.map((name) => [line, name.absolute, name.origin]) ?? []),
    [
      [2, 'host.example.net.', 'example.com.'],
      [5, 'mail.example.net.', 'sub.example.com.'],
    ],
  )
  assert.ok(records.every((record) => record.relative !== undefined || !('relative' in record)))
})
