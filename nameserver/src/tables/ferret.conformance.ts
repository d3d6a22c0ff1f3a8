import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'node:test'
import {
  canonicalRdata,
  type DomainName,
  groupRecords,
  isWithin,
  parseMessage,
  parseName,
  parseType,
  parseZoneFile,
  Rcode,
} from '@zonewright/dns'
import { createAnswer } from '../responder/answer.ts'
import { linesOf } from '../testing/any-zone.test.ts'
import { queryFor } from '../testing/ask.ts'
import { keptLog } from '../testing/kept-log.ts'
import { Tables } from './tables.ts'

interface RecordedAnswer {
  readonly rcode: string
  readonly flags: readonly string[]
  readonly answer: readonly string[]
  readonly authority: readonly string[]
  readonly additional: readonly string[]
}

interface RecordedCase {
  readonly id: number
  readonly zone: string
  readonly query: { readonly Name: string; readonly Type: string }
  readonly expected: readonly RecordedAnswer[]
}

test('every recorded question is answered out of the tables as BIND, NSD, Knot or PowerDNS answered it', () => {
  const file = resolve(import.meta.dirname, '../../../../shared/data/ferret/valid-sample.jsonl')
  assert.ok(existsSync(file), `The test data is missing: ${file}`)
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
  const wrong = lines
    .map((line): RecordedCase => JSON.parse(line))
    .filter((recorded) => !isAnsweredAsRecorded(recorded))
  assert.ok(lines.length > 2000, 'the sample is whole')
  assert.deepEqual(
    wrong.map(({ id }) => id),
    [],
  )
})

function isAnsweredAsRecorded({ zone: text, query, expected }: RecordedCase): boolean {
  const origin = parseName(text.split(/\s/, 1)[0] ?? '')
  const { records, faults } = parseZoneFile(text, { origin })
  assert.deepEqual(faults, [])
  const tables = new Tables({ segmentBytes: 2 ** 17 })
  tables.publish(origin, groupRecords(records))
  const answer = createAnswer({ segments: tables.segments, log: keptLog(), doors: { udp: 1, tcp: 2 } })
  const wire = answer(queryFor(query.Name, query.Type), 'tcp', new DataView(new ArrayBuffer(4)))
  assert.ok(wire)
  const found = parseMessage(wire)
  const answers = linesOf(found.answers).join('\n')
  return expected.some((recorded) => {
    const sameHead =
      Rcode[recorded.rcode as keyof typeof Rcode] === found.rcode && recorded.flags.includes('AA') === found.aa
    if (!sameHead || canonicalLines(recorded.answer, origin) !== answers) return false
    if (answers !== '') return true
    const sameAuthority = canonicalLines(recorded.authority) === linesOf(found.authorities).join('\n')
    return sameAuthority && canonicalLines(recorded.additional) === linesOf(found.additionals).join('\n')
  })
}

/** Recorded lines in our form; those chased into other zones do not count when `origin` is given. */
function canonicalLines(lines: readonly string[], origin?: DomainName): string {
  return lines
    .map((line) => line.split(/\s+/))
    .filter(([name = '']) => origin === undefined || isWithin(parseName(name), origin))
    .map(
      ([name = '', ttl, , type = '', ...data]) =>
        `${parseName(name)} ${ttl} ${type} ${canonicalRdata(parseType(type), data.join(' '))}`,
    )
    .sort()
    .join('\n')
}
