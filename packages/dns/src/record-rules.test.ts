import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { toHex } from './hex.ts'
import { type DomainName, maxNameBytes, nameBytes, parseName } from './name.ts'
import { nameToWire } from './name-wire.ts'
import { ownerName } from './owner-name.ts'
import { parseRdata } from './rdata.ts'
import { anyDataOf, orRefused } from './rdata-samples.test.ts'
import { expandRdata, namesIn } from './rdata-wire.ts'
import { isInvalidStored, placementFault, printedValue, readValue, recordValue, removedValue } from './record-rules.ts'
import { parseType, RrType, toType } from './type.ts'
import { WireReader } from './wire-reader.ts'

const origin = parseName('example.com.')

const owner = (text: string, zone: DomainName): string => ownerName(text, zone, () => '')

test('an owner name of any length can be read in the form in which it is printed', () => {
  const longZone = parseName(`${'z'.repeat(63)}.${'y'.repeat(63)}.example.`)
  for (const zone of [origin, longZone])
    for (let bytes = nameBytes(zone); bytes <= maxNameBytes; bytes++) {
      const name = nameOfBytes(bytes, zone)
      if (name === undefined) continue
      assert.equal(nameBytes(name), bytes)
      assert.equal(owner(name.slice(0, -1), zone), name)
      assert.equal(owner(name, zone), name)
    }
})

test('an owner name without a trailing dot is absolute if it ends in the zone’s name, otherwise relative', () => {
  for (const [text, name] of [
    ['@', 'example.com.'],
    ['example.com', 'example.com.'],
    ['WWW.Example.com', 'www.example.com.'],
    ['www', 'www.example.com.'],
    ['example.org', 'example.org.example.com.'],
    ['notexample.com', 'notexample.com.example.com.'],
    ['www\\.example.com', 'www\\.example.com.example.com.'],
    ['com', 'com.example.com.'],
  ] as const)
    assert.equal(owner(text, origin), name, text)
  for (const text of [
    'a..b',
    'a..example.com',
    '',
    '.example.com',
    'a\\',
    'a b',
    nameOfBytes(256, origin)?.slice(0, -1) ?? '',
  ])
    assert.throws(() => owner(text, origin), { code: 'bad_name' }, text)
  assert.throws(() => owner('a..b', origin), /^DnsFault: `a\.\.b` /, 'in the words of whoever wrote it')
  assert.throws(() => owner('www.example.org.', origin), { code: 'out_of_zone' })
})

/** A name of the given length in a zone. No name is only one byte longer than the zone. */
function nameOfBytes(bytes: number, zone: DomainName): DomainName | undefined {
  let name: string = zone
  for (let left = bytes - nameBytes(zone); left > 0; ) {
    // A label has at least two bytes with its length.
    const label = left > 64 ? Math.min(64, left - 2) : left
    if (label < 2) return undefined
    name = `${'a'.repeat(label - 1)}.${name}`
    left -= label
  }
  return name as DomainName
}

