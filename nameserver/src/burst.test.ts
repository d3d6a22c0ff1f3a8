import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Burst } from './burst.ts'
import { eventually } from './testing/eventually.ts'

test('a burst is reported when it ends; light load is not a burst', async () => {
  const told: number[] = []
  let runs = 0
  const burst = new Burst(100, () => told.push(runs), 20)
  const run = (times: number) => {
    for (let each = 0; each < times; each++, runs++) burst.count()
  }
  run(99)
  run(51)
  await eventually('the first burst is over', () => told.length > 0)
  run(99)
  run(1)
  await eventually('the second burst is over', () => told.length > 1)
  assert.deepEqual(told, [150, 250])
  burst.stop()
})
