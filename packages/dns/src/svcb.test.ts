import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DnsFault } from './faults.ts'
import { toHex } from './hex.ts'
import { parseName } from './name.ts'
import { canonicalRdata, parseRdata, rdataToText } from './rdata.ts'
import { expandRdata, namesIn } from './rdata-wire.ts'
import { RrType } from './type.ts'
import { WireReader } from './wire-reader.ts'

const origin = parseName('example.com.')
const fooExampleCom = '03666f6f076578616d706c6503636f6d00'
const fooExampleOrg = '03666f6f076578616d706c65036f726700'

/** The test vectors of RFC 9460 §D.1 and §D.2. */
for (const [written, hex] of [
  ['0 foo.example.com.', `0000${fooExampleCom}`],
  ['1 .', '000100'],
  ['16 foo.example.com. port=53', `0010${fooExampleCom}000300020035`],
  ['1 foo.example.com. key667=hello', `0001${fooExampleCom}029b000568656c6c6f`],
  ['1 foo.example.com. key667="hello\\210qoo"', `0001${fooExampleCom}029b000968656c6c6fd2716f6f`],
  [
    '1 foo.example.com. ( ipv6hint="2001:db8::1,2001:db8::53:1" )',
    `0001${fooExampleCom}0006002020010db800000000000000000000000120010db8000000000000000000530001`,
  ],
  [
    '1 example.com. ipv6hint="2001:db8:122:344::192.0.2.33"',
    '0001076578616d706c6503636f6d000006001020010db80122034400000000c0000221',
  ],
  [
    '16 foo.example.org. alpn=h2,h3-19 mandatory=ipv4hint,alpn ipv4hint=192.0.2.1',
    `0010${fooExampleOrg}0000000400010004000100090268320568332d313900040004c0000201`,
  ],
  ['16 foo.example.org. alpn="f\\\\\\\\oo\\\\,bar,h2"', `0010${fooExampleOrg}0001000c08665c6f6f2c626172026832`],
  ['16 foo.example.org. alpn=f\\\\\\092oo\\092,bar,h2', `0010${fooExampleOrg}0001000c08665c6f6f2c626172026832`],
] as const) {
  test(`SVCB \`${written}\` has the bytes of RFC 9460 §D`, () => {
    const data = parseRdata(RrType.SVCB, written)
    assert.equal(toHex(data), hex)
    assert.deepEqual(parseRdata(RrType.SVCB, rdataToText(RrType.SVCB, data)), data)
  })
}

for (const [written, said] of [
  // The refusals of RFC 9460 §D.3.
  ['1 foo.example.com. key123=abc key123=def', 'key123 is given twice'],
  ['1 foo.example.com. mandatory', 'a value is missing'],
  ['1 foo.example.com. alpn', 'a value is missing'],
  ['1 foo.example.com. port', 'a value is missing'],
  ['1 foo.example.com. ipv4hint', 'a value is missing'],
  ['1 foo.example.com. ipv6hint', 'a value is missing'],
  ['1 foo.example.com. no-default-alpn=abc', '`abc` is too much'],
  ['1 foo.example.com. mandatory=key123', 'key123 is mandatory and not given'],
  ['1 foo.example.com. mandatory=mandatory', 'must not be listed itself'],
  ['1 foo.example.com. mandatory=key123,key123 key123=abc', 'a key is listed twice'],
  ['1 foo.example.com. tls-supported-groups=29,23,29', 'the group 29 is listed twice'],
  ['1 foo.example.com. tls-supported-groups=65536', '`65536` is not a group from 0 to 65535'],
  ['1 foo.example.com. tls-supported-groups=x25519', '`x25519` is not a group from 0 to 65535'],
  // Others.
  ['1', 'a value is missing'],
  ['65536 .', 'not a number from 0 to 65535'],
  ['1 192.0.2.1', 'is an address, not a name'],
  ['1 . no-default-alpn', 'no-default-alpn needs an alpn'],
  ['1 . alpn=', 'a value is missing'],
  ['1 . alpn=h2,,h3', 'a protocol is empty'],
  [`1 . alpn=${'x'.repeat(256)}`, 'longer than 255 bytes'],
  ['1 . alpn="a\\\\b"', 'a backslash is not before a comma'],
  ['1 . alpn="a\\\\"', 'a backslash is not before a comma'],
  ['1 . alpn=a"b"', 'in quotes as a whole'],
  ['1 . "alpn=h2"', 'quoted after the ='],
  ['1 . port=80,443', 'the port `80,443` is not a number'],
  ['1 . port=65536', 'not a number from 0 to 65535'],
  ['1 . ipv4hint=192.0.2.1,', 'is not an IPv4 address'],
  ['1 . ipv4hint=2001:db8::1', 'is not an IPv4 address'],
  ['1 . ipv6hint=192.0.2.1', 'is not an IPv6 address'],
  ['1 . ech=', 'is not padded base 64'],
  ['1 . ech=AAA', 'is not padded base 64'],
  ['1 . dohpath=/dns-query', 'is not a path such as'],
  ['1 . dohpath=dns-query{?dns}', 'is not a path such as'],
  ['1 . ohttp=yes', '`yes` is too much'],
  ['1 . ALPN=h2', '`ALPN` is not a parameter'],
  ['1 . key01=a', '`key01` is not a parameter'],
  ['1 . key65536=a', '`key65536` is not a parameter'],
  ['1 . =a', '`` is not a parameter'],
  ['1 . key1=h2', 'these are not the bytes of a value of alpn'],
  ['1 . key3=abc', 'these are not the bytes of a value of port'],
  ['1 . key1="\\002h2" alpn=h3', 'alpn is given twice'],
  ['1 . key667="\\999"', 'three digits up to 255'],
] as const) {
  test(`SVCB \`${written.slice(0, 60)}\` is refused: ${said}`, () => {
    assert.throws(
      () => parseRdata(RrType.SVCB, written, origin),
      (fault: unknown) => fault instanceof DnsFault && fault.code === 'bad_rdata' && fault.message.includes(said),
    )
  })
}

