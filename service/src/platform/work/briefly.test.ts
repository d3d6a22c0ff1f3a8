import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '#testing/eventually.ts'
import { briefly } from './briefly.ts'

test('callers at the same time share one piece of work, and so do callers while its result is kept', async () => {
  let works = 0
  const ask = briefly(
    async () => ++works,
    () => 60_000,
  )
  assert.deepEqual(await Promise.all(Array.from({ length: 100 }, ask)), new Array(100).fill(1))
  assert.equal(await ask(), 1)
})

test('a result is computed again after its time is over', async () => {
  let works = 0
  const ask = briefly(
    async () => ++works,
    () => 5,
  )
  await ask()
  await eventually('it was worked out again', async () => (await ask()) > 1)
})

test('how long it is kept may depend on what it cost', async () => {
  const costs: number[] = []
  const ask = briefly(
    () => new Promise<void>((resolve) => setTimeout(resolve, 20)),
    (tookMs) => costs.push(tookMs),
  )
  await ask()
  await eventually('it is known', async () => costs.length === 1)
  assert.ok((costs[0] ?? 0) >= 15)
})

test('all waiting callers get the failure, and the next caller tries again', async () => {
  let works = 0
  const ask = briefly(
    async () => {
      works += 1
      if (works === 1) throw new Error('not now')
      return works
    },
    () => 60_000,
  )
  const failed = await Promise.allSettled([ask(), ask()])
  assert.deepEqual(
    failed.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  await eventually('it is asked anew', async () => (await ask()) === 2)
})
