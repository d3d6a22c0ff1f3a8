import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FoundKey } from './lookup-store.ts'
import { Minute } from './minute.ts'

/** A key with `used` requests in its window. Of its requests in this batch, the first `admitted` are admitted. */
function found(id: string, used: number, admitted: number): FoundKey {
  return { key: { id }, window: { used, admitted, oldestLeavesInMs: 30_000 } } as FoundKey
}

test('each request of a batch reports the number of requests left after it', () => {
  const one = found('one', 297, 2)
  const other = found('other', 300, 1)
  const placed = Minute.ofBatch([one, other, undefined, one, other], 300)
  assert.deepEqual(
    placed.map((each) => each?.minute.headers['ratelimit']),
    ['"minute";r=4;t=30', '"minute";r=0;t=30', undefined, '"minute";r=3;t=30', '"minute";r=0;t=30'],
  )
  const isRefused = placed.map((each) => {
    try {
      each?.minute.refuseExcess()
      return false
    } catch {
      return true
    }
  })
  assert.deepEqual(isRefused, [false, false, false, false, true])
})
