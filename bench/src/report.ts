import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'

/** One measured figure beside the bar that it must reach. */
export interface Figure {
  readonly name: string
  readonly value: number
  readonly unit: string
  readonly bar: { readonly kind: 'at most' | 'at least'; readonly value: number }
  /** What was measured in the same run to compare with, and the ratio to it. */
  readonly beside?: { readonly name: string; readonly value: number; readonly ratio: number }
  /** The measured values, of which `value` is the median. */
  readonly samples: readonly number[]
}

/** Prints the figures with their bars, and keeps them in `bench/results/<name>.json`. Returns whether every bar was reached. */
export function report(bench: string, figures: readonly Figure[]): boolean {
  const machine = {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
  }
  process.stdout.write(
    `\n${bench} — ${machine.cores} cores (${machine.cpu}), ${machine.memoryGiB} GiB, Node ${machine.node}\n\n`,
  )
  for (const figure of figures) process.stdout.write(`${lineOf(figure)}\n`)
  const folder = fileURLToPath(new URL('../results/', import.meta.url))
  mkdirSync(folder, { recursive: true })
  const results = {
    machine,
    at: new Date().toISOString(),
    figures: figures.map((figure) => ({ ...figure, reached: reached(figure) })),
  }
  writeFileSync(`${folder}${bench}.json`, `${JSON.stringify(results, undefined, 2)}\n`)
  return figures.every(reached)
}

/** The middle value; of an even number the upper one of the two. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

/** The value that a share of all does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

function reached({ value, bar }: Figure): boolean {
  return bar.kind === 'at most' ? value <= bar.value : value >= bar.value
}

function lineOf(figure: Figure): string {
  const verdict = reached(figure) ? 'reached' : 'MISSED '
  const beside = figure.beside
    ? `  (${figure.beside.name}: ${tell(figure.beside.value)}, ratio ${figure.beside.ratio.toFixed(2)})`
    : ''
  return `${verdict}  ${figure.name}: ${tell(figure.value)} ${figure.unit}, bar ${figure.bar.kind} ${figure.bar.value}${beside}`
}

function tell(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(1)
}