test('refuses data that another nameserver would refuse, even in the generic form', () => {
  for (const [type, text, said] of [
    ['IPSECKEY', '\\# 3 010203', 'not valid for the type'],
    ['IPSECKEY', '\\# 4 0a000201', undefined],
    ['IPSECKEY', '\\# 3 0a0002', 'not valid for the type'],
    ['IPSECKEY', '10 0 3 . AQPA', 'the algorithm 3 is neither 1 (DSA) nor 2 (RSA)'],
    ['IPSECKEY', '10 0 0 . AQPA', 'the algorithm 0'],
    ['NID', '\\# 3 010203', 'NID needs a preference'],
    ['NID', '\\# 11 0000000000000000000000', 'not valid for the type'],
    ['L32', '\\# 5 000a0a0102', 'not valid for the type'],
    ['L64', '\\# 2 000a', 'not valid for the type'],
    ['LP', '\\# 2 000a', 'not valid for the type'],
    ['LP', '\\# 4 000ac000', 'not valid for the type'],
    ['SPF', '\\# 1 05', 'not valid for the type'],
    ['SPF', '\\# 0', 'not valid for the type'],
    ['KEY', '\\# 4 00000305', 'not valid for the type'],
    ['KEY', '\\# 5 c000030501', 'not valid for the type'],
    ['KEY', '\\# 5 00000305ff', undefined],
    ['KEY', '\\# 5 000003fdff', 'does not begin with the algorithm’s name'],
    ['KEY', '49152 3 5', 'the key is missing'],
    ['KEY', '\\# 4 c0000305', 'the key is missing'],
    ['RKEY', '1 3 5 AQPA', 'the flags are not 0'],
    ['WKS', '\\# 4 c0000201', 'not valid for the type'],
    ['WKS', '\\# 6 c00002010600', 'not valid for the type'],
    ['HIP', '\\# 3 010203', 'not valid for the type'],
    ['HIP', '\\# 8 1002000301aabbcc', 'not valid for the type'],
    ['A6', '\\# 1 00', 'not valid for the type'],
    ['TYPE38', '\\# 2 81ff', 'A6 needs'],
    ['TYPE66', '\\# 3 010203', 'DSYNC needs'],
    ['TYPE261', '\\# 2 05ff', 'RESINFO needs'],
    ['WALLET', '\\# 1 ff', 'not valid for the type'],
    ['DHCID', '\\# 0', 'not valid for the type'],
    ['AMTRELAY', '\\# 3 0a0401', 'not valid for the type'],
    ['X25', '\\# 4 03313233', 'at least 4 digits'],
    ['GPOS', '\\# 5 0161016201', 'not valid for the type'],
    ['GPOS', '\\# 6 016101620163', 'is not a decimal number'],
    ['ISDN', '\\# 6 013101320133', 'not valid for the type'],
    ['NXT', '\\# 2 0000', 'not valid for the type'],
    ['ATMA', '\\# 2 0161', 'not valid for the type'],
    ['SIG', '\\# 3 010203', 'not valid for the type'],
    ['EID', '\\# 0', 'not valid for the type'],
    ['NULL', '\\# 0', 'at least one byte'],
    ['NULL', '\\# 1 00', undefined],
    ['LOC', '\\# 2 0100', 'not valid for the type'],
    ['APL', '\\# 5 00030801ff', 'not valid for the type'],
    ['APL', '\\# 0', undefined],
    ['URI', '\\# 4 000a0001', 'not valid for the type'],
    ['CAA', '0 issue ""', 'the value is empty: write `";"`'],
    ['CAA', '0 issue ";"', undefined],
    ['DS', '1 8 9 abcd', 'the digest type 9 is not assigned'],
    ['DS', '1 8 0 abcd', 'the digest type 0 is not assigned'],
    ['DS', '0 0 0 00', 'the digest type 0 is not assigned'],
    ['DS', '1 8 3 abcd', 'with digest type 3 the digest has 32 bytes and not 2'],
    ['DS', `1 8 5 ${'ab'.repeat(33)}`, 'with digest type 5 the digest has 32 bytes and not 33'],
    ['DS', `1 8 6 ${'ab'.repeat(32)}`, undefined],
    ['DS', '\\# 4 00010802', 'not valid for the type'],
    ['DS', '\\# 6 00010802abcd', 'has 32 bytes and not 2'],
    ['DS', '1 8 254 ab', undefined],
    ['CDS', '0 0 0 00', undefined],
    ['CDS', '1 8 7 abcd', 'the digest type 7 is not assigned'],
    ['DLV', '1 8 9 abcd', 'the digest type 9 is not assigned'],
    ['TA', '\\# 6 00010801abcd', 'has 20 bytes and not 2'],
    ['DNSKEY', '\\# 5 010103fdff', 'does not begin with the algorithm’s name'],
    ['HTTPS', '1 . key65535=x', 'key65535 is the invalid key'],
    ['HTTPS', '1 . key65535', 'key65535 is the invalid key'],
    ['SVCB', '\\# 7 000100ffff0000', 'key65535 is the invalid key'],
    ['SVCB', '1 . key65534=x', undefined],
    ['HTTPS', '1 . pvd=x', '`x` is too much'],
    ['HTTPS', '1 . key11=x', 'these are not the bytes of a value of pvd'],
    ['HTTPS', '1 . key9=x', 'these are not the bytes of a value of tls-supported-groups'],
    ['HTTPS', '1 . key9="\\000\\029\\000\\029"', 'these are not the bytes of a value of tls-supported-groups'],
    ['HTTPS', '1 . key12=x', 'these are not the bytes of a value of oots'],
    ['HTTPS', '1 . key10="\\005ab"', 'these are not the bytes of a value of docpath'],
    ['HTTPS', '1 . alpn=h2 no-default-alpn=x', '`x` is too much'],
    ['HTTPS', '1 . alpn=h2 key2=x', 'these are not the bytes of a value of no-default-alpn'],
    ['HTTPS', '\\# 15 000100000100030268320002000178', 'too long'],
    ['HTTPS', '1 . ohttp=x', '`x` is too much'],
    ['HTTPS', '1 . key8=x', 'these are not the bytes of a value of ohttp'],
    ['HTTPS', '1 . alpn="h2("', 'a protocol may have only printable'],
    ['HTTPS', '1 . alpn="h2,\\200"', 'a protocol may have only printable'],
    ['HTTPS', '\\# 10 00010000010003 02683b', 'a protocol may have only printable'],
    ['HTTPS', '1 . alpn="http/1.1,h2"', undefined],
    ['SVCB', '1 . dohpath=/q{?dns}{', 'the dohpath is not a URI template'],
    ['SVCB', '1 . dohpath=/q{?dns}{}', 'the dohpath is not a URI template'],
    ['SVCB', '1 . key7="/q{?dns}\\255"', 'the dohpath is not a URI template'],
    ['SVCB', '1 . dohpath=/q{?dns,x*}{/y:3}', undefined],
  ] as const) {
    const value = () => recordValue(parseType(type), text, origin)
    if (said === undefined) assert.doesNotThrow(value, `${type} ${text}`)
    else
      assert.throws(
        value,
        (fault: Error & { code?: string }) => fault.code === 'bad_rdata' && fault.message.includes(said),
        `${type} ${text}`,
      )
  }
})

