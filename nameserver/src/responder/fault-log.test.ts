import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keptLog } from '../testing/kept-log.ts'
import { FaultLog } from './fault-log.ts'

test('faults are logged once a second, with their number, even after the clock was set back', () => {
  const log = keptLog()
  const faults = new FaultLog(log)
  const noteMany = (nowMs: number, count: number) => {
    faults.tick(nowMs)
    for (let each = 0; each < count; each++) faults.note(new Error('odd'))
  }
  noteMany(10_000, 5)
  noteMany(10_999, 3)
  noteMany(11_000, 2)
  noteMany(4_000, 1)
  assert.deepEqual(
    log.lines.map((line) => line['queries']),
    [1, 8, 2],
  )
  assert.equal(log.lines[0]?.['reason'], 'odd')
})