test('parameters are in the order of their keys, and their values are as short as possible', () => {
  for (const [written, canonical] of [
    ['1 . port=0443 ipv4hint="192.0.2.1" alpn=h2', '1 . alpn="h2" port=443 ipv4hint=192.0.2.1'],
    ['1 . ipv4hint=192.0.2.2,192.0.2.1', '1 . ipv4hint=192.0.2.2,192.0.2.1'],
    ['1 . ipv6hint=2001:0DB8::0001', '1 . ipv6hint=2001:db8::1'],
    ['1 . alpn="\\104\\050" mandatory="alpn"', '1 . mandatory=alpn alpn="h2"'],
    ['1 . alpn=h2 no-default-alpn=""', '1 . alpn="h2" no-default-alpn'],
    ['1 . ech="AEj+DQ=="', '1 . ech=AEj+DQ=='],
    ['1 . key667= key666="" key9', '1 . key9 key666 key667'],
    ['1 . key1="\\002h2" key3="\\001\\187" key8', '1 . alpn="h2" port=443 ohttp'],
    ['1 . mandatory=key4,key1 alpn=h2 ipv4hint=192.0.2.1', '1 . mandatory=alpn,ipv4hint alpn="h2" ipv4hint=192.0.2.1'],
    ['1 . key667=a\\"b\\ c', '1 . key667="a\\"b c"'],
    ['0 foo alpn=h2', '0 foo.example.com. alpn="h2"'],
  ] as const) {
    assert.equal(canonicalRdata(RrType.HTTPS, written, origin), canonical)
    assert.equal(canonicalRdata(RrType.HTTPS, canonical), canonical)
  }
})

test('parameters from the wire must be in order and have the form of their key', () => {
  const isRead = (hex: string): boolean => {
    const wire = Buffer.from(`000100${hex}`, 'hex')
    try {
      expandRdata(RrType.SVCB, WireReader.ofMessage(wire))
      return true
    } catch (fault) {
      assert.ok(fault instanceof DnsFault && fault.code === 'bad_message')
      return false
    }
  }
  for (const good of ['00030002003500040004c0000201', '000000020001', '0001000302683200020000', '029b0000']) {
    assert.equal(isRead(good), true, good)
  }
  for (const bad of [
    '00040004c0000201000300020035', // The order of keys.
    '000300020035000300020035', // One twice.
    '0003000100', // A port of one byte.
    '00030003000001', // And of three.
    '00010000', // No protocol.
    '0001000100', // An empty one.
    '000100020568', // One cut short.
    '0002000100', // A value where none may be.
    '00000000', // Nothing mandatory.
    '0000000400040001', // Mandatory keys out of order.
    '000000020000', // `mandatory` itself.
    '00040003c00002', // Part of an address.
    '00040000', // No address.
    '029b000568', // A value cut short.
    '0003', // A key alone.
  ]) {
    assert.equal(isRead(bad), false, bad)
  }
})

test('contradictory parameters are refused from customers and passed on from other servers', () => {
  const wire = Buffer.from('000100000000020004', 'hex')
  const data = expandRdata(RrType.SVCB, WireReader.ofMessage(wire))
  assert.equal(rdataToText(RrType.SVCB, data), '1 . mandatory=ipv4hint')
  assert.throws(() => parseRdata(RrType.SVCB, '1 . mandatory=ipv4hint'), { code: 'bad_rdata' })
})

test('a target from the wire keeps its case, and its name is found', () => {
  const wire = Uint8Array.of(0, 1, 1, 0x41, 0)
  const data = expandRdata(RrType.HTTPS, WireReader.ofMessage(wire))
  assert.deepEqual(data, wire)
  assert.deepEqual(namesIn(RrType.HTTPS, data), ['a.'])
  const compressed = WireReader.ofMessage(Uint8Array.of(0, 0, 0, 1, 0xc0, 0))
  compressed.skip(2)
  assert.throws(() => expandRdata(RrType.HTTPS, compressed), /compressed/)
})
