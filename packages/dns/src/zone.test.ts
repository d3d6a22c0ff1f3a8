import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hostName } from './arbitraries.test.ts'
import { diffRrsets } from './diff.ts'
import { type DomainName, parseName } from './name.ts'
import { rdataToText } from './rdata.ts'
import { groupRecords, type Rrset, recordsOf } from './rrset.ts'
import { RrType } from './type.ts'
import { writeZoneFile } from './write-zone-file.ts'
import { Zone } from './zone.ts'
import { parseZoneFile } from './zone-file.ts'
import { example, linesOf, recordsFrom, soaLine, zoneFrom } from './zone-samples.test.ts'

const name = (text: string) => parseName(text, example)

test('the name of a record and all names above it exist, and no others', () => {
  const zone = zoneFrom(`${soaLine(1)}a.b.c A 192.0.2.1\n`)
  for (const existing of ['@', 'c', 'b.c', 'a.b.c']) assert.equal(zone.has(name(existing)), true)
  for (const missing of ['x', 'x.c', 'x.a.b.c']) assert.equal(zone.has(name(missing)), false)
  assert.deepEqual(zone.rrsetsAt(name('b.c')), [])
  assert.equal(zone.closestEncloser(name('x.y.b.c')), name('b.c'))
})

test('rrsets are in canonical order with the SOA first', () => {
  const zone = zoneFrom(
    `b A 192.0.2.1\n@ NS ns1\n@ A 192.0.2.9\n@ A 192.0.2.1\na.b A 192.0.2.1\n${soaLine(1)}a TXT x\n`,
  )
  assert.deepEqual(
    linesOf(zone.rrsets()).map((line) => line.split(' ').slice(0, 3).join(' ')),
    [
      'example.com. 3600 SOA',
      'example.com. 300 A',
      'example.com. 300 A',
      'example.com. 300 NS',
      'a.example.com. 300 TXT',
      'b.example.com. 300 A',
      'a.b.example.com. 300 A',
    ],
  )
  assert.equal(zone.recordCount, 7)
  assert.equal(zone.serial, 1)
})

test('a zone without a SOA has no serial', () => {
  assert.throws(() => zoneFrom('@ A 192.0.2.1\n').serial, { code: 'bad_zone' })
})

test('refuses an rrset that is outside the zone or given twice', () => {
  const rrsets = groupRecords(recordsFrom('www A 192.0.2.1\n'))
  assert.throws(() => Zone.fromRrsets(name('other'), rrsets), { code: 'out_of_zone' })
  assert.throws(() => Zone.fromRrsets(example, [...rrsets, ...rrsets]), { code: 'bad_zone' })
})

test('grouping records removes duplicates and uses the lowest TTL', () => {
  const rrsets = groupRecords(recordsFrom('www 60 A 192.0.2.2\nwww 30 A 192.0.2.1\nwww 90 A 192.0.2.2\n'))
  assert.deepEqual(linesOf(rrsets), ['www.example.com. 30 A 192.0.2.1', 'www.example.com. 30 A 192.0.2.2'])
})

const signature = (covers: string, ttl: number, tag: number) =>
  `a ${ttl} RRSIG ${covers} 13 2 ${ttl} 20300101000000 20200101000000 ${tag} example.com. AQPA\n`

/** The signatures of a, as `covered ttl tag`. */
const signaturesOf = (rrsets: Iterable<Rrset>) =>
  [...rrsets]
    .filter(({ type }) => type === RrType.RRSIG)
    .flatMap(recordsOf)
    .map(({ type, ttl, data }) => ({ ttl, words: rdataToText(type, data).split(' ') }))
    .map(({ ttl, words }) => `${words[0]} ${ttl} ${words[6]}`)

test('signatures keep their TTLs in zones, files and differences; duplicates get the lowest TTL', () => {
  const before = zoneFrom(
    `${soaLine(1)}${signature('A', 60, 1)}${signature('MX', 3600, 2)}${signature('TXT', 300, 3)}a 30 RRSIG A 13 2 60 20300101000000 20200101000000 1 example.com. AQPA\n`,
  )
  assert.deepEqual(signaturesOf(before.rrsets()), ['A 30 1', 'MX 3600 2', 'TXT 300 3'])
  const { records } = parseZoneFile(writeZoneFile(example, before.rrsets()), { origin: example })
  assert.deepEqual(signaturesOf(groupRecords(records)), ['A 30 1', 'MX 3600 2', 'TXT 300 3'])
  for (const [text, expected] of [
    [`${signature('A', 60, 1)}${signature('MX', 3600, 2)}`, ['A 60 1', 'MX 3600 2']],
    [
      `${signature('A', 30, 1)}${signature('AAAA', 86400, 4)}${signature('MX', 3600, 2)}`,
      ['A 30 1', 'MX 3600 2', 'AAAA 86400 4'],
    ],
    [signature('MX', 3600, 2), ['MX 3600 2']],
    [`${signature('MX', 5, 2)}${signature('TXT', 300, 3)}`, ['MX 5 2', 'TXT 300 3']],
    ['', []],
  ] as const) {
    const after = zoneFrom(`${soaLine(2)}${text}`)
    assert.deepEqual(signaturesOf(after.rrsets()), expected)
    const changed = Zone.fromRrsets(example, before.rrsets())
    changed.apply(diffRrsets(changed.rrsets(), after.rrsets()))
    assert.deepEqual(signaturesOf(changed.rrsets()), expected)
    changed.apply(diffRrsets(changed.rrsets(), before.rrsets()))
    assert.deepEqual(signaturesOf(changed.rrsets()), ['A 30 1', 'MX 3600 2', 'TXT 300 3'])
  }
})

