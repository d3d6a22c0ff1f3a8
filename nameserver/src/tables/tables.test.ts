import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  DnsFault,
  type DomainName,
  diffRrsets,
  groupRecords,
  InfoCode,
  parseName,
  parseRdata,
  type ResourceRecord,
  type Rrset,
  RrType,
  recordsOf,
  toType,
  Zone,
} from '@zonewright/dns'
import fc from 'fast-check'
import { packOwners, unpackOwners } from '../store/pack-owners.ts'
import { anyRecords, linesOf, soaRecord } from '../testing/any-zone.test.ts'
import { mostTypes } from './compile-name.ts'
import { controlEpoch } from './layout.ts'
import { ownersOf } from './owners.ts'
import { ReaderSlot } from './reader-slot.ts'
import { Tables } from './tables.ts'

const origin = parseName('ex.')
const segmentBytes = 2 ** 17

function zoneFrom(records: readonly ResourceRecord[], serial = 1): Zone {
  return Zone.fromRrsets(origin, groupRecords([soaRecord(origin, serial), ...records]))
}

/** The rrsets as texts, in their original order. */
function texts(zone: { rrsets(): Iterable<Parameters<typeof rrsetText>[0]> } | undefined): string[] {
  return Array.from(zone?.rrsets() ?? [], rrsetText)
}

function rrsetText({
  name,
  type,
  ttl,
  data,
}: {
  name: DomainName
  type: RrType
  ttl: number
  data: readonly Uint8Array[]
}) {
  return data.map((each) => linesOf([{ name, type, ttl, data: each }]).join()).join(' | ')
}

