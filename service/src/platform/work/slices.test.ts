import assert from 'node:assert/strict'
import { readFile } from 'node:fs'
import { test } from 'node:test'
import { afterOthers, inSlices, sliceMs, withoutPauses } from './slices.ts'

/** Steps that keep the processor busy for a millisecond each. */
function* busySteps(steps: number): Generator<undefined, string> {
  for (let i = 0; i < steps; i++) {
    const endMs = performance.now() + 1
    while (performance.now() < endMs);
    yield
  }
  return 'done'
}

test('others get their turn during long work, and the work returns its result at the end', async () => {
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

test('short work finishes at once, and an error that work throws is passed on', async () => {
  // The machine may have delayed it for longer than a slice. Then others must get their turn, and the test runs it once more.
  let hadTurn: boolean
  do {
    hadTurn = false
    const turn = setImmediate(() => {
      hadTurn = true
    })
    const beganAtMs = performance.now()
    assert.equal(await inSlices(busySteps(1)), 'done')
    const tookMs = performance.now() - beganAtMs
    clearImmediate(turn)
    assert.ok(!hadTurn || tookMs >= sliceMs, `others had their turn after ${tookMs} ms`)
  } while (hadTurn)
  const failing = (function* (): Generator<undefined, never> {
    yield
    throw new RangeError('no')
  })()
  await assert.rejects(inSlices(failing), RangeError)
})

test('after the callback of a connection or a file, a due timer runs before the work continues', async () => {
  for (let i = 0; i < 20; i++) {
    const order: string[] = []
    await new Promise<void>((resolve, reject) => {
      readFile(import.meta.filename, () => {
        setTimeout(() => order.push('timer'), 1)
        withoutPauses(busySteps(3))
        afterOthers().then(() => {
          order.push('work')
          resolve()
        }, reject)
      })
    })
    assert.deepEqual(order, ['timer', 'work'])
  }
})
