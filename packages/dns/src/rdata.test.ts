import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyName } from './arbitraries.test.ts'
import { DnsFault } from './faults.ts'
import { parseName } from './name.ts'
import { canonicalRdata, parseRdata, rdataToText } from './rdata.ts'
import { expandRdata, namesIn } from './rdata-wire.ts'
import { isMetaType, parseType, RrType, toType, typeToText } from './type.ts'
import { supportedTypes } from './types/table.ts'

const origin = parseName('example.com.')

/** What is written, and the one form it is given back in. At least one line for every type with a codec. */
const canonicalForms: readonly (readonly [type: string, written: string, canonical: string])[] = [
  ['A', '192.0.2.1', '192.0.2.1'],
  ['AAAA', '002001:db8::1', '2001:db8::1'],
  ['AAAA', '2001:DB8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
  ['AAAA', '::', '::'],
  ['AAAA', '2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
  ['AAAA', '1:2:3:4:5:6:192.0.2.1', '1:2:3:4:5:6:c000:201'],
  ['AAAA', '::ffff:c000:201', '::ffff:192.0.2.1'],
  ['NS', 'NS1', 'ns1.example.com.'],
  ['CNAME', '@', 'example.com.'],
  ['PTR', 'Host.Example.NET.', 'host.example.net.'],
  ['DNAME', 'net.', 'net.'],
  ['SOA', 'ns1 hostmaster 7 4h 1h 2w 5m', 'ns1.example.com. hostmaster.example.com. 7 14400 3600 1209600 300'],
  ['SOA', 'ns1 a\\.b.c. ( 7 1 2\n 3 4 )', 'ns1.example.com. a\\.b.c. 7 1 2 3 4'],
  ['MX', '010 mail', '10 mail.example.com.'],
  ['MX', '0 .', '0 .'],
  ['TXT', 'hello', '"hello"'],
  ['TXT', '"a b" c', '"a b" "c"'],
  ['TXT', '""', '""'],
  ['TXT', '"v=DKIM1; k=rsa"', '"v=DKIM1; k=rsa"'],
  ['TXT', '"\\"\\\\ \\065 \\000 ä"', '"\\"\\\\ A \\000 \\195\\164"'],
  ['TXT', 'a\\;b', '"a;b"'],
  ['SRV', '10 5 5060 SIP', '10 5 5060 sip.example.com.'],
  ['SRV', '0 0 0 .', '0 0 0 .'],
  ['CAA', '0 Issue letsencrypt.org', '0 issue "letsencrypt.org"'],
  ['CAA', '128 issue ";"', '128 issue ";"'],
  ['DS', '1 8 2 4F74 856f', '1 8 2 4f74856f'],
  ['CDS', '0 0 0 00', '0 0 0 00'],
  ['TLSA', '3 1 1 ABcd', '3 1 1 abcd'],
  ['SMIMEA', '3 1 1 AB', '3 1 1 ab'],
  ['SSHFP', '4 2 ABCD', '4 2 abcd'],
  ['ZONEMD', '7 1 1 AB', '7 1 1 ab'],
  ['DNSKEY', '257 3 8 AQ PA', '257 3 8 AQPA'],
  ['CDNSKEY', '0 3 0 AA==', '0 3 0 AA=='],
  ['OPENPGPKEY', 'AQPA', 'AQPA'],
  ['NSEC', 'Host A mx TYPE1234 rrsig', 'host.example.com. A MX RRSIG TYPE1234'],
  ['CSYNC', '66 3 NS A AAAA', '66 3 A NS AAAA'],
  [
    'RRSIG',
    'A 5 3 86400 20030322173103 1045759863 2642 Example.com. AQPA',
    'A 5 3 86400 20030322173103 20030220165103 2642 example.com. AQPA',
  ],
  [
    'NSEC3',
    '1 1 12 AABBCCDD 2t7b4g4vsa5smi47k61mv5bv1a22bojr MX DNSKEY A',
    '1 1 12 aabbccdd 2t7b4g4vsa5smi47k61mv5bv1a22bojr A MX DNSKEY',
  ],
  ['NSEC3PARAM', '1 0 0 -', '1 0 0 -'],
  ['NSEC3PARAM', '1 0 12 AABB', '1 0 12 aabb'],
  ['CERT', '1 12345 8 AQPA', '1 12345 8 AQPA'],
  ['EUI48', '00-00-5E-00-53-2A', '00-00-5e-00-53-2a'],
  ['EUI64', '00-00-5E-EF-10-00-00-2A', '00-00-5e-ef-10-00-00-2a'],
  ['URI', '10 1 "https://example.com/"', '10 1 "https://example.com/"'],
  ['HINFO', 'RFC8482 ""', '"RFC8482" ""'],
  ['RP', 'admin .', 'admin.example.com. .'],
  ['NAPTR', '100 10 S "SIP+D2U" "" _sip._udp', '100 10 "S" "SIP+D2U" "" _sip._udp.example.com.'],
  ['TYPE65400', '\\# 4 0A00 0001', '\\# 4 0a000001'],
  ['TYPE65400', '\\# 0', '\\# 0'],
  ['A', '\\# 4 c0000201', '192.0.2.1'],
  ['NS', '\\# 5 0341424300', 'abc.'],
]

for (const [type, written, canonical] of canonicalForms) {
  test(`${type} \`${written}\` has the one form \`${canonical}\``, () => {
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

for (const [type, written, said] of [
  ['A', '192.0.2', 'A needs one IPv4 address'],
  ['A', '192.0.2.256', 'is no IPv4 address'],
  ['A', '192.0.02.1', 'is no IPv4 address'],
  ['A', '192.0.2.1 192.0.2.2', '`192.0.2.2` is too much'],
  ['A', '"192.0.2.1"', 'must not be quoted'],
  ['A', '', 'nothing is given'],
  ['A', '192.0.2.1\n192.0.2.2', 'several lines'],
  ['A', '192.0.2.1 ; office', 'semicolon'],
  ['A', '(192.0.2.1', 'never closed'],
  ['AAAA', '1:2:3', 'is no IPv6 address'],
  ['AAAA', '1::2::3', 'is no IPv6 address'],
  ['AAAA', ':1:2:3:4:5:6:7', 'is no IPv6 address'],
  ['AAAA', '1:2:3:4:5:6:7:8::', 'is no IPv6 address'],
  ['AAAA', 'fe80::1%eth0', 'is no IPv6 address'],
  ['AAAA', '12345::', 'is no IPv6 address'],
  ['MX', '10', 'MX needs a preference (0–65535) and a host name, such as `10 mail.example.com.`: a value is missing.'],
  ['MX', 'mail 10', 'the preference `mail` is no number from 0 to 65535'],
  ['MX', '65536 mail', 'no number from 0 to 65535'],
  ['MX', '-1 mail', 'no number from 0 to 65535'],
  ['MX', '10 192.0.2.1', 'is an address, not a name'],
  ['NS', '2001:db8::1', 'is an address, not a name'],
  ['NS', 'a..b', 'an empty label'],
  ['TXT', 'v=DKIM1; k=rsa', 'put text with a semicolon in quotes'],
  ['TXT', 'a"b"', 'in quotes as a whole'],
  ['TXT', '"open', 'never closed'],
  ['TXT', '"\\999"', 'above'],
  ['CAA', '0 is-sue x', 'letters and digits'],
  ['CAA', '256 issue x', 'no number from 0 to 255'],
  ['DS', '1 8 2 4f7', 'not hexadecimal'],
  ['DNSKEY', '257 3 8 AQP', 'not padded base 64'],
  ['RRSIG', 'A 5 3 86400 20031322173103 1 1 a. AQPA', 'no date and time'],
  ['NSEC3PARAM', '1 0 0 ABC', 'neither `-` nor hexadecimal'],
  ['NSEC3', '1 0 0 - wxyz A', 'not base 32'],
  ['EUI48', '00:00:5e:00:53:2a', 'not 6 bytes with hyphens'],
  ['NSEC', 'a. NOTYPE', 'is not a record type'],
  ['TYPE65400', '10.0.0.1', 'the generic form'],
  ['TYPE65400', '\\# 4 0a', '4 bytes are announced and 1 follow'],
  ['TYPE65400', '\\# x 0a', 'is no length'],
  ['TYPE65400', '\\# 1 0g', 'not hexadecimal'],
  ['TYPE65400', '\\#', 'the length is missing'],
  ['A', '\\# 3 c00002', 'ends too early'],
  ['A', '\\# 5 c000020101', 'too long'],
  ['NS', '\\# 2 c000', 'compressed name'],
] as const) {
  test(`${type} \`${written}\` is refused: ${said}`, () => {
    assert.throws(
      () => parseRdata(parseType(type), written, origin),
      (fault: unknown) => {
        return fault instanceof DnsFault && fault.code === 'bad_rdata' && fault.message.includes(said)
      },
    )
  })
}

test('a relative name without an origin is refused', () => {
  assert.throws(() => parseRdata(RrType.CNAME, 'www'), /end the name with a dot/)
})

test('types of the protocol itself never stand in a zone', () => {
  for (const type of ['OPT', 'TSIG', 'AXFR', 'ANY']) {
    assert.throws(() => parseRdata(parseType(type), '\\# 0'), { code: 'bad_type' })
    assert.equal(isMetaType(parseType(type)), true)
  }
})

test('text longer than 255 bytes is split there, and boundaries the writer chose stay', () => {
  const long = 'x'.repeat(300)
  const split = `"${'x'.repeat(255)}" "${'x'.repeat(45)}"`
  assert.equal(canonicalRdata(RrType.TXT, `"${long}"`), split)
  assert.equal(canonicalRdata(RrType.TXT, long), split)
  assert.equal(canonicalRdata(RrType.TXT, '"ab" "cd"'), '"ab" "cd"')
  assert.equal(canonicalRdata(RrType.TXT, `"${'x'.repeat(255)}"`), `"${'x'.repeat(255)}"`)
})

test('type names read in any case and as numbers', () => {
  assert.equal(parseType('aaaa'), RrType.AAAA)
  assert.equal(parseType('type28'), RrType.AAAA)
  assert.equal(typeToText(toType(65400)), 'TYPE65400')
  for (const text of ['', 'X', 'TYPE', 'TYPE0', 'TYPE65536', 'toString']) {
    assert.throws(() => parseType(text), { code: 'bad_type' })
  }
})

test('the names inside are told in order', () => {
  const names = (type: RrType, text: string) => namesIn(type, parseRdata(type, text, origin))
  assert.deepEqual(names(RrType.SOA, 'ns1 host. 1 2 3 4 5'), ['ns1.example.com.', 'host.'])
  assert.deepEqual(names(RrType.MX, '10 mail'), ['mail.example.com.'])
  assert.deepEqual(names(RrType.SRV, '1 2 3 sip.'), ['sip.'])
  assert.deepEqual(names(RrType.A, '192.0.2.1'), [])
})

test('any text of TXT comes back as it was', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 255 }), { minLength: 1, maxLength: 4 }), (strings) => {
      const data = Uint8Array.from(strings.flatMap((bytes) => [bytes.length, ...bytes]))
      assert.deepEqual(parseRdata(RrType.TXT, rdataToText(RrType.TXT, data)), data)
    }),
  )
})