describe('the tables', () => {
  it('return every zone as it was published, in canonical order', () => {
    fc.assert(
      fc.property(anyRecords(origin, 60), (records) => {
        const tables = new Tables({ segmentBytes })
        const zone = zoneFrom(records)
        tables.publish(
          origin,
          fc.sample(fc.shuffledSubarray([...zone.rrsets()], { minLength: [...zone.rrsets()].length }), 1)[0] ?? [],
        )
        const held = tables.zone(origin)
        assert.deepEqual(texts(held), texts(zone))
        assert.deepEqual([held?.recordCount, held?.serial], [zone.recordCount, zone.serial])
        for (const { name, type } of records) {
          assert.deepEqual(
            held?.rrset(name, type)?.data,
            zone.rrset(name, type)?.data.map((each) => new Uint8Array(each)),
          )
        }
      }),
      { numRuns: 100 },
    )
  })

  it('keep the TTL of each signature, also on disk and through differences', () => {
    const signature = (covers: number, ttl: number): ResourceRecord => ({
      name: parseName('www.ex.'),
      type: RrType.RRSIG,
      ttl,
      data: parseRdata(RrType.RRSIG, `TYPE${covers} 13 2 ${ttl} 20300101000000 20200101000000 1 ex. AQPA`),
    })
    const records = [signature(1, 300), signature(28, 60), signature(16, 3_600), signature(15, 60)]
    const address = { name: parseName('www.ex.'), type: RrType.A, ttl: 300, data: parseRdata(RrType.A, '192.0.2.1') }
    const tables = new Tables({ segmentBytes })
    const before = zoneFrom([address, ...records])
    tables.publish(origin, [...before.rrsets()])
    const ttls = (zone: { rrsets(): Iterable<Rrset> } | undefined) =>
      Array.from(zone?.rrsets() ?? [])
        .flatMap(recordsOf)
        .filter(({ type }) => type === RrType.RRSIG)
        .map(({ ttl }) => ttl)
    assert.deepEqual(ttls(tables.zone(origin)), [300, 60, 3_600, 60])
    const owners = ownersOf(before.rrsets())
    assert.deepEqual(unpackOwners(packOwners(owners)), owners)
    const after = zoneFrom([address, signature(1, 30), signature(28, 60), signature(99, 5)], 2)
    tables.apply(origin, diffRrsets(before.rrsets(), after.rrsets()))
    assert.deepEqual(ttls(tables.zone(origin)), ttls(after))
    assert.deepEqual(texts(tables.zone(origin)), texts(after))
  })

  it('follow any series of differences, and reuse the memory of what was removed', () => {
    fc.assert(
      fc.property(fc.array(anyRecords(origin, 40), { minLength: 1, maxLength: 12 }), (versions) => {
        const tables = new Tables({ segmentBytes })
        let held = zoneFrom([])
        tables.publish(origin, held.rrsets())
        for (const [index, records] of versions.entries()) {
          const next = zoneFrom(records, index + 2)
          tables.apply(origin, diffRrsets(held.rrsets(), next.rrsets()))
          held = next
          assert.deepEqual(texts(tables.zone(origin)), texts(next))
        }
        const fresh = new Tables({ segmentBytes })
        fresh.publish(origin, held.rrsets())
        tables.publish(origin, held.rrsets())
        assert.equal(tables.usedBytes, fresh.usedBytes)
      }),
      { numRuns: 100 },
    )
  })

  it('reuse memory after any number of changes', () => {
    const tables = new Tables({ segmentBytes })
    const { control } = tables.segments
    const reader = new ReaderSlot(control, 0)
    const publish = (serial: number) => tables.publish(origin, zoneFrom([], serial).rrsets())
    publish(1)
    const used = tables.usedBytes
    for (const last of [2 ** 31 - 3, 2 ** 32 - 3]) {
      control[controlEpoch] = last | 0
      for (let serial = 2; serial < 10; serial++) {
        reader.enter()
        publish(serial)
        assert.ok(tables.usedBytes > used, 'what a reader may look at stays')
        reader.leave()
        publish(serial)
        assert.equal(tables.usedBytes, used, `after epoch ${control[controlEpoch]}`)
      }
    }
  })

  it('reject a difference that does not fit, and stay unchanged', () => {
    const tables = new Tables({ segmentBytes })
    const a = (name: string, address: string) => ({
      name: parseName(name, origin),
      type: RrType.A,
      ttl: 300,
      data: parseRdata(RrType.A, address),
    })
    const zone = zoneFrom([a('www', '192.0.2.1'), a('www', '192.0.2.2')])
    tables.publish(origin, zone.rrsets())
    const misfits = [
      { removed: [a('www', '192.0.2.3')], added: [] },
      { removed: [a('none', '192.0.2.1')], added: [] },
      { removed: [], added: [a('www', '192.0.2.1')] },
      { removed: [], added: [a('new', '192.0.2.1'), a('elsewhere.', '192.0.2.1')] },
    ]
    for (const diff of misfits) assert.throws(() => tables.apply(origin, diff), DnsFault)
    assert.throws(() =>
      tables.publish(
        origin,
        [...zone.rrsets(), { ...a('elsewhere.', '192.0.2.1'), data: [] }].map((rrset) => ({
          ...rrset,
          data: [Uint8Array.of(1)],
        })),
      ),
    )
    assert.deepEqual(texts(tables.zone(origin)), texts(zone))
  })

  it('grow beyond the reserved size for a large zone and for answers of any size', () => {
    const segments: SharedArrayBuffer[] = []
    const tables = new Tables({ segmentBytes: 2 ** 20, onSegment: (buffer) => segments.push(buffer) })
    const records = Array.from({ length: 5000 }, (_, index) => ({
      name: parseName(`n${index}`, origin),
      type: RrType.TXT,
      ttl: 300,
      data: parseRdata(RrType.TXT, `"${String(index).padStart(100, '0')}"`),
    }))
    const many = Array.from({ length: 3000 }, (_, index) => ({
      name: parseName('many', origin),
      type: RrType.TXT,
      ttl: 300,
      data: parseRdata(RrType.TXT, `"${String(index).padStart(100, '0')}"`),
    }))
    const zone = zoneFrom([...records, ...many])
    tables.publish(origin, zone.rrsets())
    assert.ok(segments.length > 0)
    assert.deepEqual(texts(tables.zone(origin)), texts(zone))
    // During a replacement, the zone exists twice: the index grows, but not indefinitely.
    for (let round = 0; round < 4; round++) tables.publish(origin, zone.rrsets())
    const used = tables.usedBytes
    for (let round = 0; round < 10; round++) tables.publish(origin, zone.rrsets())
    assert.equal(tables.usedBytes, used)
    assert.ok(segments.length < 5)
  })

  it('do not grow while records grow and their zone is published or changed repeatedly', () => {
    const segments: SharedArrayBuffer[] = []
    const tables = new Tables({ segmentBytes: 2 ** 21, onSegment: (buffer) => segments.push(buffer) })
    const zoneWith = (bytes: number, serial: number) =>
      zoneFrom(
        Array.from({ length: 300 }, (_, index) => ({
          name: parseName(`n${index}`, origin),
          type: RrType.TXT,
          ttl: 300,
          data: parseRdata(RrType.TXT, `"${'x'.repeat(bytes)}"`),
        })),
        serial,
      )
    let held = zoneWith(1, 1)
    tables.publish(origin, held.rrsets())
    for (let bytes = 2; bytes < 250; bytes++) {
      const next = zoneWith(bytes, bytes)
      if (bytes % 2 === 0) tables.publish(origin, next.rrsets())
      else tables.apply(origin, diffRrsets(held.rrsets(), next.rrsets()))
      held = next
    }
    assert.equal(segments.length, 0)
    assert.deepEqual(texts(tables.zone(origin)), texts(held))
  })

  it('accept an SOA whose names have become longer', () => {
    const tables = new Tables({ segmentBytes })
    const zone = zoneFrom([])
    tables.publish(origin, zone.rrsets())
    const long = `${'a'.repeat(60)}.`.repeat(3)
    const soa = { ...soaRecord(origin, 2), data: parseRdata(RrType.SOA, `${long} ${long} 2 1 1 1 1`) }
    const next = Zone.fromRrsets(origin, groupRecords([soa]))
    tables.apply(origin, diffRrsets(zone.rrsets(), next.rrsets()))
    assert.deepEqual(texts(tables.zone(origin)), texts(next))
  })

  it('keep the data of a withheld zone, and nothing of a removed one', () => {
    const tables = new Tables({ segmentBytes })
    const used = tables.usedBytes
    tables.withhold(origin, InfoCode.INVALID_DATA)
    assert.deepEqual([tables.zone(origin), tables.publicSize], [undefined, 1])
    tables.publish(origin, zoneFrom([]).rrsets())
    tables.withhold(origin, InfoCode.INVALID_DATA)
    assert.equal(tables.zone(origin)?.serial, 1)
    tables.remove(origin)
    assert.deepEqual([tables.publicSize, tables.usedBytes], [0, used])
  })

  it('hold a name with as many types as its block can hold, and reject one with more completely', () => {
    const tables = new Tables({ segmentBytes: 2 ** 23 })
    const name = parseName(`${'n'.repeat(63)}.${'m'.repeat(63)}.${'k'.repeat(63)}.${'h'.repeat(57)}.ex.`)
    const typed = (from: number, to: number, bytes = 1): Rrset[] =>
      Array.from({ length: to - from }, (_, index) => {
        return { name, type: toType(20_000 + from + index), ttl: 300, data: [new Uint8Array(bytes).fill(7)] }
      })
    const isTold = { code: 'bad_zone', message: /types; at most \d+ are held/ }
    for (const bytes of [1, 200]) {
      const most = typed(0, mostTypes, bytes)
      const [another = soaRecord(origin, 1)] = typed(mostTypes, mostTypes + 1).flatMap(recordsOf)
      const heldTypes = () =>
        Array.from(tables.zone(origin)?.rrsetsAt(name) ?? [], ({ type, data }) => ({ type, data }))
      tables.publish(origin, zoneFrom([]).rrsets())
      const used = tables.usedBytes
      assert.throws(() => tables.publish(origin, typed(0, mostTypes + 1)), isTold)
      assert.equal(tables.usedBytes, used)
      tables.publish(origin, [...zoneFrom([]).rrsets(), ...most])
      assert.throws(() => tables.apply(origin, { removed: [], added: [another] }), isTold)
      assert.deepEqual(
        heldTypes(),
        most.map(({ type, data }) => ({ type, data })),
      )
      tables.publish(origin, zoneFrom([]).rrsets())
      assert.equal(tables.usedBytes, used)
    }
  })

  it('hold an apex with as many types as fit, next to an SOA with as many signatures as fit into an answer', () => {
    const tables = new Tables({ segmentBytes: 2 ** 23 })
    tables.publish(origin, zoneFrom([]).rrsets())
    const used = tables.usedBytes
    // Each takes 605 bytes, and covers SOA.
    const signatures = Array.from({ length: 108 }, (_, tag) => {
      const data = new Uint8Array(593)
      data.set([0, RrType.SOA], 0)
      data[592] = tag
      return data
    })
    const types = [1, 3, 4, ...Array.from({ length: mostTypes - 5 }, (_, index) => 20_000 + index)]
    const others = types.map((type): Rrset => {
      const data = [new Uint8Array(type < 5 ? 2000 : 1).fill(type)]
      return { name: origin, type: toType(type), ttl: 300, data }
    })
    const soa = { name: origin, type: RrType.SOA, ttl: 300, data: [soaRecord(origin, 1).data] }
    const rrsig = { name: origin, type: RrType.RRSIG, ttl: 300, data: signatures }
    tables.publish(origin, [soa, rrsig, ...others])
    const held = new Map(
      tables
        .zone(origin)
        ?.rrsetsAt(origin)
        .map((rrset) => [rrset.type, rrset]),
    )
    for (const rrset of [soa, rrsig, ...others]) assert.deepEqual(held.get(rrset.type), rrset)
    tables.publish(origin, zoneFrom([]).rrsets())
    assert.equal(tables.usedBytes, used)
  })

  it('take time in proportion to the number of signatures of a name with many types', () => {
    const tables = new Tables({ segmentBytes: 2 ** 24 })
    const publishMs = (types: number, times: number): number => {
      const rrsets = Array.from({ length: types }, (_, index): Rrset => {
        return { name: origin, type: toType(20_000 + index), ttl: 300, data: [new Uint8Array(1)] }
      })
      const signatures = Array.from({ length: 4 * types }, (_, index) => {
        const data = new Uint8Array(40)
        new DataView(data.buffer).setUint16(0, 20_000 + (index >> 2))
        data[39] = index & 3
        return data
      })
      const soa = { name: origin, type: RrType.SOA, ttl: 300, data: [soaRecord(origin, 1).data] }
      const rrsig = { name: origin, type: RrType.RRSIG, ttl: 300, data: signatures }
      const before = process.threadCpuUsage()
      for (let time = 0; time < times; time++) tables.publish(origin, [soa, rrsig, ...rrsets])
      const { user, system } = process.threadCpuUsage(before)
      return (user + system) / 1_000
    }
    const fastestMs = (types: number, times: number) => Math.min(...[0, 1, 2].map(() => publishMs(types, times)))
    const [few, many] = [fastestMs(700, 8), fastestMs(5_600, 1)]
    assert.ok(many < 4 * few, `${many} ms for all at one name, ${few} ms for an eighth of them eight times`)
  })
})
