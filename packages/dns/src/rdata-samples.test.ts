import fc from 'fast-check'
import { anyName, hostName } from './arbitraries.test.ts'
import { DnsFault } from './faults.ts'
import { toHex } from './hex.ts'
import { parseName } from './name.ts'
import { nameToWire } from './name-wire.ts'
import { printedValue, recordValue } from './record-rules.ts'
import { RrType, toType, typeToText } from './type.ts'

/** Record data of every type, as text and as arbitrary bytes. Contains no tests. */

/** Values as written, and the form in which they are returned. At least one line for every type with a codec. */
export const canonicalForms: readonly (readonly [type: string, written: string, canonical: string])[] = [
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
  ['ALIAS', 'Host.Example.NET.', 'host.example.net.'],
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
  ['DS', `1 8 2 4F74 ${'5E'.repeat(30)}`, `1 8 2 4f74${'5e'.repeat(30)}`],
  ['DS', '1 8 253 AB', '1 8 253 ab'],
  ['CDS', '0 0 0 00', '0 0 0 00'],
  ['TLSA', '3 1 1 ABcd', '3 1 1 abcd'],
  ['SMIMEA', '3 1 1 AB', '3 1 1 ab'],
  ['SSHFP', `4 2 ${'AB'.repeat(32)}`, `4 2 ${'ab'.repeat(32)}`],
  ['ZONEMD', `7 1 1 ${'AB'.repeat(48)}`, `7 1 1 ${'ab'.repeat(48)}`],
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
  ['CERT', 'PKIX 12345 RSASHA256 AQ PA', '1 12345 8 AQPA'],
  ['CERT', 'oid 0 PrivateOID AQPA', '254 0 254 AQPA'],
  ['DNSKEY', '257 3 ECDSAP256SHA256 AQPA', '257 3 13 AQPA'],
  ['MD', 'Mail', 'mail.example.com.'],
  ['MF', 'mail', 'mail.example.com.'],
  ['MB', 'mail', 'mail.example.com.'],
  ['MG', 'user', 'user.example.com.'],
  ['MR', 'user', 'user.example.com.'],
  ['MINFO', 'owner errors', 'owner.example.com. errors.example.com.'],
  ['AFSDB', '1 AFS', '1 afs.example.com.'],
  ['RT', '10 relay', '10 relay.example.com.'],
  ['PX', '10 @ PRMD-example.', '10 example.com. prmd-example.'],
  ['KX', '10 kx', '10 kx.example.com.'],
  ['LOC', '42 21 54 N 71 06 18 W -24m 30m', '42 21 54.000 N 71 6 18.000 W -24.00m 30m 10000m 10m'],
  ['LOC', '42 21 43.952 n 71 5 6.344 w -24.1 1m 200m', '42 21 43.952 N 71 5 6.344 W -24.10m 1m 200m 10m'],
  ['LOC', '52 S 4 E 10', '52 0 0.000 S 4 0 0.000 E 10.00m 1m 10000m 10m'],
  ['LOC', '0 S 0 W 0', '0 0 0.000 N 0 0 0.000 E 0.00m 1m 10000m 10m'],
  ['LOC', '90 N 180 W -100000m 90000000m 0 0.05m', '90 0 0.000 N 180 0 0.000 W -100000.00m 90000000m 0.00m 0.05m'],
  ['LOC', '1 N 1 E 42849672.95m 12.34m 99m', '1 0 0.000 N 1 0 0.000 E 42849672.95m 10m 90m 10m'],
  ['LOC', '\\# 2 0100', '\\# 2 0100'],
  ['APL', '1:192.168.32.0/21 !1:192.168.38.0/28', '1:192.168.32.0/21 !1:192.168.38.0/28'],
  ['APL', '2:FF00:0::/8 1:0.0.0.0/0 2:::/0', '2:ff00::/8 1:0.0.0.0/0 2:::/0'],
  ['APL', '1:192.0.2.1/24', '1:192.0.2.1/24'],
  ['APL', '\\# 0', '\\# 0'],
  ['APL', '\\# 5 00030801ff', '\\# 5 00030801ff'],
  ['SVCB', '0 Foo', '0 foo.example.com.'],
  ['SVCB', '16 foo port=53', '16 foo.example.com. port=53'],
  [
    'SVCB',
    '1 dns ohttp dohpath=/dns-query{?dns} alpn=dot',
    '1 dns.example.com. alpn="dot" dohpath="/dns-query{?dns}" ohttp',
  ],
  ['HTTPS', '1 .', '1 .'],
  [
    'HTTPS',
    '1 . mandatory=alpn alpn="h2" port=443 ipv4hint=192.0.2.1 ech=AA== ipv6hint=::1 dohpath=/q{?dns} key667="a"',
    '1 . mandatory=alpn alpn="h2" port=443 ipv4hint=192.0.2.1 ech=AA== ipv6hint=::1 dohpath="/q{?dns}" key667="a"',
  ],
  ['EUI48', '00-00-5E-00-53-2A', '00-00-5e-00-53-2a'],
  ['EUI64', '00-00-5E-EF-10-00-00-2A', '00-00-5e-ef-10-00-00-2a'],
  ['URI', '10 1 "https://example.com/"', '10 1 "https://example.com/"'],
  ['HINFO', 'RFC8482 ""', '"RFC8482" ""'],
  ['RP', 'admin .', 'admin.example.com. .'],
  ['NAPTR', '100 10 S "SIP+D2U" "" _sip._udp', '100 10 "S" "SIP+D2U" "" _sip._udp.example.com.'],
  [
    'NAPTR',
    '1 2 "U" E2U+sip "!^(.*)$!sip:\\\\1@example.com!i" .',
    '1 2 "U" "E2U+sip" "!^(.*)$!sip:\\\\1@example.com!i" .',
  ],
  ['TYPE65400', '\\# 4 0A00 0001', '\\# 4 0a000001'],
  ['TYPE65400', '\\# 0', '\\# 0'],
  ['A', '\\# 4 c0000201', '192.0.2.1'],
  ['NS', '\\# 5 0341424300', 'abc.'],
  ['HTTPS', '\\# 3 000100', '1 .'],
  ['MX', '\\# 5 000A0141 00', '10 a.'],
  ['TXT', '\\# 3 02 6869', '"hi"'],
  ['DS', '\\# 4 00010802', '\\# 4 00010802'],
  ['URI', '\\# 4 000a0001', '\\# 4 000a0001'],
  ['WKS', '192.0.2.1 tcp 80 25 25', '192.0.2.1 6 25 80'],
  ['WKS', '192.0.2.1 17', '192.0.2.1 17'],
  ['WKS', '\\# 9 c0000201060000 0040', '192.0.2.1 6 25'],
  ['X25', '311061700956', '"311061700956"'],
  ['ISDN', '150862028003217 004', '"150862028003217" "004"'],
  ['ISDN', '"150862028003217"', '"150862028003217"'],
  ['NSAP', '0X47.0005.80', '0x47000580'],
  ['NSAP-PTR', 'Foo', 'foo.example.com.'],
  [
    'SIG',
    'NXT 1 3 86400 20030322173103 1045759863 2642 Example.com. AQPA',
    'NXT 1 3 86400 20030322173103 20030220165103 2642 example.com. AQPA',
  ],
  ['KEY', '512 3 RSASHA1 AQ PA', '512 3 5 AQPA'],
  ['RKEY', '0 3 1 AQPA', '0 3 1 AQPA'],
  ['GPOS', '116.8652 -32.6882 10.0', '"116.8652" "-32.6882" "10.0"'],
  ['NXT', 'Host NXT a', 'host.example.com. A NXT'],
  ['EID', 'E32C 6F78', 'e32c6f78'],
  ['NIMLOC', '3225', '3225'],
  ['ATMA', '+61200000000', '+61200000000'],
  ['ATMA', '39.246F.00', '39246f00'],
  ['A6', '64 ::1 Net', '64 ::1 net.example.com.'],
  ['A6', '0 2001:db8::1', '0 2001:db8::1'],
  ['A6', '128 net.', '128 net.'],
  ['A6', '12 f::1 net.', '12 f::1 net.'],
  ['SINK', '1 2 3 AQPA', '1 2 3 AQPA'],
  ['SINK', '1 2 3', '1 2 3'],
  ['IPSECKEY', '10 1 2 192.0.2.38 AQ PA', '10 1 2 192.0.2.38 AQPA'],
  ['IPSECKEY', '10 0 2 . AQPA', '10 0 2 . AQPA'],
  ['IPSECKEY', '10 2 RSASHA1 2001:DB8::1 AQPA', '10 2 5 2001:db8::1 AQPA'],
  ['IPSECKEY', '10 3 2 Gateway AQPA', '10 3 2 gateway.example.com. AQPA'],
  ['IPSECKEY', '\\# 10 0a01 02c0000226010203', '10 1 2 192.0.2.38 AQID'],
  ['IPSECKEY', '\\# 3 010203', '\\# 3 010203'],
  ['DHCID', 'AAIB Y2/AuCccgoJbsaxcQc9TUapptP69lOjxfNuVAA2kjEA=', 'AAIBY2/AuCccgoJbsaxcQc9TUapptP69lOjxfNuVAA2kjEA='],
  ['HIP', '2 2001 AQPA Rvs other.', '2 2001 AQPA rvs.example.com. other.'],
  ['HIP', '2 20AB AQPA', '2 20ab AQPA'],
  ['NINFO', 'maintenance', '"maintenance"'],
  ['SPF', '"v=spf1 -all"', '"v=spf1 -all"'],
  ['AVC', '"app-name:WOLFGANG|app-class:OAM" x', '"app-name:WOLFGANG|app-class:OAM" "x"'],
  ['RESINFO', 'qnamemin "exterr=15,16"', '"qnamemin" "exterr=15,16"'],
  ['WALLET', '"BTC" "bc1qexample"', '"BTC" "bc1qexample"'],
  ['CLA', 'TCP-v4-v6', '"TCP-v4-v6"'],
  ['TALINK', '. _talink1', '. _talink1.example.com.'],
  ['DSYNC', 'cds notify 5359 Scanner', 'CDS 1 5359 scanner.example.com.'],
  ['HHIT', 'gw 35', 'gw35'],
  ['BRID', 'gw35', 'gw35'],
  ['NID', '10 14:4FFF:ff20:ee64', '10 0014:4fff:ff20:ee64'],
  ['L64', '10 2001:0db8:1140:1000', '10 2001:0db8:1140:1000'],
  ['L32', '10 10.1.2.0', '10 10.1.2.0'],
  ['LP', '10 L64-subnet', '10 l64-subnet.example.com.'],
  ['DOA', '0 1 2 text/plain aGk=', '0 1 2 "text/plain" aGk='],
  ['DOA', '0 1 2 "" -', '0 1 2 "" -'],
  ['AMTRELAY', '10 0 1 192.0.2.15', '10 0 1 192.0.2.15'],
  ['AMTRELAY', '128 1 3 Relay', '128 1 3 relay.example.com.'],
  ['AMTRELAY', '0 1 0 .', '0 1 0 .'],
  ['IPN', '18446744073709551615', '18446744073709551615'],
  ['IPN', '007', '7'],
  ['TA', '1 8 253 AB', '1 8 253 ab'],
  ['DLV', `1 8 2 ${'AB'.repeat(32)}`, `1 8 2 ${'ab'.repeat(32)}`],
]

