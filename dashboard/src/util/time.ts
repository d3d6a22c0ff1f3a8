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

const lengths = [
  [' day', 86_400],
  [' h', 3_600],
  [' min', 60],
  [' s', 1],
] as const

/** A length of time as people say it: `5 min`, `1 h 30 min`, `2 days`. */
export function inUnits(seconds: number): string {
  let left = seconds
  const parts = lengths.flatMap(([unit, length]) => {
    const count = Math.floor(left / length)
    left -= count * length
    return count === 0 ? [] : `${count}${unit}${unit === ' day' && count > 1 ? 's' : ''}`
  })
  return parts.join(' ') || '0 s'
}

const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
const minute = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' })

/** The day of a time, in the person's time zone: `Today`, `Yesterday` or the date. */
export function dayInWords(at: string, now = Date.now()): string {
  const midnight = new Date(now).setHours(0, 0, 0, 0)
  const time = Date.parse(at)
  if (time >= midnight && time < new Date(midnight).setDate(new Date(midnight).getDate() + 1)) return 'Today'
  const yesterday = new Date(midnight).setDate(new Date(midnight).getDate() - 1)
  return time >= yesterday && time < midnight ? 'Yesterday' : weekday.format(time)
}

/** The time of day, in the person's time zone. */
export function timeOfDay(at: string): string {
  return minute.format(new Date(at))
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