test('data stored before its type was checked can still be read, published and removed', () => {
  for (const [type, text] of [
    ['IPSECKEY', '\\# 3 010203'],
    ['NID', '\\# 1 00'],
    ['KEY', '49152 3 5'],
    ['SIG', '\\# 3 010203'],
    ['A6', '\\# 1 ff'],
    ['DS', '1 8 9 ab'],
    ['CAA', '0 issue ""'],
    ['HTTPS', '1 . key65535="x"'],
    ['HTTPS', '1 . key9="x"'],
    ['HTTPS', '1 . mandatory=key12 key12="\\005"'],
  ] as const) {
    const data = parseRdata(parseType(type), text)
    assert.deepEqual(expandRdata(parseType(type), new WireReader(data)), data)
    assert.doesNotThrow(() => namesIn(parseType(type), data))
    const shown = removedValue(parseType(type), text, origin)
    assert.deepEqual(parseRdata(parseType(type), shown), data, shown)
  }
})

test('a record in the generic form is stored in the text form of its type', () => {
  for (const [type, text, kept] of [
    ['IPSECKEY', '\\# 10 0a0102c0000226010203', '10 1 2 192.0.2.38 AQID'],
    ['NID', '\\# 10 000a00144fffff20ee64', '10 0014:4fff:ff20:ee64'],
    ['L32', '\\# 6 000a0a010200', '10 10.1.2.0'],
    ['TYPE99', '\\# 3 026869', '"hi"'],
    ['TYPE262', '\\# 3 026869', '"hi"'],
    ['TYPE66', '\\# 10 003b0114ef0361626300', 'CDS 1 5359 abc.'],
    ['HIP', '\\# 8 0102000301aabbcc', '2 01 qrvM'],
    ['HTTPS', '1 . key9="\\000\\029\\000\\023"', '1 . tls-supported-groups=29,23'],
    ['HTTPS', '1 . key10="\\001n\\001s"', '1 . docpath="n,s"'],
    ['HTTPS', '1 . key10', '1 . docpath'],
    ['HTTPS', '1 . key11', '1 . pvd'],
    ['HTTPS', '1 . oots="do53:100,dot:10" docpath=""', '1 . docpath oots=do53:100,dot:10'],
    [
      'HTTPS',
      '1 . mandatory=key9 tls-supported-groups=29',
      '1 . mandatory=tls-supported-groups tls-supported-groups=29',
    ],
  ] as const)
    assert.equal(recordValue(parseType(type), text, origin), kept, `${type} ${text}`)
})

test('message-only types, reserved types and PowerDNS’s internal types cannot be written', () => {
  const written = [
    'OPT',
    'TKEY',
    'TSIG',
    'IXFR',
    'AXFR',
    'MAILB',
    'MAILA',
    'ANY',
    'TYPE128',
    'TYPE200',
    'TYPE65535',
    'TYPE65402',
  ]
  for (const type of written) {
    const fault = placementFault(parseName('a.example.com.'), parseType(type), origin)
    assert.deepEqual([fault?.at, fault?.code], ['type', 'bad_type'], type)
  }
  assert.equal(placementFault(parseName('a.example.com.'), toType(0), origin)?.code, 'bad_type')
  for (const type of ['TYPE65400', 'ALIAS', 'TYPE65403', 'TYPE65534', 'TYPE256', 'NULL', 'WALLET'])
    assert.equal(placementFault(parseName('a.example.com.'), parseType(type), origin), undefined, type)
})