type Bytes = fc.Arbitrary<readonly number[]>

const bytes = (least: number, most = least): Bytes =>
  fc.uint8Array({ minLength: least, maxLength: most }).map((array) => [...array])
const oneOf = (...values: number[]): Bytes => fc.constantFrom(...values).map((value) => [value])
const sequence = (...parts: Bytes[]): Bytes => fc.tuple(...parts).map((parsed) => parsed.flat())
const several = (part: Bytes, most = 4): Bytes => fc.array(part, { maxLength: most }).map((parts) => parts.flat())
const counted = (part: Bytes): Bytes => part.map((value) => [value.length, ...value])
const number16 = (value: number): number[] => [value >> 8, value & 0xff]
const number32 = (value: number): number[] => [...number16(Math.floor(value / 0x10000)), ...number16(value % 0x10000)]

const numberBut = (excluded: number): Bytes => bytes(1).map(([value]) => [value === excluded ? 0 : (value ?? 0)])
const [u8, u16, u32] = [bytes(1), bytes(2), bytes(4)]
const host: Bytes = hostName.map((name) => [...nameToWire(name)])
const domain: Bytes = fc.oneof(
  host,
  anyName.map((name) => [...nameToWire(name)]),
)
const text = counted(bytes(0, 30))
const rest = bytes(1, 40)
const letters = (value: string): number[] => [...Buffer.from(value)]
const rule = counted(fc.constantFrom('', '!^.*$!x!i', '/(a)\\/(b)/\\2\\1/').map(letters))

