import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addressText, isWhole, parseAddress, withPrefix } from './addresses.ts'

test('reads addresses with and without a prefix length', () => {
  const cases: [text: string, family: string, address: string, bits: number][] = [
    ['203.0.113.9', 'A', '203.0.113.9', 32],
    ['203.0.113.9/32', 'A', '203.0.113.9', 32],
    ['203.0.113.0/24', 'A', '203.0.113.0', 24],
    ['0.0.0.0/0', 'A', '0.0.0.0', 0],
    ['2001:DB8::1', 'AAAA', '2001:db8::1', 128],
    ['2001:db8:0:0:0:0:0:1', 'AAAA', '2001:db8::1', 128],
    ['2001:db8:1:2::/64', 'AAAA', '2001:db8:1:2::', 64],
    ['2001:db8:1:2::5/56', 'AAAA', '2001:db8:1:2::5', 56],
    ['::ffff:203.0.113.9', 'A', '203.0.113.9', 32],
  ]
  for (const [text, family, address, bits] of cases) {
    const parsed = parseAddress(text) ?? assert.fail(text)
    assert.deepEqual([parsed.family, addressText(parsed), parsed.bits], [family, address, bits], text)
    assert.equal(isWhole(parsed), bits === parsed.bytes.length * 8)
  }
})

test('anything else is not an address', () => {
  const invalid = [
    '',
    ' ',
    '203.0.113',
    '203.0.113.256',
    '203.0.113.09',
    '203.0.113.9/33',
    '203.0.113.9/',
    '203.0.113.9/-1',
  ]
  invalid.push(
    '2001:db8::1/129',
    '2001:db8::1%eth0',
    '[2001:db8::1]',
    'home.example.com',
    '0x7f.1',
    '203.0.113.9:80',
    '1.2.3.4/8/8',
  )
  invalid.push('<ipaddr>', '::ffff:203.0.113.9/97')
  for (const text of invalid) assert.equal(parseAddress(text), undefined, text)
})

test('a prefix replaces the first bits of each address of a host', () => {
  const cases: [prefix: string, existing: string[], expected: string[] | undefined][] = [
    ['2001:db8:1:2::/64', ['2001:db8:9:9::5'], ['2001:db8:1:2::5']],
    ['2001:db8:1:2::/64', ['2001:db8:9:9::5', '2001:db8:9:9:a:b:c:d'], ['2001:db8:1:2::5', '2001:db8:1:2:a:b:c:d']],
    ['2001:db8:1:2::/64', ['2001:db8:8:8::5', '2001:db8:9:9::5'], ['2001:db8:1:2::5']],
    ['2001:db8:1:200::/56', ['2001:db8:9:977::5'], ['2001:db8:1:277::5']],
    ['2001:db8:1:2ff::/60', ['2001:db8:9:977::5'], ['2001:db8:1:2f7::5']],
    ['198.51.100.0/24', ['203.0.113.9'], ['198.51.100.9']],
    ['198.51.100.77/24', ['203.0.113.9'], ['198.51.100.9']],
    ['2001:db8:1:2::5/64', [], ['2001:db8:1:2::5']],
    ['2001:db8:1:2::/64', [], undefined],
    ['198.51.100.0/24', [], undefined],
    ['198.51.100.7/24', [], ['198.51.100.7']],
    ['::/0', ['2001:db8::5'], ['2001:db8::5']],
  ]
  for (const [prefix, existing, expected] of cases)
    assert.deepEqual(withPrefix(parseAddress(prefix) ?? assert.fail(prefix), existing), expected, prefix)
})

test('after a prefix change, every address has the bits of the prefix and its own remaining bits', () => {
  const sixteen = fc.uint8Array({ minLength: 16, maxLength: 16 })
  const property = fc.property(sixteen, sixteen, fc.integer({ min: 0, max: 128 }), (prefix, own, bits) => {
    const binary = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
    const [moved = ''] = withPrefix({ family: 'AAAA', bytes: prefix, bits }, [addressText({ bytes: own })]) ?? []
    const bytes = parseAddress(moved)?.bytes ?? assert.fail(moved)
    // An IPv4-mapped address would be read as IPv4.
    fc.pre(bytes.length === 16)
    assert.equal(binary(bytes), binary(prefix).slice(0, bits) + binary(own).slice(bits))
  })
  fc.assert(property)
})
