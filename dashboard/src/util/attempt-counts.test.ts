import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chartPeriodOf, countsInWords } from './attempt-counts.ts'

const hour = (succeeded: number, failed: number, average_ms: number | null, slowest_ms: number | null) => ({
  at: '2026-11-28T12:00:00.000Z',
  ...{ succeeded, failed, average_ms, slowest_ms },
})

test('one sentence describes the charts, with the average over all requests', () => {
  const counts = [hour(999, 1, 100, 2_500), hour(0, 0, null, null), hour(1, 999, 300, 900)]
  assert.equal(
    countsInWords(counts, 'week'),
    'In the last 7 days: 1,000 delivered, 1,000 failed, 200 ms on average, 2,500 ms at most.',
  )
  assert.equal(countsInWords([hour(0, 0, null, null)], 'day'), 'No requests in the last 24 hours.')
})

test('an unknown or missing period in the address means one day', () => {
  assert.deepEqual([chartPeriodOf('week'), chartPeriodOf('x'), chartPeriodOf(undefined)], ['week', 'day', 'day'])
})
