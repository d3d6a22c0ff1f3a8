import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FailingTime, type JudgedAttempt, judge } from './failing-time.ts'

const start = new Date('2026-11-20T00:00:00Z')
const hourMs = 3_600_000
const at = (hours: number): Date => new Date(start.getTime() + hours * hourMs)

/** One attempt of a story: its time, event, kind and outcome. The failures of an event are counted here. */
type Step = readonly [
  hours: number,
  event: string,
  what: 'fails' | 'succeeds' | 'test fails' | 'test succeeds' | 'resend fails' | 'resend succeeds',
  verdict?: 'warn' | 'disable',
]

function play(steps: readonly Step[]): FailingTime | null {
  const failures = new Map<string, number>()
  let failing: FailingTime | null = null
  for (const [i, [hours, eventId, what, wanted = 'none']] of steps.entries()) {
    if (what === 'fails') failures.set(eventId, (failures.get(eventId) ?? 0) + 1)
    const attempt: JudgedAttempt = {
      succeeded: what.endsWith('succeeds'),
      eventId,
      isReal: what === 'fails' || what === 'succeeds',
      failures: failures.get(eventId) ?? 0,
    }
    const judgement = judge(failing, attempt, at(hours))
    assert.equal(judgement.verdict, wanted, `step ${i + 1}: ${eventId} ${what} at ${hours} h`)
    failing = judgement.failing
  }
  return failing
}

const stories: Readonly<Record<string, readonly Step[]>> = {
  'two events fail 3 days apart, the later one twice': [
    [0, 'a', 'fails'],
    [72, 'b', 'fails'],
    [72.02, 'b', 'fails', 'disable'],
  ],
  'the later event has failed once': [
    [0, 'a', 'fails'],
    [100, 'b', 'fails'],
  ],
  'one event alone is retried for however long': [
    [0, 'a', 'fails'],
    [1, 'a', 'fails'],
    [23.9, 'a', 'fails'],
    [41, 'a', 'fails', 'warn'],
    [200, 'a', 'fails', 'warn'],
  ],
  'an hour before 3 days': [
    [0, 'a', 'fails'],
    [0.1, 'b', 'fails'],
    [71, 'b', 'fails', 'warn'],
    [71.99, 'c', 'fails'],
    [72, 'c', 'fails', 'disable'],
  ],
  'a failed test 3 days ago': [
    [0, 'ping', 'test fails'],
    [80, 'a', 'fails'],
    [80.1, 'a', 'fails'],
    [80.2, 'b', 'fails'],
    [80.3, 'b', 'fails'],
  ],
  'a failed resend 3 days ago': [
    [0, 'old', 'resend fails'],
    [80, 'a', 'fails'],
    [80.1, 'a', 'fails'],
  ],
  'a test and a resend that fail never disable': [
    [0, 'a', 'fails'],
    [0.1, 'b', 'fails'],
    [80, 'ping', 'test fails'],
    [81, 'b', 'resend fails'],
    [82, 'b', 'resend fails'],
  ],
  'a success in between': [
    [0, 'a', 'fails'],
    [40, 'b', 'succeeds'],
    [72, 'c', 'fails'],
    [72.1, 'c', 'fails'],
    [112.1, 'c', 'fails', 'warn'],
  ],
  'a test that succeeds in between': [
    [0, 'a', 'fails'],
    [40, 'ping', 'test succeeds'],
    [80, 'b', 'fails'],
    [80.1, 'b', 'fails'],
  ],
  'a resend that succeeds in between': [
    [0, 'a', 'fails'],
    [40, 'a', 'resend succeeds'],
    [80, 'b', 'fails'],
    [80.1, 'b', 'fails'],
  ],
  'the first event fails again 3 days after another one': [
    [0, 'a', 'fails'],
    [1, 'b', 'fails'],
    [72.5, 'a', 'fails', 'warn'],
    [73, 'a', 'fails', 'disable'],
  ],
  'the same event 3 days later, although another one failed a moment ago': [
    [0, 'a', 'fails'],
    [80, 'b', 'fails'],
    [80.1, 'a', 'fails', 'warn'],
    [80.2, 'b', 'fails', 'disable'],
  ],
  'a day of failures': [
    [0, 'a', 'fails'],
    [0.1, 'a', 'fails'],
    [23.9, 'b', 'fails'],
    [23.95, 'b', 'fails'],
    [24, 'c', 'fails'],
    [24.1, 'c', 'fails', 'warn'],
  ],
  'a quiet week after one failure, then an ordinary hiccup': [
    [0, 'a', 'fails'],
    [168, 'b', 'fails'],
    [168.02, 'b', 'succeeds'],
    [168.1, 'c', 'fails'],
    [168.2, 'c', 'fails'],
  ],
}

for (const [name, steps] of Object.entries(stories))
  test(`whether an endpoint is warned or disabled: ${name}`, () => {
    play(steps)
  })

test('the failing time begins with the first failure of a real event, and any success ends it', () => {
  assert.equal(
    play([
      [0, 'ping', 'test fails'],
      [1, 'x', 'resend fails'],
    ]),
    null,
  )
  assert.deepEqual(
    play([
      [1, 'a', 'fails'],
      [2, 'a', 'fails'],
    ]),
    { since: at(1), eventId: 'a', otherSince: null },
  )
  const two: Step[] = [
    [1, 'a', 'fails'],
    [2, 'b', 'fails'],
    [3, 'c', 'fails'],
  ]
  assert.deepEqual(play(two), { since: at(1), eventId: 'a', otherSince: at(2) })
  assert.deepEqual(play([...two, [4, 'ping', 'test fails'], [5, 'a', 'resend fails']]), play(two))
  for (const what of ['succeeds', 'test succeeds', 'resend succeeds'] as const)
    assert.equal(play([...two, [6, 'd', what]]), null)
})
