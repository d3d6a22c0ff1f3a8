import assert from 'node:assert/strict'
import { test } from 'node:test'
import { domainToASCII } from 'node:url'
import { aliasComment } from './index.ts'
import { isLocalHost, joinName, parseName } from './name.ts'
import { parseRdata, rdataToText } from './rdata.ts'
import { faultsTogether, placementFault, readValue, recordValue } from './record-rules.ts'
import { parseType, RrType, typeToText } from './type.ts'
import { writeZoneFile } from './write-zone-file.ts'
import { parseZoneFile } from './zone-file.ts'

const example = parseName('example.com.')
const dialects = { toAscii: domainToASCII, ignoring: () => undefined }

/** The records of a zone file, one per line, with a star for an ALIAS from a comment, followed by its adaptations and faults. */
function read(text: string, lenient = true): string[] {
  const file = parseZoneFile(text, { origin: example, defaultTtl: 60, ...(lenient && { dialects }) })
  return [
    ...file.records.map(
      ({ name, ttl, type, data, isExportedAlias }) =>
        `${name} ${ttl} ${typeToText(type)}${isExportedAlias ? '*' : ''} ${rdataToText(type, data)}`,
    ),
    ...file.adapted.first.map(({ line, code }) => `${line} ${code}`),
    ...file.faults.map(({ line, code }) => `${line} ${code}`),
  ]
}

test('an ALIAS target is a host on the public internet, with a relative or absolute name', () => {
  const value = (text: string) => recordValue(RrType.ALIAS, text, example)
  assert.equal(value('www'), 'www.example.com.')
  assert.equal(value('Shop.Example.NET.'), 'shop.example.net.')
  assert.equal(value('192-0-2-1.pool.example.net.'), '192-0-2-1.pool.example.net.')
  for (const bad of [
    'localhost.',
    'printer.local.',
    'Db.Internal.',
    'a.localhost.',
    'a.b.onion.',
    'intranet.',
    '2130706433.',
    '.',
    '_sip.example.net.',
    '*.example.net.',
    'a\\.b.example.net.',
    'a b.example.net.',
    '-a.example.net.',
    'www.example.net. www.example.org.',
    '',
    'x'.repeat(64).concat('.example.net.'),
    'https://www.example.net',
    'www.example.net:443',
    '192.0.2.1',
    '192.0.2.1.',
    '2001:db8::1',
    '[2001:db8::1]',
  ])
    assert.throws(() => value(bad), { code: 'bad_rdata' }, bad)
  assert.match(readValue(RrType.ALIAS, '192.0.2.1', example).fault?.message ?? '', /ALIAS takes a domain name/)
})

test('recognizes local names with and without the final dot', () => {
  for (const name of [
    'host',
    'host.',
    'a.local',
    'a.LOCAL.',
    'a.b.internal',
    'localhost',
    'a.localhost.',
    'a.onion',
    '',
    'a..com',
  ])
    assert.equal(isLocalHost(name), true, name)
  for (const name of ['example.com', 'local.example.com.', 'a.localx', 'onion.example.net'])
    assert.equal(isLocalHost(name), false, name)
})

test('an ALIAS can be at any name, including the apex and a wildcard, and has only one value', () => {
  for (const name of ['example.com.', 'www.example.com.', '*.example.com.'])
    assert.equal(placementFault(parseName(name), RrType.ALIAS, example), undefined, name)
  assert.deepEqual(
    faultsTogether(RrType.ALIAS, ['a.example.net.', 'b.example.net.']).map(({ code }) => code),
    ['single_value'],
  )
  assert.match(placementFault(example, RrType.CNAME, example)?.message ?? '', /Use an ALIAS instead/)
})

test('reads the type number that PowerDNS uses for ALIAS as ALIAS', () => {
  assert.equal(parseType('type65401'), RrType.ALIAS)
  assert.equal(typeToText(parseType('alias')), 'ALIAS')
})

test('reads ALIAS in zone files, and also ANAME, as other providers call it', () => {
  assert.deepEqual(read('@ 300 IN ALIAS www.example.net.\n', false), ['example.com. 300 ALIAS www.example.net.'])
  assert.deepEqual(read('@ 300 IN ANAME www.example.net.\nshop aname shop.example.net.\n'), [
    'example.com. 300 ALIAS www.example.net.',
    'shop.example.com. 300 ALIAS shop.example.net.',
    '1 aname_as_alias',
  ])
  assert.deepEqual(read('a A 192.0.2.1\n  shop ANAME shop.example.net.\n'), [
    'a.example.com. 60 A 192.0.2.1',
    'shop.example.com. 60 ALIAS shop.example.net.',
    '1 ttl_usual',
    '2 indented_owner',
    '2 aname_as_alias',
  ])
  assert.deepEqual(read('@ ANAME a.example.net. b.example.net.\n').at(-1), '1 bad_rdata')
})

test('the comment that an export writes is read back as an ALIAS', () => {
  const text = '; ALIAS 300 example.com. www.example.net.\nexample.com.\t60\tIN\tA\t192.0.2.1\n'
  assert.deepEqual(read(text), ['example.com. 300 ALIAS* www.example.net.', 'example.com. 60 A 192.0.2.1'])
  assert.deepEqual(read(text, false), ['example.com. 60 A 192.0.2.1'], 'not by a reader of standard files')
})

test('an ALIAS comment does not affect the lines around it', () => {
  const text = 'www 90 A 192.0.2.1\n; ALIAS 300 shop.example.com. www.example.net.\n\tA 192.0.2.2\n'
  assert.deepEqual(read(text), [
    'www.example.com. 90 A 192.0.2.1',
    'shop.example.com. 300 ALIAS* www.example.net.',
    'www.example.com. 90 A 192.0.2.2',
  ])
})

test('comments that no export wrote stay comments; an ALIAS comment with an unreadable target is a fault', () => {
  for (const comment of [
    '; ALIAS records below',
    '; ALIAS example.com. www.example.net.',
    '; ALIAS 300 example.com www.example.net',
    '; ALIAS 300 example.com. www.example.net. and more',
    '; ALIASES 300 example.com. www.example.net.',
    '; an ALIAS 300 example.com. www.example.net.',
    ';',
  ])
    assert.deepEqual(read(`www 60 A 192.0.2.1\n${comment}\n`), ['www.example.com. 60 A 192.0.2.1'], comment)
  assert.deepEqual(read('; ALIAS 300 example.com. a..b.\n'), ['1 bad_rdata'])
  assert.deepEqual(read('; ALIAS 300 example.com. intranet.\n'), ['example.com. 300 ALIAS* intranet.'])
  assert.deepEqual(read('; ALIAS 1 example.com. www.example.net.\n'), [
    'example.com. 300 ALIAS* www.example.net.',
    '1 ttl_automatic',
  ])
})

test('an ALIAS with the longest names survives an export and an import', () => {
  const label = '\\000'.repeat(63)
  const name = joinName(label, joinName(label, joinName(label, example)))
  const target = [...'abc']
    .map((letter) => letter.repeat(63))
    .join('.')
    .concat('.example.net.')
  const data = [parseRdata(RrType.ALIAS, target)]
  const text = writeZoneFile(example, [aliasComment({ name, ttl: 604_800, data })])
  assert.match(text, /^\$ORIGIN example\.com\.\n; ALIAS 604800 \\000/)
  assert.deepEqual(read(text), [`${name} 604800 ALIAS* ${target}`])
})
