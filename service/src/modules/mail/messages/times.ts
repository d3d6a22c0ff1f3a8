const dayFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
const clockFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' })

/** `20 November 2026` */
export function dayText(at: Date): string {
  return dayFormat.format(at)
}

/** `20 November 2026, 14:05 UTC` */
export function timeText(at: Date): string {
  return `${dayText(at)}, ${clockFormat.format(at)} UTC`
}

/** `90 seconds`, `30 minutes`, `1 hour`, `7 days`: in the largest unit that results in a whole number. */
export function durationText(seconds: number): string {
  const [unit, length] = units.find(([, length]) => seconds % length === 0 && seconds >= length) ?? ['second', 1]
  const count = Math.floor(seconds / length)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

const units: readonly (readonly [string, number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]
