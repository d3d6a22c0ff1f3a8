import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { dayInWords, exactly, inWords, setTimeZone, startOfDay, timeOfDay, withDates } from './time.ts'

beforeEach(() => setTimeZone('Europe/Berlin'))
after(() => setTimeZone(null))

test('times and days are in the chosen time zone, and an unknown time zone changes nothing', () => {
  const at = '2026-06-15T22:30:00Z'
  assert.deepEqual([exactly(at), timeOfDay(at)], ['16 Jun 2026, 00:30', '00:30'])
  assert.equal(setTimeZone('America/New_York'), true)
  assert.equal(setTimeZone('America/New_York'), false)
  assert.equal(setTimeZone('Mars/Olympus'), false)
  assert.deepEqual([exactly(at), timeOfDay(at)], ['15 Jun 2026, 18:30', '18:30'])
  assert.equal(startOfDay('2026-06-15'), Date.parse('2026-06-15T04:00:00Z'))
  const now = Date.parse('2026-06-16T03:59:00Z')
  assert.deepEqual(
    ['2026-06-16T03:00:00Z', '2026-06-15T04:00:00Z', '2026-06-15T03:59:00Z'].map((time) => dayInWords(time, now)),
    ['Today', 'Today', 'Yesterday'],
  )
  // Some releases of ICU write a comma, and others do not.
  assert.match(dayInWords('2026-06-14T03:00:00Z', now), /^Saturday,? 13 June 2026$/)
})

test('a day ends where the next one begins, even when clocks change; an invalid day has no beginning', () => {
  const hours = (day: string): number => (startOfDay(day, 1) - startOfDay(day)) / 3_600_000
  assert.deepEqual(['2026-10-24', '2026-10-25', '2026-03-29'].map(hours), [24, 25, 23])
  assert.equal(startOfDay('2026-10-31', 1), startOfDay('2026-11-01'))
  for (const day of ['', 'yesterday', '2026-13-01']) assert.ok(Number.isNaN(startOfDay(day)), day)
})

test('a time within a week is shown relative to now, and any other time as a day', () => {
  const now = Date.parse('2026-06-15T12:00:00Z')
  const [minute, hour, day] = [60, 3_600, 86_400]
  const said = (seconds: number) => inWords(new Date(now + seconds * 1_000).toISOString(), now)
  for (const [seconds, words] of [
    [0, 'in a moment'],
    [44, 'in a moment'],
    [-1, 'just now'],
    [-44, 'just now'],
    [45, 'in 1 minute'],
    [-45, '1 minute ago'],
    [-59, '1 minute ago'],
    [-minute, '1 minute ago'],
    [-89, '1 minute ago'],
    [-91, '2 minutes ago'],
    [59 * minute, 'in 59 minutes'],
    [hour, 'in 1 hour'],
    [-1.6 * hour, '2 hours ago'],
    [23 * hour, 'in 23 hours'],
    [day, 'tomorrow'],
    [-day, 'yesterday'],
    [1.6 * day, 'in 2 days'],
    [-6.4 * day, '6 days ago'],
  ] as const)
    assert.equal(said(seconds), words, `${seconds} s`)
  assert.deepEqual([7 * day, -7 * day, 400 * day].map(said), ['22 Jun 2026', '8 Jun 2026', '20 Jul 2027'])
})

test('a day in a sentence is written like other dates, and text that is not a valid day is unchanged', () => {
  assert.equal(withDates('It moves on 2026-12-04.'), 'It moves on 4 Dec 2026.')
  assert.equal(withDates('2026-13-01 and 12026-12-04'), '2026-13-01 and 12026-12-04')
})
