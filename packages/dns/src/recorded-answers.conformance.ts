import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  canonicalRdata,
  type DomainName,
  groupRecords,
  isWithin,
  parseName,
  parseType,
  parseZoneFile,
  Rcode,
  type ResourceRecord,
  type Rrset,
  type RrType,
  rdataToText,
  typeToText,
} from './index.ts'

/** What BIND, NSD, Knot and PowerDNS answered to one question, each in its own way. Contains no tests. */
interface RecordedCase {
  readonly id: number
  readonly zone: string
  readonly query: { readonly Name: string; readonly Type: string }
  readonly expected: readonly {
    readonly rcode: string
    readonly flags: readonly string[]
    readonly answer: readonly string[]
    readonly authority: readonly string[]
    readonly additional: readonly string[]
  }[]
}

/** The parts of an answer that are compared. */
export interface ComparedAnswer {
  readonly rcode: number
  readonly aa: boolean
  readonly answers: readonly ResourceRecord[]
  readonly authorities: readonly ResourceRecord[]
  readonly additionals: readonly ResourceRecord[]
}

/** A zone's answer to a question. */
export type Answer = (
  zone: { readonly origin: DomainName; readonly rrsets: readonly Rrset[] },
  question: { readonly name: DomainName; readonly type: RrType },
) => ComparedAnswer

/** Asserts that `answer` gives every recorded question the answer of one of the four; a failure lists the ids of the others. */
export function assertAnsweredAsRecorded(answer: Answer): void {
  const file = resolve(import.meta.dirname, '../../../../shared/data/ferret/valid-sample.jsonl')
  assert.ok(existsSync(file), `The test data is missing: ${file}`)
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
  assert.ok(lines.length > 2000, 'the sample is whole')
  const wrong = lines
    .map((line): RecordedCase => JSON.parse(line))
    .filter((recorded) => !isAnsweredAsRecorded(recorded, answer))
  assert.deepEqual(
    wrong.map(({ id }) => id),
    [],
  )
}

function isAnsweredAsRecorded({ zone: text, query, expected }: RecordedCase, answer: Answer): boolean {
  const origin = parseName(text.split(/\s/, 1)[0] ?? '')
  const { records, faults } = parseZoneFile(text, { origin })
  assert.deepEqual(faults, [])
  const found = answer(
    { origin, rrsets: groupRecords(records) },
    { name: parseName(query.Name), type: parseType(query.Type) },
  )
  return expected.some((recorded) => {
    if (Rcode[recorded.rcode as keyof typeof Rcode] !== found.rcode) return false
    if (recorded.flags.includes('AA') !== found.aa) return false
    if (!isSame(recorded.answer, found.answers, origin)) return false
    if (found.answers.length > 0) return true
    return isSame(recorded.authority, found.authorities) && isSame(recorded.additional, found.additionals)
  })
}

/** Whether recorded lines match our records. If `origin` is given, recorded lines from other zones are ignored. */
function isSame(recorded: readonly string[], ours: readonly ResourceRecord[], origin?: DomainName): boolean {
  const theirs = recorded
    .map((line) => line.split(/\s+/))
    .filter(([name = '']) => origin === undefined || isWithin(parseName(name), origin))
    .map(
      ([name = '', ttl, , type = '', ...data]) =>
        `${parseName(name)} ${ttl} ${type} ${canonicalRdata(parseType(type), data.join(' '))}`,
    )
    .sort()
  const lines = ours
    .map(({ name, ttl, type, data }) => `${name} ${ttl} ${typeToText(type)} ${rdataToText(type, data)}`)
    .sort()
  return lines.join('\n') === theirs.join('\n')
}
