import assert from 'node:assert/strict'
import test from 'node:test'
import { judge, type Series, verdictTable } from './steady-state.ts'

const memory: Series = { name: 'memory', unit: 'MiB', samples: [], by: 'lowest', margin: { share: 0.05, amount: 16 } }
const latency: Series = { name: 'latency', unit: 'ms', samples: [], by: 'median', margin: { share: 1, amount: 2 } }
/** An hour of a process, measured once a minute; `noise` repeats. */
const hour = (at: (minute: number) => number, noise = [0, 9, -7, 14, 2, -12, 5]): number[] =>
  Array.from({ length: 60 }, (_, minute) => at(minute) + (noise[minute % noise.length] ?? 0))

test('a leak of 1 MiB a minute grows, in a small process and in a large one', () => {
  for (const base of [60, 150, 400]) {
    const verdict = judge({ ...memory, samples: hour((minute) => base + minute) })
    assert.equal(verdict.isSteady, false, JSON.stringify(verdict))
  }
})

test('noise around a level is steady, and so are single spikes', () => {
  const spikes = hour((minute) => (minute > 45 && minute % 3 === 0 ? 900 : 150))
  for (const figure of [memory, latency]) {
    assert.equal(judge({ ...figure, samples: hour(() => 150) }).isSteady, true)
    assert.equal(judge({ ...figure, samples: spikes }).isSteady, true)
  }
})

test('a held amount does not grow if it falls to its former level once, and grows if it never does', () => {
  const queue = (emptyAt: number) =>
    hour((minute) => (minute < 40 || minute === emptyAt ? 0 : 100 * (minute - 39)), [0])
  assert.equal(judge({ ...memory, samples: queue(59) }).isSteady, true)
  assert.equal(judge({ ...memory, samples: queue(60) }).isSteady, false)
})

test('a value per interval grows if it is higher in most intervals of the last quarter', () => {
  const slow = (isSlow: (minute: number) => boolean) => hour((minute) => (minute >= 45 && isSlow(minute) ? 500 : 150))
  assert.equal(judge({ ...latency, samples: slow((minute) => minute % 3 === 0) }).isSteady, true)
  assert.equal(judge({ ...latency, samples: slow((minute) => minute % 3 !== 0) }).isSteady, false)
})

test('growth in the first quarter is a warm-up', () => {
  const samples = hour((minute) => 80 + 10 * Math.min(minute, 14))
  assert.equal(judge({ ...memory, samples }).isSteady, true)
})

test('growth after the warm-up counts, whether it ends or begins late', () => {
  assert.equal(judge({ ...memory, samples: hour((minute) => 80 + Math.min(minute, 30)) }).isSteady, true)
  assert.equal(judge({ ...memory, samples: hour((minute) => 80 + 2 * Math.min(minute, 40)) }).isSteady, false)
  assert.equal(judge({ ...memory, samples: hour((minute) => (minute < 45 ? 150 : 180)) }).isSteady, false)
})

test('a figure that falls is steady', () => {
  assert.equal(judge({ ...memory, samples: hour((minute) => 150 - minute) }).isSteady, true)
})

test('the margin is a share of the level, or an amount if that is more', () => {
  const samples = (last: number) => Array.from({ length: 8 }, (_, i) => (i < 6 ? 1_000 : last))
  const verdict = judge({ ...memory, samples: samples(1_050) })
  assert.deepEqual([verdict.second, verdict.last, verdict.most, verdict.isSteady], [1_000, 1_050, 1_050, true])
  assert.equal(judge({ ...memory, samples: samples(1_051) }).isSteady, false)
  const small = { ...memory, margin: { share: 0.05, amount: 100 } }
  assert.equal(judge({ ...small, samples: samples(1_100) }).isSteady, true)
  assert.equal(judge({ ...small, samples: samples(1_101) }).isSteady, false)
})

test('an interval without a measurement does not count, and a figure without measurements is an error', () => {
  const samples = hour((minute) => (minute % 4 === 0 ? Number.NaN : 100 + minute))
  assert.equal(judge({ ...memory, samples }).isSteady, false)
  assert.throws(() => judge({ ...memory, samples: [1, 1, 1] }), /memory was not measured/)
  assert.throws(() => judge({ ...memory, samples: Array.from({ length: 60 }, () => Number.NaN) }), /was not measured/)
})

test('the table shows each figure with its verdict', () => {
  const steady = judge({ ...memory, samples: hour(() => 150, [0]) })
  const grows = judge({ ...memory, name: 'heap', samples: hour((minute) => 2 * minute, [0]) })
  assert.equal(
    verdictTable([steady, grows]),
    [
      'figure  unit  by      second quarter  last quarter  at most  verdict',
      'memory  MiB   lowest             150           150      166  steady',
      'heap    MiB   lowest              30            90       46  GROWS',
    ].join('\n'),
  )
})
