import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliveryFilterOf, deliveryWords } from './delivery-words.ts'

const now = Date.parse('2026-11-28T12:00:00Z')
const retryIn = (seconds: number) => ({ attempt: 2, of: 8, at: new Date(now + seconds * 1_000).toISOString() })

test('a delivery whose attempt failed is failing, and shows which attempt comes next and when', () => {
  const failing = (seconds: number) => deliveryWords({ status: 'pending', retry: retryIn(seconds) }, now)
  assert.deepEqual(failing(240), { label: 'Failing: retry 2 of 8 in 4 minutes', look: 'badge-red' })
  assert.equal(failing(10).label, 'Failing: retry 2 of 8 in a moment')
  assert.equal(failing(-3).label, 'Failing: retry 2 of 8 now')
})

test('any other delivery shows its outcome, or that it is waiting', () => {
  const label = (status: Parameters<typeof deliveryWords>[0]['status']) => deliveryWords({ status, retry: null }).label
  assert.deepEqual(
    [label('pending'), label('succeeded'), label('failed'), label('skipped')],
    ['Waiting', 'Delivered', 'Failed', 'Skipped'],
  )
})

test('an old address that names the filter "failed" also shows failing deliveries', () => {
  assert.equal(deliveryFilterOf('failed'), 'failing')
  assert.equal(deliveryFilterOf('skipped'), 'skipped')
  assert.equal(deliveryFilterOf('nonsense'), undefined)
  assert.equal(deliveryFilterOf(undefined), undefined)
})
