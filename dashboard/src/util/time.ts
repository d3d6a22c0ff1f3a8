import { Bell } from './bell.ts'

/** The time zone in which all times are shown; undefined: that of the browser. */
let zone: string | undefined
let formats = formatsIn(zone)

function formatsIn(timeZone: string | undefined) {
  const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-GB', { ...options, timeZone })
  return {
    exact: format({ dateStyle: 'medium', timeStyle: 'short' }),
    date: format({ dateStyle: 'medium' }),
    weekday: format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
    minute: format({ timeStyle: 'short' }),
    parts: format({ dateStyle: 'short', timeStyle: 'medium', hourCycle: 'h23' }),
  }
}

/** Sets the time zone of all times; null: that of the browser. Returns whether the zone changed. An unknown zone is ignored. */
export function setTimeZone(name: string | null): boolean {
  const next = name ?? undefined
  if (next === zone) return false
  try {
    formats = formatsIn(next)
  } catch {
    return false
  }
  zone = next
  zoneChanged.tell()
  return true
}

/** Times are shown in another zone. */
export const zoneChanged = new Bell()

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
  return Math.abs(seconds) < 60
    ? relative.format(Math.round(seconds / 60), 'minute')
    : formats.date.format(new Date(at))
}

/** A sentence of the API, with its days written as all other dates are: `2027-11-29` becomes `29 Nov 2027`. */
export function withDates(text: string): string {
  return text.replace(/\b\d{4}-\d{2}-\d{2}\b/g, (day) => {
    const start = startOfDay(day)
    return Number.isNaN(start) ? day : formats.date.format(start + 12 * 3_600_000)
  })
}

const lengths = [
  [' day', 86_400],
  [' h', 3_600],
  [' min', 60],
  [' s', 1],
] as const

/** A duration as people say it: `5 min`, `1 h 30 min`, `2 days`. */
export function inUnits(seconds: number): string {
  let left = seconds
  const parts = lengths.flatMap(([unit, length]) => {
    const count = Math.floor(left / length)
    left -= count * length
    return count === 0 ? [] : `${count}${unit}${unit === ' day' && count > 1 ? 's' : ''}`
  })
  return parts.join(' ') || '0 s'
}

/** The day of a time, in the person's time zone: `Today`, `Yesterday` or the date. */
export function dayInWords(at: string, now = Date.now()): string {
  const today = dayOf(now)
  const time = Date.parse(at)
  if (time >= startOfDay(today) && time < startOfDay(today, 1)) return 'Today'
  return time >= startOfDay(today, -1) && time < startOfDay(today) ? 'Yesterday' : formats.weekday.format(time)
}

/** The time of day, in the person's time zone. */
export function timeOfDay(at: string): string {
  return formats.minute.format(new Date(at))
}

/** Day and minute, in the person's time zone. */
export function exactly(at: string): string {
  return formats.exact.format(new Date(at))
}

/** When a day (`2026-03-29`), or a day this many days later, begins in the person's time zone, in ms; NaN: the day is not valid. */
export function startOfDay(day: string, daysLater = 0): number {
  const utc = new Date(`${day}T00:00:00Z`)
  const midnight = utc.setUTCDate(utc.getUTCDate() + daysLater)
  if (Number.isNaN(midnight)) return Number.NaN
  // The offset may differ between the guess and the start of the day, on days on which clocks are changed.
  const guess = midnight - offsetAt(midnight)
  return midnight - offsetAt(guess)
}

/** How far the person's clocks are ahead of UTC, in ms. */
function offsetAt(time: number): number {
  const [day = '', clock = ''] = formats.parts.format(time).split(', ')
  return Date.parse(`${day.split('/').reverse().join('-')}T${clock}Z`) - Math.floor(time / 1_000) * 1_000
}

/** The day of a time in the person's time zone: `2026-03-29`. */
function dayOf(time: number): string {
  return (formats.parts.format(time).split(', ')[0] ?? '').split('/').reverse().join('-')
}