const typeBitmap: Bytes = fc
  .uniqueArray(fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 65535 })), { maxLength: 12 })
  .map((types) =>
    [
      ...Map.groupBy(
        types.sort((a, b) => a - b),
        (type) => type >> 8,
      ),
    ].flatMap(([window, members]) => {
      const bitmap = new Array<number>((((members.at(-1) ?? 0) & 0xff) / 8 + 1) >> 0).fill(0)
      for (const type of members) bitmap[(type & 0xff) >> 3] = (bitmap[(type & 0xff) >> 3] ?? 0) | (0x80 >> (type & 7))
      return [window, bitmap.length, ...bitmap]
    }),
  )

const extent: Bytes = fc.oneof(
  fc.constant([0]),
  fc.tuple(fc.integer({ min: 1, max: 9 }), fc.nat(9)).map(([digit, power]) => [digit * 16 + power]),
)
const angle = (degrees: number): Bytes =>
  fc.integer({ min: -degrees * 3_600_000, max: degrees * 3_600_000 }).map((value) => number32(value + 0x80000000))

const network: Bytes = fc
  .tuple(fc.constantFrom(4, 16), fc.boolean(), fc.nat(32), fc.uint8Array({ maxLength: 4 }))
  .map(([size, isNegated, prefix, address]) => {
    const kept = [...address].slice(0, address.findLastIndex((byte) => byte !== 0) + 1)
    return [0, size === 4 ? 1 : 2, prefix, kept.length | (isNegated ? 0x80 : 0), ...kept]
  })

