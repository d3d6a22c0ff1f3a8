import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseName } from '@zonewright/dns'
import { Pace } from './pace.ts'

const zone = parseName('busy.test.')

test('a zone never waits in a quiet installation', () => {
  const pace = new Pace()
  pace.changed(0)
  pace.started(zone)
  assert.equal(pace.waitMs(zone), 0)
})

test('in a busy installation, a zone that was just announced waits for the next beat, but no other zone does', () => {
  const pace = new Pace()
  for (let i = 0; i < 500; i++) pace.changed(0)
  assert.equal(pace.waitMs(zone), 0)
  pace.started(zone)
  const waitMs = pace.waitMs(zone)
  assert.ok(waitMs > 0 && waitMs <= 1_000, String(waitMs))
  assert.equal(pace.waitMs(parseName('quiet.test.')), 0)
})

test('in a very busy installation, beats are two seconds apart, and each of them is also a one-second beat', () => {
  const startMs = 10_300
  const waitMs = (changes: number): number => {
    const pace = new Pace(() => startMs)
    for (let i = 0; i < changes; i++) pace.changed(0)
    pace.started(zone)
    return pace.waitMs(zone)
  }
  assert.deepEqual([100, 500, 3_000].map(waitMs), [0, 700, 1_700])
})

test('from 50 changes a second, zones wait for the beat while changes are concurrent, and for two seconds longer', () => {
  let nowMs = 10_300
  const waitMs = (changes: number, underWay: number, laterMs = 0): number => {
    nowMs = 10_300
    const pace = new Pace(() => nowMs)
    for (let i = 0; i < changes; i++) pace.changed(i === 0 ? underWay : 0)
    nowMs += laterMs
    for (let i = 0; laterMs > 0 && i < changes; i++) pace.changed(0)
    pace.started(zone)
    return pace.waitMs(zone)
  }
  assert.equal(waitMs(100, 1), 0, 'each waits for the one before')
  assert.equal(waitMs(100, 2), 700)
  assert.equal(waitMs(40, 2), 0, 'too few to matter')
  assert.equal(waitMs(100, 2, 1_900), 800)
  assert.equal(waitMs(100, 2, 2_000), 0)
})