test('any name in data comes back as it was', () => {
  fc.assert(
    fc.property(anyName, fc.nat(65535), (name, preference) => {
      // A name that reads as an address is refused on purpose.
      fc.pre(!/^[\d.]+$/.test(name) || name === '.')
      const data = parseRdata(RrType.MX, `${preference} ${name}`)
      assert.equal(rdataToText(RrType.MX, data), `${preference} ${name}`)
    }),
  )
})

test('any bytes of any type either fail cleanly or have a text that reads as the same value', () => {
  const type = fc.constantFrom(...supportedTypes(), toType(65400))
  fc.assert(
    fc.property(type, fc.uint8Array({ maxLength: 60 }), (code, bytes) => {
      try {
        const data = expandRdata(code, bytes, 0, bytes.length, false, 'bad_rdata')
        const text = rdataToText(code, data)
        const again = orRefused(() => canonicalRdata(code, text))
        if (again !== undefined) assert.equal(again, text)
      } catch (fault) {
        if (!(fault instanceof DnsFault)) throw fault
      }
    }),
    { numRuns: 5000 },
  )
})

/** Wire data may hold what customers may not write: an address as a host name, an empty digest. */
function orRefused(read: () => string): string | undefined {
  try {
    return read()
  } catch (fault) {
    if (fault instanceof DnsFault && fault.code === 'bad_rdata') return undefined
    throw fault
  }
}
