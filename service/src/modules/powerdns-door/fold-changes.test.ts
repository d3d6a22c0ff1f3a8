import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RrsetChange } from '#modules/records/index.ts'
import { withoutPauses } from '#platform/work/slices.ts'
import { foldChanges } from './fold-changes.ts'

type Ask = RrsetChange['ask']

const replace = (...records: string[]): Ask => ({ kind: 'replace', records })
const extend = (...add: string[]): Ask => ({ kind: 'edit', add, remove: [] })
const prune = (...remove: string[]): Ask => ({ kind: 'edit', add: [], remove })

/** The result of entries for one record set. */
function folded(...asks: Ask[]): Ask | undefined {
  return foldedAt(...asks.map((ask) => ({ ask }))).change.ask
}

function foldedAt(...entries: (Pick<RrsetChange, 'ask'> & Partial<RrsetChange>)[]) {
  const placed = entries.map((entry, place) => ({
    change: { name: 'www.example.com', type: 'A', ttl: undefined, ...entry },
    place,
  }))
  const [only, ...others] = withoutPauses(foldChanges(placed))
  assert.ok(only)
  assert.deepEqual(others, [])
  return only
}

test('entries for one record set are applied in order, and a later one takes precedence', () => {
  for (const [asks, result] of [
    [[replace('1')], replace('1')],
    [[replace('1'), replace('2')], replace('2')],
    [[replace('1'), replace()], replace()],
    [[replace(), replace('2')], replace('2')],
    [[replace('1'), extend('2')], replace('1', '2')],
    [[replace('1', '2'), prune('1')], replace('2')],
    [[replace(), extend('1')], replace('1')],
    [[extend('1'), replace('2')], replace('2')],
    [[extend('1'), extend('2')], extend('1', '2')],
    [[extend('1'), extend('1')], extend('1')],
    [[extend('1'), prune('1')], prune('1')],
    [[prune('1'), extend('1')], extend('1')],
    [[prune('1'), prune('2')], prune('1', '2')],
    [[extend('1', '2'), prune('1'), extend('3')], { kind: 'edit', add: ['2', '3'], remove: ['1'] }],
    [[extend('1'), replace('2'), prune('2'), extend('1')], replace('1')],
  ] as const)
    assert.deepEqual(folded(...asks), result, JSON.stringify(asks))
})

test('keeps record sets of other names and types separate, in the order of their first entries', () => {
  const entry = (name: string, type: string, ask: Ask, place: number) => ({
    change: { name, type, ttl: 60, ask },
    place,
  })
  const result = withoutPauses(
    foldChanges([
      entry('b', 'A', replace('1'), 0),
      entry('a', 'A', replace('1'), 1),
      entry('b', 'AAAA', extend('::1'), 2),
      entry('b', 'A', extend('2'), 3),
    ]),
  )
  assert.deepEqual(
    result.map(({ change, place }) => [change.name, change.type, change.ask, place]),
    [
      ['b', 'A', replace('1', '2'), 3],
      ['a', 'A', replace('1'), 1],
      ['b', 'AAAA', extend('::1'), 2],
    ],
  )
})

test('the last TTL applies, unless a later entry replaces the record set', () => {
  assert.equal(foldedAt({ ask: extend('1'), ttl: 60 }, { ask: extend('2') }).change.ttl, 60)
  assert.equal(foldedAt({ ask: extend('1'), ttl: 60 }, { ask: extend('2'), ttl: 90 }).change.ttl, 90)
  assert.equal(foldedAt({ ask: replace('1'), ttl: 60 }, { ask: replace() }, { ask: extend('2') }).change.ttl, undefined)
})

test('a fault of a value counts only if the value is finally written', () => {
  const fault = { code: 'bad_rdata', message: 'no' }
  const faulty = { ask: extend('1'), ifNew: [{ value: '1', fault }] }
  const named = { ask: extend('1'), ifNew: [{ fault }] }
  assert.deepEqual(foldedAt(faulty).change.ifNew, [{ value: '1', fault }])
  assert.equal(foldedAt(faulty, { ask: prune('1') }).change.ifNew, undefined)
  assert.equal(foldedAt(faulty, { ask: replace('2') }).change.ifNew, undefined)
  assert.deepEqual(foldedAt(named, { ask: extend('2') }).change.ifNew, [{ fault }])
  assert.equal(foldedAt(named, { ask: prune('1') }).change.ifNew, undefined)
})

test('folding many entries into one large record set takes time only for their values', () => {
  const values = Array.from({ length: 200_000 }, (_, i) => String(i))
  const entries = [replace(...values.slice(0, 1)), ...Array.from({ length: 10_000 }, (_, i) => extend(`more ${i}`))]
  const large = {
    change: { name: 'a', type: 'A', ttl: 60, ask: { kind: 'replace' as const, records: values } },
    place: 0,
  }
  const all = [large, ...entries.slice(1).map((ask, i) => ({ change: { ...large.change, ask }, place: i + 1 }))]
  const startMs = performance.now()
  const [only] = withoutPauses(foldChanges(all))
  assert.equal(only?.change.ask.kind === 'replace' && only.change.ask.records.length, 210_000)
  // One pass over the record set for each entry would take a minute.
  assert.ok(performance.now() - startMs < 5_000)
})
