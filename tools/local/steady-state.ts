/** By how much a figure may exceed its earlier level: by this share of it, or by this amount if that is more. */
export interface Margin {
  readonly share: number
  readonly amount: number
}

/** A figure that was measured at even intervals from the beginning of a load to its end. */
export interface Series {
  readonly name: string
  readonly unit: string
  /** NaN for an interval in which there was nothing to measure. */
  readonly samples: readonly number[]
  /** The level of a quarter: the lowest sample of a held amount, such as memory or rows, or the median of a value per interval, such as latency. */
  readonly by: 'lowest' | 'median'
  readonly margin: Margin
}

/** The outcome for a figure under load: its levels in the second and the last quarter, and the maximum for the latter. */
export interface Verdict extends Pick<Series, 'name' | 'unit' | 'by'> {
  readonly second: number
  readonly last: number
  readonly most: number
  readonly isSteady: boolean
}

/**
 * Judges whether a figure has grown beyond a steady state: whether its level in the last quarter exceeds its level in the second quarter, 30
 * minutes earlier in an hour, by more than its margin. The first quarter is a warm-up and does not count.
 *
 * The level of what is held is its lowest sample, because garbage is collected and queues become empty now and then, but a leak stays.
 *
 * @throws if one of these quarters has no sample
 */
export function judge({ name, unit, samples, by, margin }: Series): Verdict {
  const quarter = Math.floor(samples.length / 4)
  const level = by === 'lowest' ? lowest : median
  const second = level(samples.slice(quarter, 2 * quarter))
  const last = level(samples.slice(samples.length - quarter))
  if (!Number.isFinite(second + last)) throw new Error(`${name} was not measured: ${samples.join()}`)
  const most = second + Math.max(second * margin.share, margin.amount)
  return { name, unit, by, second, last, most, isSteady: last <= most }
}

/** The verdicts as a table for people. */
export function verdictTable(verdicts: readonly Verdict[]): string {
  const rows = verdicts.map(({ name, unit, by, second, last, most, isSteady }) => [
    name,
    unit,
    by,
    ...[second, last, most].map(shown),
    isSteady ? 'steady' : 'GROWS',
  ])
  const table = [['figure', 'unit', 'by', 'second quarter', 'last quarter', 'at most', 'verdict'], ...rows]
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? []
  const isText = (column: number): boolean => column < 3 || column === 6
  return table
    .map((row) =>
      row
        .map((cell, i) => (isText(i) ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function shown(value: number): string {
  return value.toFixed(Number.isInteger(value) || value >= 1_000 ? 0 : 1)
}

function lowest(values: readonly number[]): number {
  return Math.min(...values.filter((value) => !Number.isNaN(value)))
}

function median(values: readonly number[]): number {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}
