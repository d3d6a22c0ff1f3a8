import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serialNewer, toSerial } from '@zonewright/dns'
import fc from 'fast-check'
import { type JournalStep, planIxfr, widenSerial } from './rules.ts'

const step = (from: number, to: number, changes = 1): JournalStep<string> => ({
  from,
  to,
  removed: [],
  added: Array.from({ length: changes }, (_, i) => `record ${i}`),
})

test('a requester with the current serial, or a later one, has nothing to fetch', () => {
  assert.equal(planIxfr(5, 5, 10, []).kind, 'unchanged')
  assert.equal(planIxfr(6, 5, 10, []).kind, 'unchanged')
})

test('differences are sent only if they lead from the requester’s serial to the current one without a gap', () => {
  assert.equal(planIxfr(1, 4, 10, [step(1, 2), step(2, 4)]).kind, 'steps')
  assert.equal(planIxfr(1, 4, 10, [step(2, 4)]).kind, 'whole')
  assert.equal(planIxfr(1, 4, 10, [step(1, 2), step(3, 4)]).kind, 'whole')
  assert.equal(planIxfr(1, 4, 10, [step(1, 2), step(2, 3)]).kind, 'whole')
  assert.equal(planIxfr(1, 4, 10, []).kind, 'whole')
})

test('differences that are larger than the zone itself are not sent', () => {
  assert.equal(planIxfr(1, 3, 6, [step(1, 2, 3), step(2, 3, 3)]).kind, 'steps')
  assert.equal(planIxfr(1, 3, 5, [step(1, 2, 3), step(2, 3, 3)]).kind, 'whole')
})

test('comparing widened serials as numbers gives the result of RFC 1982', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 40 }), fc.integer({ min: 0, max: 2 ** 32 - 1 }), (near, seen) => {
      const wide = widenSerial(toSerial(seen), near)
      assert.equal(toSerial(wide % 2 ** 32), seen)
      assert.equal(wide > near, serialNewer(toSerial(seen), toSerial(near % 2 ** 32)))
    }),
  )
})
