import type { WireAttemptCount } from '@zonewright/contract'

/** The periods of the charts, by the value in the address of the page, with their number of hours. */
export const chartPeriods = { day: { label: 'Day', hours: 24 }, week: { label: 'Week', hours: 168 } } as const

export type ChartPeriod = keyof typeof chartPeriods

export function chartPeriodOf(text: string | undefined): ChartPeriod {
  return text === 'week' ? 'week' : 'day'
}

/** The charts in one sentence. */
export function countsInWords(counts: readonly WireAttemptCount[], period: ChartPeriod): string {
  const sum = (of: (count: WireAttemptCount) => number): number => counts.reduce((total, count) => total + of(count), 0)
  const [succeeded, failed] = [sum((count) => count.succeeded), sum((count) => count.failed)]
  const when = period === 'day' ? 'the last 24 hours' : 'the last 7 days'
  if (succeeded + failed === 0) return `No requests in ${when}.`
  const average = Math.round(
    sum((count) => (count.average_ms ?? 0) * (count.succeeded + count.failed)) / (succeeded + failed),
  )
  const slowest = Math.max(...counts.map(({ slowest_ms: ms }) => ms ?? 0))
  const number = (value: number): string => value.toLocaleString('en')
  return `In ${when}: ${number(succeeded)} delivered, ${number(failed)} failed, ${number(average)} ms on average, ${number(slowest)} ms at most.`
}