test('the signer of a zone owns records of some types at any name, and of others only at the apex', () => {
  const codeAt = (name: string, type: string) => placementFault(parseName(name), parseType(type), origin)?.code
  for (const type of ['RRSIG', 'NSEC', 'NSEC3', 'NSEC3PARAM', 'TYPE46'])
    for (const name of ['example.com.', 'a.example.com.', '*.example.com.'])
      assert.equal(codeAt(name, type), 'service_owned')
  for (const type of ['DNSKEY', 'CDS', 'CDNSKEY', 'ZONEMD', 'TYPE48']) {
    assert.equal(codeAt('example.com.', type), 'service_owned')
    assert.equal(codeAt('a.example.com.', type), undefined)
  }
  for (const type of ['SIG', 'KEY', 'NXT', 'CSYNC', 'DLV']) assert.equal(codeAt('example.com.', type), undefined)
})

test('finds the names inside gateways, relays and lists', () => {
  for (const [type, text, names] of [
    ['IPSECKEY', '10 3 2 gw AQPA', ['gw.example.com.']],
    ['IPSECKEY', '10 1 2 192.0.2.1 AQPA', []],
    ['AMTRELAY', '10 0 3 relay', ['relay.example.com.']],
    ['HIP', '2 2001 AQPA a b', ['a.example.com.', 'b.example.com.']],
    ['A6', '64 ::1 net', ['net.example.com.']],
    ['A6', '0 ::1', []],
    ['LP', '10 l64', ['l64.example.com.']],
    ['DSYNC', 'CDS 1 53 scanner', ['scanner.example.com.']],
  ] as const)
    assert.deepEqual(namesIn(parseType(type), parseRdata(parseType(type), text, origin)), names, `${type} ${text}`)
})

test('a stored value is invalid if its bytes have no text form in its type', () => {
  const invalid: readonly (readonly [type: string, text: string])[] = [
    ['IPSECKEY', '\\# 3 010203'],
    ['NID', '\\# 9 000a00112233445566'],
    ['L32', '\\# 0'],
    ['A6', '\\# 1 81'],
    ['RESINFO', '\\# 2 0561'],
    ['KEY', '\\# 3 000000'],
    ['WALLET', '\\# 1 ff'],
  ]
  for (const [type, text] of invalid) assert.equal(isInvalidStored(parseType(type), text), true, `${type} ${text}`)
  const valid: readonly (readonly [type: string, text: string])[] = [
    ['NID', '\\# 10 000a0011223344556677'],
    ['NID', '10 0011:2233:4455:6677'],
    ['APL', '\\# 0'],
    ['NULL', '\\# 1 00'],
    ['TYPE65400', '\\# 3 010203'],
    ['TXT', '"\\\\# 3 010203"'],
  ]
  for (const [type, text] of valid) assert.equal(isInvalidStored(parseType(type), text), false, `${type} ${text}`)
})

test('any bytes of any type in the generic form are refused or kept as text that can be read', () => {
  let keptCount = 0
  fc.assert(
    fc.property(typedData, fc.uint8Array({ maxLength: 3 }), fc.nat(3), ([type, data], more, cut) => {
      const bytes = Uint8Array.from([...data.subarray(0, data.length - cut), ...more])
      const kept = orRefused(() => readValue(type, `\\# ${bytes.length} ${toHex(bytes)}`, origin).value)
      if (kept === undefined) return
      assert.doesNotThrow(() => parseRdata(type, kept))
      assert.equal(readValue(type, kept, origin).value, kept)
      keptCount++
    }),
    { numRuns: 20_000 },
  )
  assert.ok(keptCount > 5_000, `${keptCount} were kept`)
})

test('any value of any type that may be written has a form in which it can be written again', () => {
  let genericCount = 0
  fc.assert(
    fc.property(typedData, ([type, data]) => {
      const value = orRefused(() => recordValue(type, `\\# ${data.length} ${toHex(data)}`, origin))
      if (value === undefined) return
      const written = printedValue(type, value)
      assert.deepEqual(readValue(type, written, origin), { value })
      if (written !== value) genericCount++
    }),
    { numRuns: 20_000, examples: [[[RrType.CNAME, nameToWire(parseName('a:b.example.net.'))]]] },
  )
  assert.ok(genericCount > 0)
})

/** A type and good data of it. */
const typedData: fc.Arbitrary<[RrType, Uint8Array]> = fc.oneof(
  ...Array.from(anyDataOf, ([type, anyData]) => anyData.map((data): [RrType, Uint8Array] => [type, data])),
)
