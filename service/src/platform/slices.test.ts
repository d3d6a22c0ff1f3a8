import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inSlices } from './slices.ts'

/** Steps that keep the processor busy for a millisecond each. */
function* busySteps(steps: number): Generator<undefined, string> {
  for (let i = 0; i < steps; i++) {
    const endMs = performance.now() + 1
    while (performance.now() < endMs);
    yield
  }
  return 'done'
}

test('others have their turn while long work goes on, and its result comes in the end', async () => {
  let turns = 0
  let isOver = false
  const takeTurn = (): void => {
    turns++
    if (!isOver) setImmediate(takeTurn)
  }
  setImmediate(takeTurn)
  assert.equal(await inSlices(busySteps(100)), 'done')
  isOver = true
  assert.ok(turns >= 10, `${turns} turns in 100 ms`)
})

test('short work is done at once, and what work throws is thrown', async () => {
  let turns = 0
  setImmediate(() => turns++)
  assert.equal(await inSlices(busySteps(1)), 'done')
  assert.equal(turns, 0)
  const failing = (function* (): Generator<undefined, never> {
    yield
    throw new RangeError('no')
  })()
  await assert.rejects(inSlices(failing), RangeError)
})