const protocols = fc.array(counted(bytes(1, 8)), { minLength: 1, maxLength: 3 }).map((parts) => parts.flat())
const paramValues: readonly (readonly [key: number, value: Bytes])[] = [
  [
    1,
    fc
      .array(counted(fc.stringMatching(/^[a-z0-9/.,\\ -]{1,8}$/).map(letters)), { minLength: 1, maxLength: 3 })
      .map((parts) => parts.flat()),
  ],
  [2, fc.constant([])],
  [3, u16],
  [4, fc.array(bytes(4), { minLength: 1, maxLength: 3 }).map((parts) => parts.flat())],
  [5, rest],
  [6, fc.array(bytes(16), { minLength: 1, maxLength: 3 }).map((parts) => parts.flat())],
  [7, fc.stringMatching(/^[a-zä./]{0,6}$/).map((tail) => letters(`/q{?dns}${tail}`))],
  [8, fc.constant([])],
  [9, fc.array(u16, { minLength: 1, maxLength: 3 }).map((parts) => parts.flat())],
  [10, fc.oneof(fc.constant([]), protocols)],
  [11, fc.constant([])],
  [
    12,
    fc
      .array(
        sequence(
          counted(fc.stringMatching(/^[a-z0-9-]{1,6}$/).map(letters)),
          fc.nat(100).map((weight) => [weight]),
        ),
        { minLength: 1, maxLength: 3 },
      )
      .map((parts) => parts.flat()),
  ],
  [667, bytes(0, 20)],
  [65534, bytes(0, 20)],
]
/** Some of the parameters, always including an alpn, and a mandatory list of some of them. */
const svcParams: Bytes = fc
  .tuple(fc.shuffledSubarray([...paramValues.slice(1)]), fc.nat(3))
  .chain(([chosen, mandatoryCount]) => {
    const params = [...paramValues.slice(0, 1), ...chosen].sort(([a], [b]) => a - b)
    const mandatory = params.slice(0, mandatoryCount).flatMap(([key]) => number16(key))
    const all = mandatory.length === 0 ? params : [[0, fc.constant(mandatory)] as const, ...params]
    return sequence(
      ...all.map(([key, value]) => value.map((data) => [...number16(key), ...number16(data.length), ...data])),
    )
  })
const svcb = sequence(u16, host, fc.oneof(fc.constant([]), svcParams))

const preferredHost = sequence(u16, host)
const key = fc.oneof(
  sequence(u16, u8, numberBut(253), rest),
  sequence(u16, u8, oneOf(253), domain, rest),
  sequence(u16, u8, oneOf(254), rest),
)
const digest = sequence(
  u16,
  u8,
  fc.oneof(
    sequence(oneOf(1), bytes(20)),
    sequence(oneOf(2, 3, 5, 6), bytes(32)),
    sequence(oneOf(4), bytes(48)),
    sequence(oneOf(253, 254), rest),
  ),
)
const decimal = (highest: number): Bytes =>
  counted(fc.integer({ min: -highest * 10, max: highest * 10 }).map((tenths) => letters(String(tenths / 10))))
const strings = sequence(text, several(text))
/** A gateway's type, some bytes, and the gateway. */
const gateway = (between: Bytes, flag = 0): Bytes =>
  fc.oneof(
    sequence(oneOf(0, flag), between),
    sequence(oneOf(1, flag | 1), between, bytes(4)),
    sequence(oneOf(2, flag | 2), between, bytes(16)),
    sequence(oneOf(3, flag | 3), between, host),
  )