test('names appear and disappear with their records', () => {
  const zone = zoneFrom(soaLine(1))
  const records = recordsFrom('a.b.c A 192.0.2.1\na.b.c A 192.0.2.2\n')
  zone.apply({ removed: [], added: records })
  assert.equal(zone.has(name('b.c')), true)
  zone.apply({ removed: records.slice(0, 1), added: [] })
  assert.equal(zone.recordCount, 2)
  zone.apply({ removed: records.slice(1), added: [] })
  assert.equal(zone.has(name('c')), false)
  assert.equal(zone.recordCount, 1)
})

test('a difference that does not fit the zone changes nothing', () => {
  const zone = zoneFrom(`${soaLine(1)}www A 192.0.2.1\n`)
  const before = linesOf(zone.rrsets())
  const good = recordsFrom('new A 192.0.2.1\n')
  const there = recordsFrom('www A 192.0.2.1\n')
  const missing = recordsFrom('www A 192.0.2.2\n')
  assert.throws(() => zone.apply({ removed: missing, added: good }), { code: 'bad_zone' })
  assert.throws(() => zone.apply({ removed: [], added: [...good, ...there] }), { code: 'bad_zone' })
  const foreign = recordsFrom('www A 192.0.2.1\n', parseName('example.net.'))
  assert.throws(() => zone.apply({ removed: [], added: [...good, ...foreign] }), { code: 'out_of_zone' })
  assert.deepEqual(linesOf(zone.rrsets()), before)
})

test('a changed TTL replaces the rrset', () => {
  const before = zoneFrom(`${soaLine(1)}www 60 A 192.0.2.1\nwww 60 A 192.0.2.2\n`)
  const after = zoneFrom(`${soaLine(2)}www 30 A 192.0.2.1\nwww 30 A 192.0.2.2\n`)
  const diff = diffRrsets(before.rrsets(), after.rrsets())
  assert.equal(diff.removed.length, 3)
  assert.deepEqual(linesOf(before.apply(diff).rrsets()), linesOf(after.rrsets()))
})

test('the names of a zone are in canonical order, and give the names before and after a name', () => {
  const zone = zoneFrom(`${soaLine(1)}b A 192.0.2.1\na.x.b A 192.0.2.1\n* A 192.0.2.1\n\\001.b A 192.0.2.1\n`)
  const order = ['@', '*', 'b', '\\001.b', 'x.b', 'a.x.b'].map(name)
  assert.deepEqual([...zone.names], order)
  assert.equal(zone.names.before(name('a.b')), name('\\001.b'))
  assert.equal(zone.names.before(name('b')), name('*'))
  assert.equal(zone.names.before(name('@')), undefined)
  assert.equal(zone.names.after(name('b')), name('\\001.b'))
  assert.equal(zone.names.after(name('aa')), name('b'))
  assert.equal(zone.names.after(name('a.x.b')), undefined)
})

test('the order of names is updated by every change, small or large', () => {
  const zone = zoneFrom(soaLine(1))
  assert.equal(zone.names.size, 1)
  const few = recordsFrom('z.y A 192.0.2.1\na A 192.0.2.1\n')
  zone.apply({ removed: [], added: few })
  assert.deepEqual([...zone.names], ['@', 'a', 'y', 'z.y'].map(name))
  const many = recordsFrom(Array.from({ length: 1500 }, (_, index) => `m${index} A 192.0.2.1\n`).join(''))
  zone.apply({ removed: few, added: many })
  assert.equal(zone.names.size, 1501)
  assert.equal(zone.names.after(name('@')), name('m0'))
  zone.apply({ removed: many, added: few })
  assert.deepEqual([...zone.names], ['@', 'a', 'y', 'z.y'].map(name))
})

const anyZone: fc.Arbitrary<Rrset[]> = fc
  .array(
    fc.record({
      name: hostName.map((text) => `${text.slice(0, -1)}.example.com.` as DomainName),
      type: fc.constantFrom(RrType.A, RrType.MX),
      ttl: fc.constantFrom(60, 300),
      data: fc.uint8Array({ minLength: 1, maxLength: 1 }),
    }),
    { maxLength: 15 },
  )
  .map((records) => groupRecords(records))

test('the difference between two zones turns one into the other', () => {
  fc.assert(
    fc.property(anyZone, anyZone, (before, after) => {
      const zone = Zone.fromRrsets(example, before)
      const isSorted = zone.names.size > 0
      zone.apply(diffRrsets(before, after))
      const expected = Zone.fromRrsets(example, after)
      assert.deepEqual([isSorted, [...zone.names]], [true, [...expected.names]])
      assert.deepEqual([...zone.rrsets()], [...expected.rrsets()])
      assert.equal(zone.recordCount, expected.recordCount)
      const names = [...before, ...after].map((rrset) => rrset.name)
      for (const at of names) assert.equal(zone.has(at), expected.has(at))
    }),
  )
})
