import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { toHex } from './hex.ts'
import { type DomainName, maxNameBytes, nameBytes, parseName } from './name.ts'
import { parseRdata } from './rdata.ts'
import { anyDataOf, orRefused } from './rdata-samples.test.ts'
import { ownerName, recordValue } from './record-rules.ts'
import type { RrType } from './type.ts'

const origin = parseName('example.com.')

const owner = (text: string, zone: DomainName): string => ownerName(text, zone, () => '')

test('an owner name of any length is read in the form in which it is given out', () => {
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

test('an owner name without a trailing dot is a whole name if it ends in the zone’s, else relative', () => {
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

/** Some name of so many bytes in a zone; none is one byte longer than another. */
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

test('any bytes of any type in the generic form are refused or kept in a text that can be read', () => {
  let keptCount = 0
  fc.assert(
    fc.property(typedData, fc.uint8Array({ maxLength: 3 }), fc.nat(3), ([type, data], more, cut) => {
      const bytes = Uint8Array.from([...data.subarray(0, data.length - cut), ...more])
      const kept = orRefused(() => recordValue(type, `\\# ${bytes.length} ${toHex(bytes)}`, origin))
      if (kept === undefined) return
      assert.doesNotThrow(() => parseRdata(type, kept))
      assert.equal(recordValue(type, kept, origin), kept)
      keptCount++
    }),
    { numRuns: 20_000 },
  )
  assert.ok(keptCount > 5_000, `${keptCount} were kept`)
})

/** A type and good data of it. */
const typedData: fc.Arbitrary<[RrType, Uint8Array]> = fc.oneof(
  ...Array.from(anyDataOf, ([type, anyData]) => anyData.map((data): [RrType, Uint8Array] => [type, data])),
)
