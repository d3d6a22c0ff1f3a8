import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually } from '#testing/eventually.ts'
import { createLogger } from '../log.ts'
import { ClaimedWork, type ClaimedWorkOptions } from './claimed-work.ts'

/** A queue of numbers. The test ends each item. */
class Trial {
  readonly due: number[]
  readonly claims: number[] = []
  readonly underWay = new Map<number, { end(): void; fail(): void }>()
  most = 0
  readonly part: ClaimedWork<number>

  constructor(
    items: number,
    more: Pick<ClaimedWorkOptions<number>, 'max' | 'least' | 'shares'> & { look?: () => Promise<boolean> },
  ) {
    this.due = Array.from({ length: items }, (_, i) => i)
    this.part = new ClaimedWork<number>({
      name: 'trial',
      log: createLogger('test', 'silent'),
      look: async () => this.due.length > 0,
      claim: async (max, full) => {
        this.claims.push(max)
        const claimed = this.due.filter((item) => !full.includes(more.shares?.of(item) ?? '')).slice(0, max)
        for (const item of claimed) this.due.splice(this.due.indexOf(item), 1)
        return claimed
      },
      work: (item) =>
        new Promise<void>((resolve, reject) => {
          this.underWay.set(item, { end: resolve, fail: () => reject(new Error('it broke')) })
          this.most = Math.max(this.most, this.underWay.size)
        }).finally(() => this.underWay.delete(item)),
      about: (item) => ({ item }),
      ...more,
    })
    after(() => {
      for (const { end } of this.underWay.values()) end()
      return this.part.stop()
    })
  }

  begun(size: number): Promise<unknown> {
    return eventually(`${size} are under way`, async () => this.underWay.size === size)
  }

  end(...items: number[]): void {
    for (const item of items) this.underWay.get(item)?.end()
  }
}

test('an item that hangs keeps its place, and all others are worked on around it', async () => {
  const trial = new Trial(50, { max: 4 })
  trial.part.start()
  await trial.begun(4)
  await eventually('all but the first have ended', async () => {
    trial.end(...[...trial.underWay.keys()].filter((item) => item !== 0))
    return trial.due.length === 0 && trial.underWay.size === 1
  })
  assert.ok(trial.underWay.has(0))
  assert.equal(trial.most, 4, 'never more at once')
})

test('an item that fails gives its place to the next', async () => {
  const trial = new Trial(3, { max: 1 })
  trial.part.start()
  for (const item of [0, 1, 2]) {
    await eventually(`${item} is under way`, async () => trial.underWay.has(item))
    trial.underWay.get(item)?.fail()
  }
  await trial.begun(0)
  assert.equal(trial.most, 1)
})

test('claims as many items as there are places, and claims nothing while nothing more is due', async () => {
  const trial = new Trial(3, { max: 8 })
  trial.part.start()
  await trial.begun(3)
  trial.end(0, 1, 2)
  await trial.begun(0)
  assert.deepEqual(trial.claims, [8], 'fewer came than were asked for: an end is no reason to ask again')
  trial.due.push(3)
  trial.part.wake()
  await trial.begun(1)
  assert.deepEqual(trial.claims, [8, 8])
})

test('with a minimum claim, it waits until that many places are free', async () => {
  const trial = new Trial(9, { max: 4, least: 3 })
  trial.part.start()
  await trial.begun(4)
  trial.end(0, 1)
  await trial.begun(2)
  trial.part.wake()
  assert.deepEqual(trial.claims, [4])
  trial.end(2)
  await trial.begun(4)
  assert.deepEqual(trial.claims, [4, 3])
})

test('a share that hangs keeps to its own places, and the others continue around it', async () => {
  const isHanging = (item: number) => item < 20
  const trial = new Trial(40, { max: 8, shares: { of: (item) => (isHanging(item) ? 'hanging' : 'well'), max: 3 } })
  const hanging = () => [...trial.underWay.keys()].filter(isHanging)
  trial.part.start()
  await trial.begun(6)
  assert.deepEqual([...trial.underWay.keys()], [0, 1, 2, 20, 21, 22])
  await eventually('all others have ended', async () => {
    trial.end(...[...trial.underWay.keys()].filter((item) => !isHanging(item)))
    return trial.underWay.size === 3 && trial.due.every(isHanging)
  })
  assert.deepEqual(hanging(), [0, 1, 2])
  trial.end(1)
  await eventually('the next of it has the place', async () => trial.underWay.has(3))
  assert.deepEqual(hanging(), [0, 2, 3])
  assert.equal(trial.most, 6)
})

test('while only a full share has more due, it claims again only when an item of that share has ended', async () => {
  const isHanging = (item: number) => item < 20
  const shares = { of: (item: number) => (isHanging(item) ? 'hanging' : 'well'), max: 3 }
  // No sweep finds anything: only ended items lead to claims.
  const trial = new Trial(22, { max: 8, shares, look: async () => false })
  trial.part.start()
  await trial.begun(5)
  assert.deepEqual(trial.claims, [3, 3])
  trial.end(20, 21)
  await trial.begun(3)
  trial.end(1)
  await eventually('the next of it has the place', async () => trial.underWay.has(3))
  await eventually('it was asked for no more', async () => trial.claims.length > 3)
  assert.deepEqual(trial.claims, [3, 3, 1, 3])
})

test('while all shares are full, nothing is claimed', async () => {
  const shares = { of: (item: number) => (item % 2 === 0 ? 'even' : 'odd'), max: 2, all: ['even', 'odd'] }
  const trial = new Trial(8, { max: 8, shares })
  trial.part.start()
  await trial.begun(4)
  assert.deepEqual(trial.claims, [2, 1, 1])
  trial.part.wake()
  trial.end(1)
  await eventually('the next of it has the place', async () => trial.underWay.has(5))
  assert.deepEqual(trial.claims, [2, 1, 1, 1])
})

test('after a stop, it claims no more items and waits for those in progress', async () => {
  const trial = new Trial(5, { max: 2 })
  trial.part.start()
  await trial.begun(2)
  let isStopped = false
  const stopping = trial.part.stop().then(() => {
    isStopped = true
  })
  trial.end(0)
  await trial.begun(1)
  assert.equal(isStopped, false)
  trial.end(1)
  await stopping
  assert.deepEqual([trial.due.length, trial.underWay.size], [3, 0])
})
