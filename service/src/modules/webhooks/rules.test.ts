import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultsOfEvents, retryDelayS } from './rules.ts'

test('eight attempts in about 42 hours: after 1, 5 and 30 minutes, then 2, 5, 10 and 24 hours', () => {
  const delays = [1, 2, 3, 4, 5, 6, 7, 8].map(retryDelayS)
  assert.deepEqual(delays, [60, 300, 1_800, 7_200, 18_000, 36_000, 86_400, null])
  const total = delays.reduce<number>((sum, delay) => sum + (delay ?? 0), 0)
  assert.equal(Math.round(total / 3_600), 42)
})

test('every unknown type or group is named by its place', () => {
  assert.deepEqual(faultsOfEvents(['order.*', 'zone.created', 'zone.*']), [])
  assert.deepEqual(
    faultsOfEvents(['order.*', 'invoice.*', '*', 'zone.created', 'ping.*']).map((fault) => fault.path),
    ['/events/1', '/events/2', '/events/4'],
  )
})