/** Ensures that the last byte is allowed. */
const bitmap = (most: number): Bytes =>
  fc.oneof(
    fc.constant([]),
    sequence(
      bytes(0, most - 1),
      fc.integer({ min: 1, max: 255 }).map((last) => [last]),
    ),
  )
const suffix: Bytes = fc.integer({ min: 0, max: 128 }).chain((prefix) => {
  const suffixBytes = bytes(16 - (prefix >> 3)).map(([first, ...others]) =>
    first === undefined ? [] : [first & (0xff >> (prefix & 7)), ...others],
  )
  return sequence(fc.constant([prefix]), suffixBytes, prefix === 0 ? fc.constant([]) : domain)
})

/** Arbitrary data of each type in wire form, without anything that customers may not write. */
export const anyDataOf: ReadonlyMap<RrType, fc.Arbitrary<Uint8Array>> = new Map(
  (
    [
      [RrType.A, bytes(4)],
      [RrType.NS, host],
      [RrType.MD, domain],
      [RrType.MF, domain],
      [RrType.CNAME, domain],
      [RrType.ALIAS, host],
      [RrType.SOA, sequence(domain, domain, bytes(20))],
      [RrType.MB, domain],
      [RrType.MG, domain],
      [RrType.MR, domain],
      [RrType.PTR, domain],
      [RrType.HINFO, sequence(text, text)],
      [RrType.MINFO, sequence(domain, domain)],
      [RrType.MX, preferredHost],
      [RrType.TXT, sequence(text, several(text))],
      [RrType.RP, sequence(domain, domain)],
      [RrType.AFSDB, preferredHost],
      [RrType.RT, preferredHost],
      [RrType.PX, sequence(u16, domain, domain)],
      [RrType.AAAA, bytes(16)],
      [RrType.LOC, sequence(fc.constant([0]), extent, extent, extent, angle(90), angle(180), u32)],
      [RrType.SRV, sequence(bytes(6), host)],
      [RrType.NAPTR, sequence(u16, u16, text, text, rule, domain)],
      [RrType.KX, preferredHost],
      [RrType.CERT, sequence(u16, u16, u8, rest)],
      [RrType.DNAME, domain],
      [RrType.APL, several(network)],
      [RrType.DS, digest],
      [RrType.SSHFP, sequence(u8, oneOf(0, 9), rest)],
      [RrType.RRSIG, sequence(oneOf(0), oneOf(1, 28, 250), bytes(16), domain, rest)],
      [RrType.NSEC, sequence(domain, typeBitmap)],
      [RrType.DNSKEY, key],
      [RrType.NSEC3, sequence(u8, u8, u16, text, counted(bytes(1, 30)), typeBitmap)],
      [RrType.NSEC3PARAM, sequence(u8, u8, u16, text)],
      [RrType.TLSA, sequence(u8, u8, u8, rest)],
      [RrType.SMIMEA, sequence(u8, u8, u8, rest)],
      [RrType.CDS, digest],
      [RrType.CDNSKEY, key],
      [RrType.OPENPGPKEY, rest],
      [RrType.CSYNC, sequence(u32, u16, typeBitmap)],
      [RrType.ZONEMD, sequence(u32, u8, oneOf(0, 1), bytes(48))],
      [RrType.SVCB, svcb],
      [RrType.HTTPS, svcb],
      [RrType.EUI48, bytes(6)],
      [RrType.EUI64, bytes(8)],
      [RrType.URI, sequence(u16, u16, rest)],
      [
        RrType.CAA,
        sequence(
          u8,
          fc.constantFrom('issue', 'iodef').map((word) => [word.length, ...letters(word)]),
          bytes(1, 30),
        ),
      ],
      [RrType.WKS, sequence(bytes(5), bitmap(200))],
      [RrType.X25, counted(fc.stringMatching(/^\d{4,15}$/).map(letters))],
      [RrType.ISDN, fc.oneof(text, sequence(text, text))],
      [RrType.NSAP, rest],
      [RrType['NSAP-PTR'], domain],
      [RrType.SIG, sequence(oneOf(0), oneOf(1, 28, 250), bytes(16), domain, rest)],
      [
        RrType.KEY,
        fc.oneof(
          sequence(oneOf(0, 1, 2, 0x80), u8, u8, numberBut(253), rest),
          sequence(oneOf(0, 0x40), u8, u8, oneOf(253), domain, rest),
        ),
      ],
      [RrType.RKEY, key.map(([, , ...others]) => [0, 0, ...others])],
      [RrType.GPOS, sequence(decimal(180), decimal(90), decimal(9000))],
      [
        RrType.NXT,
        sequence(
          domain,
          bitmap(16).map(([first, ...others]) => (first === undefined ? [] : [first & 0x7f || 1, ...others])),
        ),
      ],
      [RrType.EID, rest],
      [RrType.NIMLOC, rest],
      [
        RrType.ATMA,
        fc.oneof(sequence(oneOf(0), rest), sequence(oneOf(1), fc.stringMatching(/^\d{1,15}$/).map(letters))),
      ],
      [RrType.A6, suffix],
      [RrType.SINK, sequence(u8, u8, u8, bytes(0, 40))],
      [RrType.IPSECKEY, sequence(u8, gateway(oneOf(1, 2)), rest)],
      [RrType.DHCID, rest],
      [
        RrType.HIP,
        fc
          .tuple(bytes(1, 20), u8, rest, several(host))
          .map(([tag, algorithm, key, hosts]) => [tag.length, ...algorithm, 0, key.length, ...tag, ...key, ...hosts]),
      ],
      [RrType.NINFO, strings],
      [RrType.SPF, strings],
      [RrType.AVC, strings],
      [RrType.RESINFO, strings],
      [RrType.WALLET, strings],
      [RrType.CLA, strings],
      [RrType.TALINK, sequence(domain, domain)],
      [RrType.DSYNC, sequence(oneOf(0), oneOf(59, 62), u8, u16, host)],
      [RrType.HHIT, rest],
      [RrType.BRID, rest],
      [RrType.NID, bytes(10)],
      [RrType.L64, bytes(10)],
      [RrType.L32, bytes(6)],
      [RrType.LP, sequence(u16, host)],
      [RrType.DOA, sequence(bytes(9), text, bytes(0, 40))],
      [RrType.AMTRELAY, sequence(u8, gateway(fc.constant([]), 0x80))],
      [RrType.IPN, bytes(8)],
      [RrType.TA, digest],
      [RrType.DLV, digest],
      [RrType.NULL, rest],
      [toType(103), bytes(0, 40)],
      [toType(65400), bytes(0, 40)],
    ] as const
  ).map(([type, data]) => [type, data.map((array) => Uint8Array.from(array))]),
)

