// A customer's text never blocks the processor: the time to read any text is proportional to its length.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMs } from './cpu-time.test.ts'
import { DnsFault } from './faults.ts'
import { canonicalForms } from './rdata-samples.test.ts'
import { recordValue } from './record-rules.ts'
import { typeToText } from './type.ts'
import { supportedTypes } from './types/table.ts'
import { parseZoneFile } from './zone-file.ts'
import { example } from './zone-samples.test.ts'

const bytes = 64_000
/** A nested loop takes seconds or hours for this much text. Anything else takes a few milliseconds on a slow machine. */
const mostMs = 500

/** The parts that a hostile text repeats: special characters alone and in pairs, and the beginnings of unfinished constructs. */
const repeated = [
  ...['a', '0', ' ', '"', '\\\\', '\\"', '.', ',', '(', '=', '/', '-', ':', '{', ';', '\n', '\u{1f600}'],
  ...['a.', '0 ', '" "', '{dns', '\\000', '\\,', '::,', 'key1= ', '[^]', '\\1', 'A TYPE300 ', '!1:1.1.1.1/1 ', '( "'],
]

const whole = (unit: string): string => unit.repeat(Math.ceil(bytes / unit.length))

/** The beginnings of a good value, up to where each of its words and their parts begins. */
function beginningsOf(value: string): string[] {
  return ['', ...[...value.matchAll(/[\s"=/!]+|$/g)].map(({ 0: found, index }) => value.slice(0, index + found.length))]
}

function readOrRefuse(read: () => unknown): void {
  try {
    read()
  } catch (fault) {
    assert.ok(fault instanceof DnsFault)
  }
}

for (const type of supportedTypes()) {
  const name = typeToText(type)
  test(`reads or refuses 64,000 characters of any ${name} record quickly`, () => {
    const values = canonicalForms.filter(([of]) => of === name).map(([, written]) => written)
    const longest = values.reduce((a, b) => (b.length > a.length ? b : a))
    const beginnings = new Set(['\\# 4 ', ...beginningsOf(longest)])
    for (const beginning of beginnings)
      for (const unit of repeated) {
        const text = `${beginning}${whole(unit)}`
        const tookMs = cpuMs(() => readOrRefuse(() => recordValue(type, text, example)))
        assert.ok(tookMs < mostMs, `${beginning}${unit}${unit}… took ${tookMs} ms`)
      }
  })
}

test('one endless name, record or list of 16 MiB is one fault, in at most three times the time of a valid file', () => {
  const size = 16 * 1024 * 1024
  const honest = Array.from({ length: 60_000 }, (_, i) => `host${i} 300 IN A 10.0.${i >> 8}.${i & 255}\n`).join('')
  const honestMs = Math.min(...[1, 2, 3].map(() => cpuMs(() => parseZoneFile(honest, { origin: example }))))
  const mostMs = 3 * honestMs * (size / honest.length)
  for (const [beginning, unit] of [
    ['', 'a.'],
    ['a MX 1 ', 'a.'],
    ['a TXT ', 'x '],
    ['a TXT ', '"" '],
    ['a HTTPS 1 . alpn=', 'a,'],
    ['a HTTPS 1 . dohpath=/', '{dns'],
  ] as const) {
    const text = `${beginning}${unit.repeat(size / unit.length)}`
    const tookMs = cpuMs(() => {
      const { faults } = parseZoneFile(text, { origin: example, defaultTtl: 60 })
      assert.match(faults[0]?.message ?? '', /^An entry may have at most 128 KiB/)
    })
    assert.ok(tookMs < mostMs, `${beginning}${unit}${unit}… took ${tookMs} ms, of ${mostMs}`)
  }
})
