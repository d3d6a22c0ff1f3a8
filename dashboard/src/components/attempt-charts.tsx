import { useComputedColorScheme } from '@mantine/core'
import { useElementSize, useMergedRef } from '@mantine/hooks'
import type { WireAttemptCount } from '@zonewright/contract'
import { useEffect, useRef } from 'react'
import uPlot, { type AlignedData, type Options, type Series } from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { exactly } from '../util/time.ts'

/** Bars of the requests per hour, and lines of how long they took. `label` says what they show to screen readers. */
export default function AttemptCharts({ counts, label }: { counts: readonly WireAttemptCount[]; label: string }) {
  const times = counts.map(({ at }) => Date.parse(at) / 1_000)
  const failed = counts.map((count) => count.failed)
  const all = counts.map((count) => count.succeeded + count.failed)
  const succeeded = counts.map((count) => count.succeeded)
  const latest = all.findLastIndex((count) => count > 0)
  return (
    <div role="img" aria-label={label}>
      {/* The bar of all requests is behind that of the delivered ones, so that its visible end shows the failed ones. */}
      <Chart
        data={[times, all, succeeded]}
        lines={[
          { label: 'Failed', color: '--chart-failed', values: failed },
          { label: 'Delivered', color: '--chart-delivered' },
        ]}
        kind="bars"
        latest={latest}
      />
      <Chart
        data={[times, counts.map(({ average_ms: ms }) => ms), counts.map(({ slowest_ms: ms }) => ms)]}
        lines={[
          { label: 'Average (ms)', color: '--chart-average' },
          { label: 'Slowest (ms)', color: '--chart-slowest' },
        ]}
        kind="lines"
        latest={latest}
      />
    </div>
  )
}

interface Line {
  readonly label: string
  /** A custom property of the style sheet. */
  readonly color: string
  /** The values that the legend shows instead of the drawn ones. */
  readonly values?: readonly number[]
}

const height = 170

const dayS = 86_400
/** Seconds between two labels of the time axis. */
const hourly = [3 * 3_600, 6 * 3_600, dayS, 2 * dayS, 4 * dayS]
const hours = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' })
const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })

interface Drawn {
  readonly lines: readonly Line[]
  readonly kind: 'bars' | 'lines'
  /** The hour that the legend shows while the pointer is elsewhere. */
  readonly latest: number
}

function Chart({ data, ...what }: Drawn & { data: AlignedData }) {
  const host = useRef<HTMLDivElement>(null)
  const { ref, width } = useElementSize<HTMLDivElement>()
  const place = useMergedRef(host, ref)
  const scheme = useComputedColorScheme()
  const drawn = JSON.stringify([data, what.latest])
  // biome-ignore lint/correctness/useExhaustiveDependencies: colors are read from the style sheet again when the scheme changes; `drawn` stands for the data
  useEffect(() => {
    if (host.current === null || width === 0) return
    const chart = new uPlot(optionsOf(host.current, width, what), data, host.current)
    return () => chart.destroy()
  }, [drawn, width, scheme])
  return <div ref={place} className={`chart chart-${what.kind}`} />
}

function optionsOf(host: HTMLElement, width: number, { lines, kind, latest }: Drawn): Options {
  const [ink, grid] = [colorOf(host, '--quiet'), colorOf(host, '--line')]
  const series = lines.map(({ label, color, values }): Series => {
    const paint = colorOf(host, color)
    const paths = uPlot.paths.bars?.({ size: [0.7, 40] })
    const value: Series['value'] = ({ data }, _, place, index) =>
      (values ?? data[place])?.[index ?? latest]?.toLocaleString('en') ?? '–'
    if (kind === 'lines') return { label, stroke: paint, width: 2, value }
    return { label, fill: paint, ...(paths && { paths }), points: { show: false }, value }
  })
  return {
    width,
    height,
    cursor: { drag: { x: false, y: false }, points: { show: kind === 'lines' } },
    scales: {
      // Half an hour on each side, so that the first and the last bar are whole.
      x: { range: (_, min, max) => [min - 1_800, max + 1_800] },
      y: { range: (_, __, max) => [0, Math.max(max, 1) * 1.1] },
    },
    axes: [
      {
        stroke: ink,
        grid: { show: false },
        ticks: { stroke: grid, width: 1 },
        incrs: hourly,
        values: (_, times, __, ___, step) => times.map((time) => (step < dayS ? hours : days).format(time * 1_000)),
      },
      {
        stroke: ink,
        grid: { stroke: grid, width: 1 },
        ticks: { stroke: grid, width: 1 },
        size: 56,
        ...(kind === 'bars' && { incrs: whole }),
      },
    ],
    series: [
      {
        label: 'Hour',
        value: ({ data: [seconds] }, _, __, index) =>
          exactly(new Date((seconds[index ?? latest] ?? 0) * 1_000).toISOString()),
      },
      ...series,
    ],
  }
}

/** Distances between the grid lines of a chart of whole numbers. */
const whole = [1, 2, 5]
  .flatMap((digit) => Array.from({ length: 7 }, (_, zeros) => digit * 10 ** zeros))
  .sort((a, b) => a - b)

/** The value of a custom property in the current scheme. */
function colorOf(host: HTMLElement, property: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${property})`
  host.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
