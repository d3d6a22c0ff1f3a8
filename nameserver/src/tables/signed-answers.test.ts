import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  buildMessage,
  DnsClass,
  type DomainName,
  diffRrsets,
  lookup,
  parseMessage,
  parseName,
  type Rrset,
  RrType,
  rdataToText,
  recordsOf,
  rootName,
  type Zone,
} from '@zonewright/dns'
import fc from 'fast-check'
import type { Answer } from '../responder/answer.ts'
import { answerFrom } from '../testing/answer-from.ts'
import { anyNameWithin, anyRecords, anyType, linesOf, soaRecord } from '../testing/any-zone.test.ts'
import { record } from '../testing/bad-signed-zones.ts'
import { sha1, signedRecords, type TestDenial } from '../testing/signed-zone.ts'
import { zoneWith } from '../testing/zone-of.ts'
import { Tables } from './tables.ts'

const client = new DataView(new ArrayBuffer(4))
const origins = [parseName('ex.'), parseName('zone.with.a.longer.example.'), rootName]

const anyDenial: fc.Arbitrary<TestDenial> = fc.constantFrom(
  { kind: 'nsec' },
  { kind: 'nsec3' },
  { kind: 'nsec3', iterations: 3, salt: 'aabbccdd' },
  { kind: 'opt-out', salt: 'ff'.repeat(60) },
)

const anyQuestionType = fc.oneof(
  { weight: 4, arbitrary: anyType },
  { weight: 1, arbitrary: fc.constantFrom(RrType.NSEC, RrType.NSEC3, RrType.NSEC3PARAM, RrType.RRSIG, RrType.DS) },
)

const questions = (origin: DomainName) =>
  fc.array(fc.tuple(anyNameWithin(origin), anyQuestionType, fc.boolean()), { minLength: 10, maxLength: 30 })

/** A signed zone. Some zones lack records, so that the chain has gaps, or the signatures do not cover everything. */
function anySignedZone(origin: DomainName, maxLength = 18): fc.Arbitrary<Zone> {
  const gaps = fc.oneof(
    { weight: 3, arbitrary: fc.constant<number[]>([]) },
    { weight: 1, arbitrary: fc.array(fc.nat(200), { maxLength: 6 }) },
  )
  return fc
    .tuple(anyRecords(origin, maxLength), fc.nat(9), fc.option(anyDenial, { freq: 8 }), gaps)
    .map(([records, serial, denial, missing]) => {
      const plain = zoneWith(origin, [soaRecord(origin, serial), ...records])
      if (denial === null) return plain
      const signed = signedRecords(plain, denial).filter(
        ({ type }, index) => type === RrType.SOA || !missing.includes(index),
      )
      return zoneWith(origin, signed)
    })
}

function asked(answer: Answer, name: DomainName, type: RrType, dnssecOk: boolean, isUpper = false) {
  const edns = { udpSize: 1232, version: 0, dnssecOk, options: [] }
  const wire = buildMessage({ id: 1, cd: dnssecOk, questions: [{ name, type, class: DnsClass.IN }], edns })
  // The lengths of labels are lower than the codes of letters.
  if (isUpper)
    for (let at = 12; wire[at] !== 0; at++)
      if ((wire[at] ?? 0) >= 0x61 && (wire[at] ?? 0) <= 0x7a) wire[at] = (wire[at] ?? 0) - 0x20
  const response = answer(wire, 'tcp', client)
  assert.ok(response)
  const message = parseMessage(response)
  assert.deepEqual([message.tc, message.ad, message.cd], [false, false, dnssecOk])
  assert.equal(message.edns?.dnssecOk, dnssecOk)
  const { rcode, aa, answers, authorities, additionals } = message
  return { rcode, aa, answers: linesOf(answers), authorities: linesOf(authorities), additionals: linesOf(additionals) }
}

function looked(zone: Zone, name: DomainName, type: RrType, dnssecOk: boolean) {
  const { rcode, aa, answers, authorities, additionals } = lookup(zone, name, type, dnssecOk ? sha1 : undefined)
  const lines = (rrsets: readonly Rrset[]) => linesOf(rrsets.flatMap(recordsOf))
  return { rcode, aa, answers: lines(answers), authorities: lines(authorities), additionals: lines(additionals) }
}

/** Whether the NSEC3 is that of the apex. */
function hasSoa(nsec3: Uint8Array): boolean {
  return rdataToText(RrType.NSEC3, nsec3).split(' ').includes('SOA')
}

function withoutOthers({ rcode, authorities }: ReturnType<typeof looked>) {
  return { rcode, authorities }
}

