import assert from 'node:assert/strict'
import { test } from 'node:test'
import { backOffS } from './back-off.ts'

test('each command that cannot be sent doubles the pause, up to the maximum for its owner', () => {
  const pauses = (owner: Parameters<typeof backOffS>[0], misses: readonly number[]) =>
    misses.map((each) =>
      backOffS(owner, [{ state: 'done' }, ...Array.from({ length: each }, () => ({ state: 'not_done' }) as const)]),
    )
  assert.deepEqual(pauses('order', [0, 1, 2, 5, 6, 7, 500, 5_000]), [5, 10, 20, 160, 300, 300, 300, 300])
  assert.deepEqual(pauses('change', [0, 1, 2, 7, 8, 9, 500, 5_000]), [15, 30, 60, 1_920, 3_600, 3_600, 3_600, 3_600])
})