/** The parsed value, or undefined: wire data may contain values that customers may not write, such as an address as a host name. */
export function orRefused<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (fault) {
    if (fault instanceof DnsFault && fault.code === 'bad_rdata') return undefined
    throw fault
  }
}

/** Types that no customer publishes. The service creates them itself, or will when it signs zones, and publishes addresses for ALIAS. */
export const unwrittenTypes: ReadonlySet<RrType> = new Set([
  RrType.SOA,
  RrType.RRSIG,
  RrType.NSEC,
  RrType.NSEC3,
  RrType.NSEC3PARAM,
  RrType.ALIAS,
])

/**
 * This many different values of a type that a customer may write, in the form in which new values are written: generated values, and values from
 * data in which bytes are cut off, added or changed.
 *
 * @throws Error for a type without generated data
 */
export function writableValues(type: RrType, count: number): string[] {
  const anyData = anyDataOf.get(type)
  if (anyData === undefined) throw new Error(`${typeToText(type)} has no line in anyDataOf`)
  const spoiled = fc
    .tuple(anyData, fc.nat(), fc.integer({ min: 0, max: 255 }), fc.uint8Array({ maxLength: 2 }), fc.nat(2))
    .map(([data, at, byte, more, cut]) => {
      const kept = data.slice(0, Math.max(0, data.length - cut))
      if (kept.length > 0) kept[at % kept.length] = byte
      return Uint8Array.from([...kept, ...more])
    })
  const values = new Set<string>()
  for (let seed = 1; values.size < count; seed++) {
    if (seed > 200) throw new Error(`${typeToText(type)} has ${values.size} different values`)
    for (const data of fc.sample(fc.oneof(anyData, spoiled), { numRuns: count, seed })) {
      const value = orRefused(() => recordValue(type, `\\# ${data.length} ${toHex(data)}`, sampleZone))
      if (value !== undefined && values.size < count) values.add(printedValue(type, value))
    }
  }
  return [...values]
}

const sampleZone = parseName('values.test.')
