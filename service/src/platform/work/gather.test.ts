import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Gather } from './gather.ts'

test('a single question is sent at once, and those that come in the meantime share batches', async () => {
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

test('when a batch fails, its callers get the error and the next batch runs', async () => {
  let calls = 0
  const gather = new Gather<string, string>({ maxItems: 10 }, async (questions) => {
    if (++calls === 1) throw new Error('away')
    return questions
  })
  await assert.rejects(gather.ask('one'), /away/)
  assert.equal(await gather.ask('two'), 'two')
})

test('several batches may be in progress, but questions with the same key wait their turn', async () => {
  const batches: string[][] = []
  const endings: (() => void)[] = []
  const gather = new Gather<string, string>(
    { maxItems: 10, slots: 2, keyOf: (question) => question[0] ?? '' },
    async (questions) => {
      batches.push([...questions])
      await new Promise<void>((resolve) => endings.push(resolve))
      return questions
    },
  )
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  const asked = [gather.ask('a1')]
  await turn()
  asked.push(gather.ask('a2'), gather.ask('b1'))
  await turn()
  asked.push(gather.ask('c1'), gather.ask('b2'))
  await turn()
  assert.deepEqual(batches, [['a1'], ['b1']], 'a2 waits for a1; c1 for a free slot')
  endings[0]?.()
  await turn()
  assert.deepEqual(batches, [['a1'], ['b1'], ['a2', 'c1']], 'b2 waits for b1')
  endings[2]?.()
  await turn()
  assert.equal(batches.length, 3, 'nothing can run: all that waits has a key that is under way')
  endings[1]?.()
  await turn()
  endings[3]?.()
  assert.deepEqual(await Promise.all(asked), ['a1', 'a2', 'b1', 'c1', 'b2'])
})

test('a second batch starts only if enough questions wait, and a single question comes after the others', async () => {
  const batches: number[][] = []
  const releases: (() => void)[] = []
  const gather = new Gather<number, number>({ maxItems: 10, slots: 2, besides: 3 }, async (questions) => {
    batches.push([...questions])
    await new Promise<void>((resolve) => releases.push(resolve))
    return questions
  })
  const settled = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  const answers = [gather.ask(1)]
  await settled()
  answers.push(gather.ask(2), gather.ask(3))
  await settled()
  assert.deepEqual(batches, [[1]], 'two are too few to go beside it')
  answers.push(gather.ask(4))
  await settled()
  assert.deepEqual(batches, [[1], [2, 3, 4]])
  answers.push(gather.ask(5))
  releases[0]?.()
  releases[1]?.()
  await settled()
  assert.deepEqual(batches, [[1], [2, 3, 4], [5]])
  releases[2]?.()
  assert.deepEqual(await Promise.all(answers), [1, 2, 3, 4, 5])
})
