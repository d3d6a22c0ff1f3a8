import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { parseType, type Rrset, typeToText } from './index.ts'
import { lookup } from './lookup.ts'
import { Rcode } from './message.ts'
import { type DomainName, isWithin, parseName } from './name.ts'
import { canonicalRdata, rdataToText } from './rdata.ts'
import { groupRecords } from './rrset.ts'
import { Zone } from './zone.ts'
import { parseZoneFile } from './zone-file.ts'

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

test('every recorded question is answered as BIND, NSD, Knot or PowerDNS answered it', () => {
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
  const found = lookup(Zone.fromRrsets(origin, groupRecords(records)), parseName(query.Name), parseType(query.Type))
  const answer = linesOf(found.answers)
  return expected.some((recorded) => {
    const sameHead =
      Rcode[recorded.rcode as keyof typeof Rcode] === found.rcode && recorded.flags.includes('AA') === found.aa
    if (!sameHead || canonicalLines(recorded.answer, origin) !== answer) return false
    if (answer !== '') return true
    const sameAuthority = canonicalLines(recorded.authority) === linesOf(found.authorities)
    return sameAuthority && canonicalLines(recorded.additional) === linesOf(found.additionals)
  })
}

function linesOf(rrsets: readonly Rrset[]): string {
  const lineOf = ({ name, ttl, type }: Rrset, data: Uint8Array) =>
    `${name} ${ttl} ${typeToText(type)} ${rdataToText(type, data)}`
  return rrsets
    .flatMap((rrset) => rrset.data.map((data) => lineOf(rrset, data)))
    .sort()
    .join('\n')
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
