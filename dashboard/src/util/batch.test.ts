import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Attempt, Batch, countsOf } from './batch.ts'

const done: Attempt = { kind: 'done' }
const busy: Attempt = { kind: 'passing', message: 'busy' }

test('a refused item does not stop the others', async () => {
  const batch = new Batch(['a', 'b', 'c'], async (item) => (item === 'b' ? { kind: 'failed', message: 'no' } : done))
  await batch.start()
  assert.deepEqual(
    batch.view().states.map(({ kind }) => kind),
    ['done', 'failed', 'done'],
  )
  assert.deepEqual(countsOf(batch.view().states), { waiting: 0, done: 2, failed: 1 })
  assert.ok(!batch.view().isRunning)
})

test('while the service is busy, a batch waits as instructed, or longer each time, and skips nothing', async () => {
  const waits: number[] = []
  const answers = [busy, busy, { ...busy, waitS: 7 }, done, ...Array.from({ length: 8 }, () => busy), done]
  const asked: string[] = []
  const batch = new Batch(
    ['a', 'b'],
    async (item) => {
      asked.push(item)
      return answers.shift() ?? done
    },
    { sleep: async (ms) => void waits.push(ms / 1_000) },
  )
  await batch.start()
  assert.deepEqual(waits, [1, 2, 7, 1, 2, 4, 8, 16, 30, 30, 30])
  assert.equal(asked.join(''), 'aaaabbbbbbbbb')
  assert.deepEqual(countsOf(batch.view().states).done, 2)
})

test('a batch says why it waits and until when, and no longer says so once it continues', async () => {
  const seen: (string | undefined)[] = []
  const batch = new Batch(['a'], async () => (seen.length === 0 ? busy : done), {
    sleep: async () => void seen.push(batch.view().delay?.message),
  })
  await batch.start()
  assert.deepEqual([seen, batch.view().delay], [['busy'], undefined])
})

test('a paused batch keeps its results and continues with the rest; an item in progress is not sent twice', async () => {
  const asked: string[] = []
  const batch: Batch<string> = new Batch(['a', 'b', 'c'], async (item) => {
    asked.push(item)
    if (item === 'b' && asked.length === 2) batch.pause()
    return done
  })
  await batch.start()
  assert.deepEqual([asked.join(''), batch.view().isRunning], ['ab', false])
  assert.deepEqual(countsOf(batch.view().states), { waiting: 1, done: 2, failed: 0 })
  await Promise.all([batch.start(), batch.start()])
  assert.equal(asked.join(''), 'abc')
})

test('a batch that is paused while it waits can continue immediately; during an item, it waits for that item', async () => {
  const asked: string[] = []
  const slow = Promise.withResolvers<void>()
  const batch = new Batch(
    ['a', 'b'],
    async (item): Promise<Attempt> => {
      asked.push(item)
      if (asked.length === 1) return busy
      if (item === 'b') await slow.promise
      return done
    },
    { sleep: () => new Promise(() => undefined) },
  )
  const first = batch.start()
  await new Promise<void>((resolve) => {
    const stop = batch.listen(() => {
      if (batch.view().delay === undefined) return
      stop()
      resolve()
    })
  })
  batch.pause()
  await first
  const second = batch.start()
  while (asked.at(-1) !== 'b') await Promise.resolve()
  batch.pause()
  const third = batch.start()
  slow.resolve()
  await Promise.all([second, third])
  assert.deepEqual([asked.join(''), countsOf(batch.view().states).done], ['aab', 2])
})

test('a stored batch continues where it stopped', async () => {
  const asked: string[] = []
  const states = [{ kind: 'done' }, { kind: 'failed', message: 'no' }, { kind: 'waiting' }] as const
  const attempt = async (item: string) => {
    asked.push(item)
    return done
  }
  const batch = new Batch(['a', 'b', 'c', 'd'], attempt, { states })
  await batch.start()
  assert.equal(asked.join(''), 'cd')
})
