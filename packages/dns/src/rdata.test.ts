import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hostName } from './arbitraries.test.ts'
import { buildMessage } from './build-message.ts'
import { toWireRecord } from './message.ts'
import { parseName, rootName } from './name.ts'
import { parseMessage } from './parse-message.ts'
import { canonicalRdata, parseRdata, rdataToText } from './rdata.ts'
import { anyDataOf, canonicalForms, orRefused } from './rdata-samples.test.ts'
import { expandRdata, namesIn } from './rdata-wire.ts'
import { groupRecords } from './rrset.ts'
import { isMetaType, parseType, RrType, toType, typeToText } from './type.ts'
import { supportedTypes } from './types/table.ts'
import { WireReader } from './wire-reader.ts'
import { writeZoneFile } from './write-zone-file.ts'
import { parseZoneFile } from './zone-file.ts'

const origin = parseName('example.com.')

for (const [type, written, canonical] of canonicalForms) {
  test(`${type} \`${written}\` has the canonical form \`${canonical}\``, () => {
    assert.equal(canonicalRdata(parseType(type), written, origin), canonical)
    assert.equal(canonicalRdata(parseType(type), canonical), canonical)
  })
}

test('every type with a codec has an example of its canonical form', () => {
  const shown = new Set(canonicalForms.map(([type]) => type))
  assert.deepEqual(
    supportedTypes()
      .map(typeToText)
      .filter((type) => !shown.has(type)),
    [],
  )
})

test('a relative name without an origin is refused', () => {
  assert.throws(() => parseRdata(RrType.CNAME, 'www'), /end the name with a dot/)
})

test('types of the protocol itself cannot be in a zone', () => {
  for (const type of ['OPT', 'TSIG', 'AXFR', 'ANY']) {
    assert.throws(() => parseRdata(parseType(type), '\\# 0'), { code: 'bad_type' })
    assert.equal(isMetaType(parseType(type)), true)
  }
})

test('splits text after 255 bytes, and keeps the boundaries that the writer chose', () => {
  const long = 'x'.repeat(300)
  const split = `"${'x'.repeat(255)}" "${'x'.repeat(45)}"`
  assert.equal(canonicalRdata(RrType.TXT, `"${long}"`), split)
  assert.equal(canonicalRdata(RrType.TXT, long), split)
  assert.equal(canonicalRdata(RrType.TXT, '"ab" "cd"'), '"ab" "cd"')
  assert.equal(canonicalRdata(RrType.TXT, `"${'x'.repeat(255)}"`), `"${'x'.repeat(255)}"`)
})

test('reads type names in any case and as numbers', () => {
  assert.equal(parseType('aaaa'), RrType.AAAA)
  assert.equal(parseType('type28'), RrType.AAAA)
  assert.equal(typeToText(toType(65400)), 'TYPE65400')
  for (const text of ['', 'X', 'TYPE', 'TYPE0', 'TYPE65536', 'toString']) {
    assert.throws(() => parseType(text), { code: 'bad_type' })
  }
})

test('returns the names inside data in order', () => {
  const names = (type: RrType, text: string) => namesIn(type, parseRdata(type, text, origin))
  assert.deepEqual(names(RrType.SOA, 'ns1 host. 1 2 3 4 5'), ['ns1.example.com.', 'host.'])
  assert.deepEqual(names(RrType.MX, '10 mail'), ['mail.example.com.'])
  assert.deepEqual(names(RrType.SRV, '1 2 3 sip.'), ['sip.'])
  assert.deepEqual(names(RrType.A, '192.0.2.1'), [])
})

for (const [type, anyData] of anyDataOf) {
  test(`any data of ${typeToText(type)} survives its text form, a zone file and a message`, () => {
    fc.assert(
      fc.property(anyData, hostName, (data, name) => {
        assert.deepEqual(expandRdata(type, new WireReader(data)), data)
        const text = rdataToText(type, data)
        assert.deepEqual(parseRdata(type, text), data)
        assert.equal(canonicalRdata(type, text), text)
        // `faultsTogether` relies on this.
        assert.ok(data.length <= 6 * (text.length + 1), text)
        const record = { name, type, ttl: 300, data }
        const { records, faults } = parseZoneFile(writeZoneFile(rootName, groupRecords([record])), { origin: rootName })
        assert.deepEqual([records, faults], [[{ ...record, line: 2 }], []])
        const answers = [record, record].map(toWireRecord)
        assert.deepEqual(parseMessage(buildMessage({ id: 1, answers })).answers, answers)
      }),
    )
  })
}

test('every type with a codec has a data generator', () => {
  assert.deepEqual(
    supportedTypes().filter((type) => !anyDataOf.has(type)),
    [],
  )
})

/** Characters and words with a meaning in the data of some type, and some without. */
const pieces = [
  '0',
  '1',
  '42',
  '255',
  '65536',
  '.',
  'a',
  'www.example.',
  '@',
  '-',
  ' ',
  '"',
  '\\',
  '\\000',
  '\\#',
  ',',
  '=',
  '/',
  ':',
  '!',
  'm',
  'N',
  'E',
].concat([
  '192.0.2.1',
  '2001:db8::',
  '1:',
  'alpn=',
  'port=',
  'key9=',
  'mandatory=',
  'AQPA',
  'abcd',
  'PKIX',
  'TYPE1',
  'issue',
  'é',
  '(',
  ')',
  ';',
])

test('any text of any type is refused or has a canonical form that parses to itself', () => {
  const anyText = fc.array(fc.constantFrom(...pieces), { maxLength: 25 }).map((parts) => parts.join(''))
  const anySpaced = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(' '))
  let readCount = 0
  fc.assert(
    fc.property(fc.constantFrom(...anyDataOf.keys()), fc.oneof(anyText, anySpaced), (type, text) => {
      const canonical = orRefused(() => canonicalRdata(type, text, origin))
      if (canonical === undefined) return
      assert.equal(canonicalRdata(type, canonical), canonical)
      readCount++
    }),
    { numRuns: 20_000 },
  )
  assert.ok(readCount > 300, `${readCount} were read`)
})

/** Only letters in names and tags change their case. */
const lowerCased = (data: Uint8Array) => data.map((byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte))

test('any bytes of any type either fail cleanly or have a text that parses to the same bytes', () => {
  let readCount = 0
  fc.assert(
    fc.property(fc.constantFrom(...anyDataOf.keys()), fc.uint8Array({ maxLength: 60 }), (type, bytes) => {
      const data = orRefused(() => expandRdata(type, new WireReader(bytes)))
      if (data === undefined) return
      const text = rdataToText(type, data)
      const again = orRefused(() => parseRdata(type, text))
      if (again === undefined) return
      assert.deepEqual(lowerCased(again), lowerCased(data))
      assert.equal(rdataToText(type, again), text)
      readCount++
    }),
    { numRuns: 20_000 },
  )
  assert.ok(readCount > 3500, `${readCount} were read`)
})
