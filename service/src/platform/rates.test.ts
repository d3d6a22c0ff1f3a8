import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type RateLimit, Rates } from './rates.ts'

const limit: RateLimit = { name: 'test', most: 5, windowS: 60, excess: 'You made 5 requests within a minute' }

/** Rates whose clock is set by hand. */
function ratesAt(options: { limit?: RateLimit; maxCallers?: number } = {}) {
  const clock = { ms: 1_000_000 }
  const rates = new Rates(options.limit ?? limit, { ...options, now: () => clock.ms })
  return { clock, rates, admitted: (caller: string) => rates.take(caller).isAdmitted }
}

test('admits as many calls as the limit, refuses the next one, and does not count refused ones', () => {
  const { clock, rates, admitted } = ratesAt()
  for (let n = 1; n <= 5; n++) assert.equal(rates.take('a').remaining, 5 - n)
  for (let n = 0; n < 100; n++) assert.equal(admitted('a'), false)
  clock.ms += 60_000
  assert.equal(admitted('a'), true)
})

test('each caller is counted separately', () => {
  const { admitted } = ratesAt()
  for (let n = 0; n < 6; n++) admitted('a')
  assert.equal(admitted('a'), false)
  assert.equal(admitted('b'), true)
})

test('a refusal says exactly when the next call is admitted', () => {
  const { clock, rates, admitted } = ratesAt()
  for (let n = 0; n < 5; n++) {
    admitted('a')
    clock.ms += 2_000
  }
  const { resetS, isAdmitted } = rates.take('a')
  assert.deepEqual([isAdmitted, resetS], [false, 50])
  clock.ms += (resetS - 1) * 1000
  assert.equal(admitted('a'), false)
  clock.ms += 1000
  assert.equal(admitted('a'), true)
  assert.equal(admitted('a'), false, 'one came in place of the one that left')
})

test('no window of 60 s ever holds more than the limit, and a caller below it is never refused', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 200 }), (gaps) => {
      const { clock, admitted } = ratesAt()
      const times: number[] = []
      for (const gap of gaps) {
        clock.ms += gap
        const within = (ms: number) => times.filter((time) => time > clock.ms - ms).length
        const isAdmitted = admitted('a')
        // Calls of one second leave together, so that a call may wait for up to a second more.
        if (within(61_000) < limit.most) assert.ok(isAdmitted)
        if (within(60_000) >= limit.most) assert.ok(!isAdmitted)
        if (isAdmitted) times.push(clock.ms)
      }
    }),
  )
})

test('the table has a fixed size, and forgets the caller that has been quiet for the longest', () => {
  const { rates, admitted } = ratesAt({ maxCallers: 100 })
  for (let n = 0; n < 6; n++) admitted('busy')
  for (let n = 0; n < 10_000; n++) {
    admitted(`spoofed ${n}`)
    assert.equal(admitted('busy'), false, 'one that goes on asking is not forgotten')
  }
  assert.equal(rates.size, 100)
})

test('calls beyond the burst wait for their turn, in the order in which they came', () => {
  const { clock, rates } = ratesAt({ limit: { ...limit, most: 1_000, pace: { burst: 3, perSecond: 10 } } })
  const waits = Array.from({ length: 6 }, () => rates.take('a').waitMs)
  assert.deepEqual(waits, [0, 0, 0, 100, 200, 300])
  clock.ms += 400
  assert.deepEqual([rates.take('a').waitMs, rates.take('a').waitMs], [0, 100])
  clock.ms += 60_000
  assert.deepEqual(
    [1, 2, 3, 4].map(() => rates.take('a').waitMs),
    [0, 0, 0, 100],
    'the burst is there again',
  )
})

test('refusals of a flood are spread out, and none waits longer than a second', () => {
  const { rates } = ratesAt()
  for (let n = 0; n < 5; n++) rates.take('a')
  const waits = Array.from({ length: 1_000 }, () => rates.take('a').waitMs)
  assert.equal(waits.filter((ms) => ms === 0).length, 50)
  assert.ok(waits.every((ms, i) => ms >= (waits[i - 1] ?? 0)))
  assert.equal(waits.at(-1), 1_000)
})
