import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderLimitWaitS, ordersPerHour } from './rules.ts'

const ages = (count: number, first: number): number[] => Array.from({ length: count }, (_, n) => first + n * 10)

test('a key waits until fewer than 20 of its orders are younger than an hour', () => {
  assert.equal(orderLimitWaitS([]), undefined)
  assert.equal(orderLimitWaitS(ages(ordersPerHour - 1, 5)), undefined)
  // The oldest of twenty is 195 s old.
  assert.equal(orderLimitWaitS(ages(ordersPerHour, 5)), 3_405)
  assert.equal(orderLimitWaitS(ages(ordersPerHour, 5).reverse()), 3_405)
  // Of more than twenty, all but nineteen must become older than an hour.
  assert.equal(orderLimitWaitS(ages(ordersPerHour + 5, 5)), 3_405)
  assert.equal(orderLimitWaitS([...ages(5, 3_000), ...ages(ordersPerHour, 5.5)]), 3_405)
  assert.equal(orderLimitWaitS(ages(ordersPerHour, 3_409.9)), 1)
})
