import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Slots } from './slots.ts'

/** Work that continues when the test allows it, and the order in which its pieces began. */
function pieces(slots: Slots) {
  const began: string[] = []
  const goOn: (() => void)[] = []
  const ask = (name: string, owner?: string): Promise<string> =>
    slots.run(async () => {
      began.push(name)
      await new Promise<void>((resolve) => goOn.push(resolve))
      return name
    }, owner)
  const finishAll = async (): Promise<void> => {
    for (let next = goOn.shift(); next !== undefined; next = goOn.shift()) {
      next()
      await turn()
    }
  }
  return { began, ask, finishAll }
}

test('at most the given number run at once, and the others start in the order in which they came', async () => {
  const { began, ask, finishAll } = pieces(new Slots(2))
  const all = ['a', 'b', 'c', 'd'].map((name) => ask(name))
  await turn()
  assert.deepEqual(began, ['a', 'b'])
  await finishAll()
  assert.deepEqual(await Promise.all(all), ['a', 'b', 'c', 'd'])
  assert.deepEqual(began, ['a', 'b', 'c', 'd'])
})

test('owners take turns, however much work one of them has', async () => {
  const { began, ask, finishAll } = pieces(new Slots(1))
  const flood = Array.from({ length: 1_000 }, (_, n) => ask(`flood ${n}`, 'flood'))
  const others = [ask('other 0', 'other'), ask('third', 'third'), ask('other 1', 'other')]
  await finishAll()
  await Promise.all([...flood, ...others])
  assert.deepEqual(began.slice(0, 6), ['flood 0', 'flood 1', 'other 0', 'third', 'flood 2', 'other 1'])
  assert.equal(began.length, 1_003)
})

test('failed work frees its place', async () => {
  const slots = new Slots(1)
  const outcomes = await Promise.allSettled(
    [1, 2, 3].map((n) => slots.run(async () => (n === 1 ? Promise.reject(new Error('failed')) : n))),
  )
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'fulfilled', 'fulfilled'],
  )
})

test('the waiting work of one owner is limited, and others can still wait', async () => {
  const { began, ask, finishAll } = pieces(new Slots(1, 2))
  const flood = Array.from({ length: 10 }, (_, n) => ask(`flood ${n}`, 'flood'))
  const outcomes = Promise.allSettled(flood)
  const other = ask('other', 'other')
  await finishAll()
  assert.equal(await other, 'other')
  const refused = (await outcomes).filter(({ status }) => status === 'rejected') as PromiseRejectedResult[]
  assert.equal(refused.length, 7)
  for (const { reason } of refused)
    assert.deepEqual([reason.code, reason.headers], ['unavailable', { 'retry-after': '5' }])
  assert.deepEqual(began, ['flood 0', 'flood 1', 'other', 'flood 2'])
  // Nothing is left of those that were refused.
  const later = ask('later', 'flood')
  await finishAll()
  assert.equal(await later, 'later')
})

test('the running work of one owner is limited, which leaves the other places to others', async () => {
  const { began, ask, finishAll } = pieces(new Slots(3, Number.POSITIVE_INFINITY, 2))
  const all = [...[1, 2, 3, 4].map((n) => ask(`flood ${n}`, 'flood')), ask('other', 'other'), ask('third', 'third')]
  await turn()
  assert.deepEqual(began, ['flood 1', 'flood 2', 'other'])
  await finishAll()
  await Promise.all(all)
  assert.deepEqual(began.slice(3), ['flood 3', 'third', 'flood 4'])
})
