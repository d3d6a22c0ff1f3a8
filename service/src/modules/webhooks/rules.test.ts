import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Attempt, DueDelivery, LaneWork, Made } from './attempt.ts'
import { faultsOfEvents, type Group, maySend, retryDelayS, sendUntilMs, sharedLimits } from './rules.ts'

test('eight attempts take about 42 hours, with retries after 1, 5 and 30 minutes, then 2, 5, 10 and 24 hours', () => {
  const delays = [1, 2, 3, 4, 5, 6, 7, 8].map(retryDelayS)
  assert.deepEqual(delays, [60, 300, 1_800, 7_200, 18_000, 36_000, 86_400, null])
  const total = delays.reduce<number>((sum, delay) => sum + (delay ?? 0), 0)
  assert.equal(Math.round(total / 3_600), 42)
})

test('every unknown type or group is reported by its position', () => {
  assert.deepEqual(faultsOfEvents(['order.*', 'zone.created', 'zone.*']), [])
  assert.deepEqual(
    faultsOfEvents(['order.*', 'invoice.*', '*', 'zone.created', 'ping.*']).map((fault) => fault.path),
    ['/events/1', '/events/2', '/events/4'],
  )
})

const leasedAtMs = 1_000_000

function group({
  answers = [],
  isStruggling = false,
  isChanged = false,
}: {
  answers?: Partial<Attempt>[]
  isStruggling?: boolean
  isChanged?: boolean
} = {}): Group {
  const made = answers.map(
    (answer): Made => ({
      delivery: {} as DueDelivery,
      attempt: { failure: null, durationMs: 1, ...answer } as Attempt,
    }),
  )
  const work = { leasedAtMs, struggling: isStruggling } as LaneWork
  return { lane: { endpointId: 'whe_1', isChanged }, work, made, beganAtMs: leasedAtMs }
}

const accepted = (count: number): Partial<Attempt>[] => Array.from({ length: count }, () => ({}))

test('at most 16 deliveries are sent before they are recorded, and none once 200 ms have passed since the first', () => {
  assert.deepEqual(
    [0, 1, 15, 16].map((count) => maySend(group({ answers: accepted(count) }), leasedAtMs + 199)),
    [true, true, true, false],
  )
  assert.equal(maySend(group({ answers: accepted(1) }), leasedAtMs + 200), false)
})

test('while other lanes wait, at most 4 deliveries are sent before they are recorded, and none after 50 ms', () => {
  assert.deepEqual(
    [0, 1, 3, 4].map((count) => maySend(group({ answers: accepted(count) }), leasedAtMs + 49, sharedLimits)),
    [true, true, true, false],
  )
  assert.equal(maySend(group({ answers: accepted(1) }), leasedAtMs + 50, sharedLimits), false)
  assert.equal(maySend(group({ answers: [{ failure: 'status' }] }), leasedAtMs + 1, sharedLimits), false)
})

test('a failure ends a group, and so does a response that moves the lane to the other share', () => {
  const after = (answer: Partial<Attempt>, isStruggling = false) =>
    maySend(group({ answers: [{}, answer], isStruggling }), leasedAtMs + 10)
  assert.equal(after({}), true)
  assert.equal(after({ failure: 'status' }), false)
  assert.equal(after({ failure: 'timeout' }, true), false, 'also in a lane that fails anyway')
  assert.equal(after({ durationMs: 1_000 }), false, 'it is slow by now')
  assert.equal(after({}, true), false, 'it is healthy by now')
})

test('a change of the endpoint, or a resend, ends a group before its next delivery, even before its first', () => {
  for (const answers of [[], accepted(3)])
    assert.equal(maySend(group({ answers, isChanged: true }), leasedAtMs + 10), false)
})

test('nothing is sent in the last 12 s of a 30 s lease, not even a first delivery', () => {
  assert.equal(sendUntilMs({ leasedAtMs }), leasedAtMs + 18_000)
  assert.equal(maySend(group(), leasedAtMs + 17_999), true)
  assert.equal(maySend(group(), leasedAtMs + 18_000), false)
  assert.equal(maySend(group(), leasedAtMs + 40_000), false)
})
