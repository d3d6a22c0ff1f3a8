const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' })
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** A time in words: how long ago if it is recent, otherwise the day. Pages show it with `When`. */
export function inWords(at: string, now = Date.now()): string {
  const seconds = (Date.parse(at) - now) / 1_000
  if (Math.abs(seconds) < 45) return seconds < 0 ? 'just now' : 'in a moment'
  for (const [unit, length] of units)
    if (Math.abs(seconds) >= length && Math.abs(seconds) < 7 * 86_400)
      return relative.format(Math.round(seconds / length), unit)
  return Math.abs(seconds) < 60 ? relative.format(Math.round(seconds / 60), 'minute') : date.format(new Date(at))
}

/** Day and minute, in the person's time zone. */
export function exactly(at: string): string {
  return exact.format(new Date(at))
}

/** When a day (`2026-03-29`), or a day this many days later, begins in the person's time zone, in ms; NaN: the day is not valid. */
export function startOfDay(day: string, daysLater = 0): number {
  const start = new Date(`${day}T00:00:00`)
  // Days, not 24 hours: a day on which clocks are put back has 25.
  return start.setDate(start.getDate() + daysLater)
}
