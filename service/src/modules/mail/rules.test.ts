import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepTryingS, retryDelayS } from './rules.ts'

test('an email is retried at growing intervals for nearly two days', () => {
  const delays: number[] = []
  for (let delay = retryDelayS(1, 'deferred'); delay !== null; delay = retryDelayS(delays.length + 1, 'deferred'))
    delays.push(delay)
  const total = delays.reduce((sum, delay) => sum + delay, 0)
  assert.ok(total < keepTryingS && total > keepTryingS - 2 * 3_600, `${total / 3_600} hours`)
  assert.equal(delays[0], 15, 'somebody may be waiting for it')
})

test('a permanently refused email is not retried, and any other failure is', () => {
  assert.equal(retryDelayS(1, 'refused'), null)
  for (const failure of ['deferred', 'denied', 'unreachable', 'tls', 'timeout', 'unreadable'] as const)
    assert.notEqual(retryDelayS(1, failure), null, failure)
})
