import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Gather } from './gather.ts'

test('a lone question is asked at once, and what is asked meanwhile goes together', async () => {
  const batches: number[][] = []
  let release = (): void => undefined
  const gather = new Gather<number, number>({ maxItems: 10 }, async (questions) => {
    batches.push([...questions])
    if (batches.length === 1) {
      await new Promise<void>((resolve) => {
        release = resolve
      })
    }
    return questions.map((question) => question * 2)
  })
  const first = gather.ask(1)
  await Promise.resolve()
  const others = Array.from({ length: 12 }, (_, i) => gather.ask(i + 2))
  release()
  assert.deepEqual(
    await Promise.all([first, ...others]),
    Array.from({ length: 13 }, (_, i) => (i + 1) * 2),
  )
  assert.deepEqual(
    batches.map(({ length }) => length),
    [1, 10, 2],
  )
})

test('when a batch fails, its askers hear of it and the next batch runs', async () => {
  let calls = 0
  const gather = new Gather<string, string>({ maxItems: 10 }, async (questions) => {
    if (++calls === 1) throw new Error('away')
    return questions
  })
  await assert.rejects(gather.ask('one'), /away/)
  assert.equal(await gather.ask('two'), 'two')
})
