import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextSerial } from './serial-clock.ts'

test('a serial is one higher than the last one of its zone, or equal to the clock if that is higher', () => {
  for (const [last, clock, next] of [
    [0, 1_795_000_000, 1_795_000_000],
    [100, 50, 101],
    [100, 101, 101],
    [1_795_000_000, 1_795_000_000, 1_795_000_001],
    [1_795_000_500, 1_795_000_000, 1_795_000_501],
    [2 ** 32 + 7, 1_795_000_000, 2 ** 32 + 8],
  ] as const)
    assert.equal(nextSerial(last, clock), next)
})
