import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { StoredRrset } from '#modules/records/index.ts'
import { Refusal } from '#platform/errors.ts'
import { type Applied, apply, assertValid, faultsOf, stored, templateOf } from '#testing/presets/test-zone.ts'
import { readPresets } from './catalogue.ts'

const presets = [...readPresets().presets.values()]

const hosts = fc.constantFrom('@', 'www', 'shop', 'www.shop', '_dmarc', 'a.b', 'b', '*', '%v%', '%w%.www')
const names = fc.constantFrom('new.example', '@', '%v%.example', '%w%')
const ttls = fc.constantFrom(0, 60, '600', '%n%', 999_999)
const numbers = fc.constantFrom(0, 10, '%n%')
const texts = fc.constantFrom(
  'x',
  'v=spf1 a -all',
  'v=DMARC1; p=none',
  '%v%',
  'v=%v% "%w%"',
  `${'long '.repeat(99)}%v%`,
)
const groups = fc.option(fc.constantFrom('one', 'two'), { nil: undefined })

/** Any record of any type. The rules must refuse those that make no sense. */
const templateRecord: fc.Arbitrary<object> = fc
  .record({
    host: hosts,
    name: names,
    ttl: ttls,
    number: numbers,
    text: texts,
    groupId: groups,
    mode: fc.constantFrom('None', 'All', 'Prefix'),
    type: fc.constantFrom('A', 'AAAA', 'CNAME', 'APEXCNAME', 'NS', 'MX', 'TXT', 'SRV', 'SPFM', 'CAA'),
  })
  .map(({ host, name, ttl, number, text, groupId, mode, type }) => ({
    type,
    host,
    ttl,
    pointsTo: type === 'A' ? '192.0.2.%n%' : type === 'AAAA' ? '2001:db8::%n%' : name,
    target: name,
    service: 'sip',
    protocol: 'tcp',
    priority: number,
    weight: number,
    port: number,
    data: type === 'CAA' ? '0 issue "%w%"' : text,
    spfRules: 'include:%w% ip4:192.0.2.%n%',
    txtConflictMatchingMode: mode,
    txtConflictMatchingPrefix: 'v=',
    ...(groupId === undefined ? {} : { groupId }),
  }))

const parameterValue = fc.oneof(
  fc.constantFrom('www', 'shop', 'b', 'a.b', '1', '255', 'example.com', '"', '\\', '%v%', ' -all', '*', '@', '.', 'x.'),
  fc.string({ unit: 'binary', maxLength: 300 }),
)
const someParameters = fc.record(
  {
    v: parameterValue,
    w: parameterValue,
    n: fc.oneof(fc.nat(300).map(String), parameterValue),
    host: fc.constantFrom('shop', 'a.b', '*', ''),
  },
  { requiredKeys: [] },
)

/** Any zone that follows the rules. Rrsets that break them are left out. */
const anyZone: fc.Arbitrary<StoredRrset[]> = fc
  .array(
    fc
      .tuple(
        fc.constantFrom('@', 'www', 'shop', 'www.shop', '_dmarc', 'a.b', 'b', '_sip._tcp', 'x'),
        fc.constantFrom<[string, string[]]>(
          ['A', ['192.0.2.1', '192.0.2.2']],
          ['AAAA', ['2001:db8::1']],
          ['CNAME', ['old.example.']],
          ['MX', ['0 .']],
          ['MX', ['10 old.example.', '20 older.example.']],
          ['NS', ['ns.old.example.']],
          ['TXT', ['"v=spf1 mx -all"', '"x"']],
          ['TXT', ['"v=spf1 a ~all"', '"v=spf1 mx -all"']],
          ['TXT', ['"v=old"']],
          ['SRV', ['0 0 0 .']],
          ['CAA', ['0 issue "old.example"']],
          ['DNAME', ['old.example.']],
        ),
        fc.constantFrom(30, 300, 604_800),
      )
      .map(([host, [type, records], ttl]) => stored(host, type, records, ttl)),
    { maxLength: 12 },
  )
  .map((rrsets) => {
    const kept: StoredRrset[] = []
    for (const rrset of rrsets) {
      const isThere = kept.some(({ name, type }) => name === rrset.name && type === rrset.type)
      if (!isThere && faultsOf([...kept, rrset]).length === 0) kept.push(rrset)
    }
    return kept
  })

const anyTemplate = fc.oneof(
  fc.array(templateRecord, { minLength: 1, maxLength: 5 }).map((records) => templateOf(...records)),
  fc.constantFrom(...presets.map(({ template }) => template)),
)

test('for any template, parameters and zone: it is refused, or the result is valid and a repeat has no effect', () => {
  let applied = 0
  fc.assert(
    fc.property(anyZone, anyTemplate, someParameters, (existing, template, parameters) => {
      const used = JSON.stringify(template)
      const given = Object.fromEntries(
        Object.entries(parameters).filter(([name]) => name === 'host' || used.includes(`%${name}%`)),
      )
      let result: Applied
      try {
        result = apply(existing, template, given)
      } catch (error) {
        assert.ok(error instanceof Refusal, String(error))
        assert.ok(error.details.length > 0 && error.details.every(({ path }) => path?.startsWith('/parameters')))
        return
      }
      applied++
      assertValid(result.after)
      assert.deepEqual(apply(result.after, template, given).moves, [])
    }),
    { numRuns: 1_500 },
  )
  assert.ok(applied > 150, `only ${applied} were applied`)
})