function compareAll(tables: Tables, zone: Zone, all: readonly (readonly [DomainName, RrType, boolean])[]) {
  const answer = answerFrom(tables)
  const existing = [...zone.rrsets()].map(({ name, type }, index) => [name, type, index % 4 !== 0] as const)
  for (const [name, type, isPlain] of [...existing, ...all]) {
    assert.deepEqual(asked(answer, name, type, !isPlain), looked(zone, name, type, !isPlain), `${name} ${type}`)
    assert.deepEqual(asked(answer, name, type, true), looked(zone, name, type, true), `${name} ${type} with DO`)
    const { rcode, authorities } = asked(answer, name, type, true, true)
    assert.deepEqual(
      { rcode, authorities },
      withoutOthers(looked(zone, name, type, true)),
      `${name} ${type} in upper case`,
    )
  }
  const held = tables.zone(zone.origin)
  assert.deepEqual([...(held?.rrsets() ?? [])], [...zone.rrsets()])
  assert.equal(held?.recordCount, zone.recordCount)
}

describe('answers from the tables for signed zones', () => {
  for (const origin of origins) {
    it(`match those of lookup, for any zone ${origin} and any question`, () => {
      fc.assert(
        fc.property(anySignedZone(origin), questions(origin), (zone, all) => {
          const tables = new Tables({ segmentBytes: 1 << 18 })
          tables.publish(origin, zone.rrsets())
          compareAll(tables, zone, all)
        }),
        { numRuns: 100 },
      )
    })
  }

  it('prove missing names between labels that begin the same, in canonical order (RFC 4034 §6.1)', () => {
    const [origin = rootName] = origins
    const names = ['a', 'aa', 'aab', 'b', 'a.b', 'z.b', 'bb']
    const records = names.map((name) => ({
      name: parseName(name, origin),
      type: RrType.A,
      ttl: 60,
      data: Uint8Array.of(192, 0, 2, 1),
    }))
    const asks = ['0', 'aaa', 'a0', 'ab', 'aac', 'b0', 'ba', 'b.a', 'aa.b', 'y.b', 'zz', '\\200'].map(
      (name) => [parseName(name, origin), RrType.A, true] as const,
    )
    for (const kind of ['nsec', 'nsec3'] as const) {
      const zone = zoneWith(origin, signedRecords(zoneWith(origin, [soaRecord(origin, 1), ...records]), { kind }))
      const tables = new Tables({ segmentBytes: 1 << 18 })
      tables.publish(origin, zone.rrsets())
      compareAll(tables, zone, asks)
    }
  })

  it('have the DS of a delegation, proofs after long answers, and no stray signatures for ANY', () => {
    const [origin = rootName] = origins
    const [cut, odd] = [parseName('cut', origin), parseName('odd', origin)]
    const plain = zoneWith(origin, [
      soaRecord(origin, 1),
      record(origin, 'cut', 'NS', 'ns.cut'),
      record(origin, 'cut', 'DS', `1 8 2 ${'ab'.repeat(32)}`),
      record(origin, 'ns.cut', 'A', '192.0.2.3'),
      record(origin, 'odd', 'CAA', '0 issue "ca.example"'),
      // Longer than a pointer can reach.
      ...Array.from({ length: 80 }, (_, index) => record(origin, '*.long', 'TXT', `"${index}${'x'.repeat(240)}"`)),
    ])
    const stray = record(origin, 'odd', 'RRSIG', `MX 13 2 300 20300101000000 20200101000000 1 ${origin} AQID`)
    for (const kind of ['nsec', 'nsec3'] as const) {
      const zone = zoneWith(origin, [...signedRecords(plain, { kind }), stray])
      const tables = new Tables({ segmentBytes: 1 << 20 })
      tables.publish(origin, zone.rrsets())
      compareAll(tables, zone, [
        [parseName('x.cut', origin), RrType.A, true],
        [parseName('any.long', origin), RrType.TXT, true],
        [odd, RrType.ANY, true],
      ])
      // This server also has the child zone, whose DS belongs to the parent zone (RFC 4035 §3.1.4.1).
      tables.publish(cut, zoneWith(cut, signedRecords(zoneWith(cut, [soaRecord(cut, 1)]), { kind })).rrsets())
      assert.deepEqual(asked(answerFrom(tables), cut, RrType.DS, true), looked(zone, cut, RrType.DS, true))
    }
  })

  it('have the addresses of hosts whose names are too far away for a pointer', () => {
    const [origin = rootName] = origins
    const hosts = Array.from({ length: 900 }, (_, index) => `ns${index}.cut`)
    const plain = zoneWith(origin, [
      soaRecord(origin, 1),
      ...hosts.flatMap((host) => [record(origin, 'cut', 'NS', host), record(origin, host, 'A', '192.0.2.3')]),
    ])
    const tables = new Tables({ segmentBytes: 1 << 20 })
    tables.publish(origin, plain.rrsets())
    compareAll(tables, plain, [[parseName('x.cut', origin), RrType.A, false]])
  })

  it('have no wrong pointer if a chain of aliases ends near the reach of pointers', () => {
    const aliasSignature = (origin: DomainName, bytes: number) => {
      const signature = Buffer.alloc(bytes, 1).toString('base64')
      return record(origin, 'a', 'RRSIG', `CNAME 13 1 300 20300101000000 20200101000000 1 ${origin} ${signature}`)
    }
    const kinds = new Set<string>()
    for (const origin of [parseName('ex.'), rootName]) {
      const others = [
        soaRecord(origin, 1),
        record(origin, '@', 'A', '192.0.2.1'),
        record(origin, '@', 'A', '192.0.2.2'),
        record(origin, 'a', 'CNAME', 'b.w'),
        record(origin, '*.w', 'CNAME', 'x.y.cut'),
        record(origin, 'cut', 'NS', 'ns.cut'),
        record(origin, 'cut', 'NS', String(origin)),
        record(origin, 'ns.cut', 'A', '192.0.2.3'),
      ]
      for (let bytes = 16_230; bytes < 16_310; bytes++) {
        const zone = zoneWith(origin, [...others, aliasSignature(origin, bytes)])
        const tables = new Tables({ segmentBytes: 1 << 20 })
        tables.publish(origin, zone.rrsets())
        const own = asked(answerFrom(tables), parseName('a', origin), RrType.A, true)
        const right = looked(zone, parseName('a', origin), RrType.A, true)
        assert.deepEqual(own.answers, right.answers)
        // A resolver continues from an alias whose target no pointer can reach.
        const isWhole = own.authorities.length > 0
        const referral = isWhole ? right : { authorities: [], additionals: [] }
        assert.deepEqual(own.authorities, referral.authorities, `${bytes}`)
        assert.deepEqual(own.additionals, referral.additionals, `${bytes}`)
        kinds.add(`${origin} ${isWhole}`)
      }
    }
    assert.equal(kinds.size, 4)
  })

  it('have the addresses of a host whose name is as long as a name can be', () => {
    const origin = parseName('exa.')
    const [above, below] = [`${'k'.repeat(63)}.exa.`, `${'h'.repeat(57)}.${'i'.repeat(63)}.${'j'.repeat(63)}`]
    const zone = zoneWith(origin, [
      soaRecord(origin, 1),
      record(origin, above, 'NS', `${below}.${above}`),
      record(origin, `${below}.${above}`, 'A', '192.0.2.1'),
    ])
    const tables = new Tables({ segmentBytes: 1 << 20 })
    tables.publish(origin, zone.rrsets())
    compareAll(tables, zone, [[parseName(above), RrType.A, true]])
  })

  it('no longer use a chain that has lost the NSEC3 of the apex', () => {
    const [origin = rootName] = origins
    const records = [soaRecord(origin, 1), record(origin, 'www', 'A', '192.0.2.1')]
    const whole = zoneWith(origin, signedRecords(zoneWith(origin, records), { kind: 'nsec3' }))
    const ofApex = [...whole.rrsets()].find(({ type, data }) => type === RrType.NSEC3 && data.some(hasSoa))
    assert.ok(ofApex)
    const cut = zoneWith(
      origin,
      [...whole.rrsets()].flatMap((rrset) => (rrset.name === ofApex.name ? [] : recordsOf(rrset))),
    )
    const tables = new Tables({ segmentBytes: 1 << 18 })
    for (const [before, after] of [
      [undefined, whole],
      [whole, cut],
      [cut, whole],
    ] as const) {
      if (before === undefined) tables.publish(origin, after.rrsets())
      else tables.apply(origin, diffRrsets(before.rrsets(), after.rrsets()))
      compareAll(tables, after, [[parseName('none', origin), RrType.A, true]])
    }
  })

  it('follow any difference, whatever kind of denial the zone has before and after it', () => {
    const [origin = rootName] = origins
    fc.assert(
      fc.property(
        anySignedZone(origin, 10),
        fc.array(anySignedZone(origin, 10), { minLength: 1, maxLength: 4 }),
        questions(origin),
        (first, later, all) => {
          const tables = new Tables({ segmentBytes: 1 << 20 })
          tables.publish(origin, first.rrsets())
          let before = first
          for (const zone of later) {
            tables.apply(origin, diffRrsets(before.rrsets(), zone.rrsets()))
            compareAll(tables, zone, all)
            before = zone
          }
          tables.remove(origin)
          assert.equal(tables.recordCount, 0)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('leave no memory in use after zones are added, changed and removed', () => {
    const [origin = rootName] = origins
    const tables = new Tables({ segmentBytes: 1 << 20 })
    const before = tables.usedBytes
    fc.assert(
      fc.property(anySignedZone(origin), anySignedZone(origin), (first, second) => {
        tables.publish(origin, first.rrsets())
        tables.apply(origin, diffRrsets(first.rrsets(), second.rrsets()))
        tables.remove(origin)
        tables.withhold(parseName('other.'), 14)
        tables.remove(parseName('other.'))
        assert.equal(tables.usedBytes, before)
      }),
      { numRuns: 60 },
    )
  })
})
