import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyLabelBytes, anyName } from './arbitraries.test.ts'
import { DnsFault } from './faults.ts'
import {
  type DomainName,
  isDomainName,
  isHostName,
  isWildcard,
  isWithin,
  joinName,
  labelsOf,
  parentOf,
  parseName,
  rootName,
} from './name.ts'
import { compareNames } from './name-order.ts'
import { nameFromWire, nameToWire } from './name-wire.ts'
import { WireReader } from './wire-reader.ts'

const example = parseName('example.com.')

test('converts a name to lower case and completes it with the origin', () => {
  assert.equal(parseName('WWW.Example.COM.'), 'www.example.com.')
  assert.equal(parseName('www', example), 'www.example.com.')
  assert.equal(parseName('@', example), 'example.com.')
  assert.equal(parseName('com', rootName), 'com.')
  assert.equal(parseName('0/25.2.0.192', example), '0/25.2.0.192.example.com.')
})

test('normalizes escapes to one form', () => {
  assert.equal(parseName('a\\046b.example.'), 'a\\.b.example.')
  assert.equal(parseName('\\065\\b.example.'), 'ab.example.')
  assert.equal(parseName('a\\ b\\000.example.'), 'a\\032b\\000.example.')
})

for (const [text, why] of [
  ['', 'empty'],
  ['a..b.', 'an empty label'],
  ['.a.', 'an empty label'],
  ['www', 'end the name with a dot'],
  [`${'a'.repeat(64)}.`, ''],
  [`${'a'.repeat(64)}/.`, 'longer than 63 bytes'],
  [`${'abcdefg.'.repeat(32)}`, 'longer than 255 bytes'],
  ['bücher.example.', 'xn--'],
  ['\\é.example.', 'xn--'],
  ['\\300.example.', 'three digits up to 255'],
  ['a b.example.', 'must be escaped'],
  ['a\\', 'a backslash takes'],
] as const) {
  test(`\`${text.slice(0, 20)}\` is refused as a name`, () => {
    assert.throws(
      () => parseName(text),
      (fault: unknown) => {
        return fault instanceof DnsFault && fault.code === 'bad_name' && fault.message.includes(why)
      },
    )
    assert.equal(isDomainName(text), false)
  })
}

test('a name has at most 255 bytes', () => {
  const longest = `${`${'a'.repeat(63)}.`.repeat(3)}${'b'.repeat(61)}.`
  assert.equal(nameToWire(parseName(longest)).length, 255)
  assert.equal(isDomainName(`b${longest}`), false)
})

test('every name survives the wire form, and its text parses to itself', () => {
  fc.assert(
    fc.property(anyName, (name) => {
      assert.equal(nameFromWire(nameToWire(name)), name)
      assert.equal(parseName(name), name)
    }),
  )
})

test('joining the first label of a name and its parent gives the name', () => {
  fc.assert(
    fc.property(anyName, (name) => {
      const [label] = labelsOf(name)
      if (label === undefined) assert.equal(parentOf(name), rootName)
      else assert.equal(joinName(label, parentOf(name)), name)
      assert.ok(isWithin(name, parentOf(name)))
    }),
  )
})

test('an escaped dot does not put a name below another name', () => {
  assert.equal(isWithin(parseName('www\\.example.com.'), example), false)
  assert.equal(isWithin(parseName('www\\\\.example.com.'), example), true)
  assert.equal(isWithin(parseName('badexample.com.'), example), false)
  assert.equal(isWithin(example, example), true)
  assert.equal(isWithin(example, rootName), true)
})

test('names sort in the order of the example in RFC 4034', () => {
  const sorted = [
    'example.',
    'a.example.',
    'yljkjljk.a.example.',
    'z.a.example.',
    'zabc.a.example.',
    'z.example.',
    '\\001.z.example.',
    '*.z.example.',
    '\\200.z.example.',
  ].map((text) => parseName(text))
  assert.deepEqual([...sorted].reverse().sort(compareNames), sorted)
})

test('names sort by the bytes of their labels', () => {
  fc.assert(
    fc.property(anyLabelBytes, anyLabelBytes, (a, b) => {
      const [first, second] = [a, b].map((label) => nameFromWire(Uint8Array.of(label.length, ...label, 0)))
      const lower = (bytes: Uint8Array) => bytes.map((byte) => (byte >= 65 && byte <= 90 ? byte + 32 : byte))
      const expected = Math.sign(Buffer.compare(lower(a), lower(b)))
      assert.equal(compareNames(first as DomainName, second as DomainName), expected)
    }),
  )
})

/** Reads a name of a message at an offset. `next` is the offset after it. */
function nameIn(message: Uint8Array, offset: number): { name: DomainName; next: number } {
  const reader = WireReader.ofMessage(message)
  reader.skip(offset)
  return { name: reader.name(), next: reader.at }
}

test('a compression pointer must point backward', () => {
  const refuses = (...bytes: number[]) => {
    assert.throws(() => nameIn(Uint8Array.from(bytes), 0), { code: 'bad_message' })
  }
  refuses(0xc0, 0x00)
  refuses(0xc0, 0x02, 0)
  refuses(1, 0x61, 0xc0, 0x00)
  refuses(1, 0x61)
  refuses(5, 0x61)
  refuses(0x40)
  refuses()
  assert.deepEqual(nameIn(Uint8Array.of(1, 0x41, 0, 1, 0x62, 0xc0, 0), 3), { name: 'b.a.', next: 7 })
  assert.throws(() => nameFromWire(Uint8Array.of(0, 0xc0, 0), 1), { code: 'bad_name' })
})

test('rejects a long chain of compression pointers', () => {
  const chain = new Uint8Array(1000)
  for (let at = 2; at < 1000; at += 2) chain.set([0xc0 | ((at - 2) >> 8), (at - 2) & 0xff], at)
  assert.throws(() => nameIn(chain, 998), { code: 'bad_message' })
})

test('a host name consists of letters, digits and inner hyphens', () => {
  assert.equal(isHostName(parseName('a-1.example.com.')), true)
  for (const text of ['_sip.example.com.', '-a.example.com.', 'a-.example.com.', '*.example.com.', '.']) {
    assert.equal(isHostName(parseName(text)), false)
  }
  assert.equal(isWildcard(parseName('*.example.com.')), true)
  assert.equal(isWildcard(parseName('*a.example.com.')), false)
})
