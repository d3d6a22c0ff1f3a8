import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inParts, isChanging, outcomeText } from './plan-parts.ts'

test('the outcome of a plan names only what happened', () => {
  assert.equal(outcomeText(['applied']), '1 zone changed.')
  assert.equal(
    outcomeText([...Array(297).fill('applied'), 'stale', 'stale', 'stale']),
    '297 zones changed. 3 zones had changed since the review and were left as they are.',
  )
  assert.equal(
    outcomeText(['applied', 'unchanged', 'stale', 'refused']),
    '1 zone changed. 1 zone already had these records. 1 zone had changed since the review and was left as it is. 1 zone could not be changed.',
  )
})

test('a plan does not change a zone with errors or without differences', () => {
  const changes = [{}]
  assert.ok(isChanging({ diff: { changes }, errors: [] }))
  assert.ok(!isChanging({ diff: { changes: [] }, errors: [] }))
  assert.ok(!isChanging({ diff: { changes }, errors: [{}] }))
})

test('parts keep their order and have at most the given number of items', () => {
  assert.deepEqual(inParts([1, 2, 3], 2), [[1, 2], [3]])
  assert.deepEqual(inParts([], 2), [])
})
