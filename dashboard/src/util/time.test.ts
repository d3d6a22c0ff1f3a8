import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startOfDay } from './time.ts'

const { TZ: zone } = process.env
process.env['TZ'] = 'Europe/Berlin'
after(() => {
  if (zone === undefined) delete process.env['TZ']
  else process.env['TZ'] = zone
})

test('a day ends where the next one begins, also where clocks are put back or forward; what is no day has no beginning', () => {
  const hours = (day: string): number => (startOfDay(day, 1) - startOfDay(day)) / 3_600_000
  assert.deepEqual(['2026-10-24', '2026-10-25', '2026-03-29'].map(hours), [24, 25, 23])
  assert.equal(startOfDay('2026-10-31', 1), startOfDay('2026-11-01'))
  for (const day of ['', 'yesterday', '2026-13-01']) assert.ok(Number.isNaN(startOfDay(day)), day)
})
