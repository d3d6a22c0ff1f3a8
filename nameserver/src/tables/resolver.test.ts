import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  buildMessage,
  DnsClass,
  type DomainName,
  lookup,
  parseMessage,
  parseName,
  type RrType,
  recordsOf,
  rootName,
  type Zone,
} from '@zonewright/dns'
import fc from 'fast-check'
import type { Answer } from '../responder/answer.ts'
import { answerFrom } from '../testing/answer-from.ts'
import { anyNameWithin, anyRecords, anyType, linesOf, soaRecord } from '../testing/any-zone.test.ts'
import { zoneWith } from '../testing/zone-of.ts'
import { Tables } from './tables.ts'

const client = new DataView(new ArrayBuffer(4))

/** The answer of the tables, in the form of the result of `lookup`. */
function asked(answer: Answer, name: DomainName, type: RrType, isShouting = false) {
  const wire = buildMessage({ id: 1, questions: [{ name, type, class: DnsClass.IN }] })
  if (isShouting) {
    for (let at = 12; at < wire.length - 4; at++) {
      const byte = wire[at] ?? 0
      if (at % 2 === 0 && byte >= 0x61 && byte <= 0x7a) wire[at] = byte - 0x20
    }
  }
  const response = answer(wire, 'tcp', client)
  assert.ok(response)
  assert.deepEqual(response.subarray(12, wire.length), wire.subarray(12))
  const { rcode, aa, tc, answers, authorities, additionals } = parseMessage(response)
  assert.equal(tc, false)
  return { rcode, aa, answers: linesOf(answers), authorities: linesOf(authorities), additionals: linesOf(additionals) }
}

function looked(zone: Zone, name: DomainName, type: RrType) {
  const { rcode, aa, answers, authorities, additionals } = lookup(zone, name, type)
  const lines = (rrsets: typeof answers) => linesOf(rrsets.flatMap(recordsOf))
  return { rcode, aa, answers: lines(answers), authorities: lines(authorities), additionals: lines(additionals) }
}

const questions = (origin: DomainName) =>
  fc.array(fc.tuple(anyNameWithin(origin), anyType, fc.boolean()), { minLength: 10, maxLength: 30 })

describe('answers from the tables', () => {
  for (const origin of [parseName('ex.'), parseName('zone.with.a.longer.example.'), rootName, parseName('*.wild.')]) {
    it(`match those of lookup, for any zone ${origin} and any question`, () => {
      fc.assert(
        fc.property(anyRecords(origin), fc.nat(9), questions(origin), (records, serial, all) => {
          const zone = zoneWith(origin, [soaRecord(origin, serial), ...records])
          const tables = new Tables({ segmentBytes: 1 << 17 })
          tables.publish(origin, zone.rrsets())
          const answer = answerFrom(tables)
          const names = records.map(({ name, type }) => [name, type, true] as const)
          for (const [name, type, isShouting] of [...names, ...all]) {
            assert.deepEqual(asked(answer, name, type, isShouting), looked(zone, name, type), `${name} ${type}`)
          }
        }),
        { numRuns: 150 },
      )
    })
  }

  it('come from the closest of several zones, and the DS of a zone from the one above', () => {
    const [above, below, deep] = [parseName('ex.'), parseName('a.ex.'), parseName('b.a.ex.')]
    fc.assert(
      fc.property(
        anyRecords(above, 12),
        anyRecords(below, 12),
        anyRecords(deep, 6),
        fc.subarray([0, 1, 2], { minLength: 1 }),
        questions(above),
        (first, second, third, held, all) => {
          const zones = [first, second, third].map((records, index) => {
            const origin = [above, below, deep][index] ?? above
            return zoneWith(origin, [soaRecord(origin, index), ...records])
          })
          const tables = new Tables({ segmentBytes: 1 << 17 })
          const ours = held.flatMap((index) => zones[index] ?? [])
          for (const zone of ours) tables.publish(zone.origin, zone.rrsets())
          const answer = answerFrom(tables)
          for (const [name, type, isShouting] of all) {
            const expected = closest(ours, name, type)
            const refused = { rcode: 5, aa: false, answers: [], authorities: [], additionals: [] }
            assert.deepEqual(asked(answer, name, type, isShouting), expected ? looked(expected, name, type) : refused)
          }
        },
      ),
      { numRuns: 150 },
    )
  })
})

function closest(zones: readonly Zone[], name: DomainName, type: RrType): Zone | undefined {
  const enclosing = zones
    .filter(({ origin }) => name === origin || name.endsWith(`.${origin}`))
    .sort((a, b) => b.origin.length - a.origin.length)
  const isDs = type === 43 && enclosing[0]?.origin === name
  return isDs ? (enclosing[1] ?? enclosing[0]) : enclosing[0]
}
