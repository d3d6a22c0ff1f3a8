import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'

/** One measured value and the bar that it must reach. */
export interface Figure {
  readonly name: string
  readonly value: number
  readonly unit: string
  /** Absent: the value is printed without a bar. */
  readonly bar?: Bar
  /** Values that were measured in the same run for comparison. */
  readonly beside?: readonly Peer[]
  /** The measured values, of which `value` is the median. */
  readonly samples: readonly number[]
}

/** The bar of a value; with `against`, the bar of its ratio to the peer with that name. */
export interface Bar {
  readonly kind: 'at most' | 'at least'
  readonly value: number
  readonly against?: string
}

/** The same value of another program, or of the floor; `ratio` is ours divided by it. */
export interface Peer {
  readonly name: string
  readonly value: number
  readonly ratio: number
  /** Its measured values, if they are stored. */
  readonly samples?: readonly number[]
}

/** The machine of a bench. */
export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryGiB: number
  readonly node: string
  /** Megabytes of JSON per second (`coreSpeed`), before and after the bench; absent in older results. */
  readonly coreSpeeds?: readonly number[]
}

/**
 * Prints the values with their bars, and stores them in `bench/results/<name>.json`, with what `about` says about the run. Returns whether every
 * bar was reached.
 */
export function report(bench: string, figures: readonly Figure[], coreSpeeds: readonly number[], about = {}): boolean {
  const machine: Machine = {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    coreSpeeds,
  }
  process.stdout.write(`\n${bench} — ${tellMachine(machine)}\n\n`)
  for (const figure of figures) process.stdout.write(`${lineOf(figure)}\n`)
  const folder = fileURLToPath(new URL('../results/', import.meta.url))
  mkdirSync(folder, { recursive: true })
  const results = {
    machine,
    at: new Date().toISOString(),
    ...about,
    figures: figures.map((figure) => ({ ...figure, reached: reached(figure) })),
  }
  writeFileSync(`${folder}${bench}.json`, `${JSON.stringify(results, undefined, 2)}\n`)
  return figures.every(reached)
}

/** Prints a value of a run that is not stored. Returns whether its bar was reached. */
export function printed(figure: Figure): boolean {
  process.stdout.write(`${lineOf(figure)}\n`)
  return reached(figure)
}

/** The values of another program and ours, which were measured in turn: the ratio is the median of the pairs' ratios. */
export function peerOf(name: string, own: readonly number[], its: readonly number[]): Peer {
  return { name, value: median(its), ratio: median(own.map((value, i) => value / (its[i] ?? Number.NaN))) }
}

/** The median; for an even number of values, the upper one of the two. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

/** The quantile of the values for this share. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

function reached({ value, bar, beside = [] }: Figure): boolean {
  if (bar === undefined) return true
  const against = beside.find(({ name }) => name === bar.against)
  if (bar.against !== undefined && against === undefined) throw new Error(`${bar.against} was not measured`)
  const compared = against?.ratio ?? value
  return bar.kind === 'at most' ? compared <= bar.value : compared >= bar.value
}

function lineOf(figure: Figure): string {
  const { name, value, unit, bar, beside = [] } = figure
  const verdict = bar === undefined ? '       ' : reached(figure) ? 'reached' : 'MISSED '
  const told = bar && `, bar ${bar.kind} ${bar.value}${bar.against === undefined ? '' : ` × ${bar.against}`}`
  const peers = beside.map((peer) => `${peer.name}: ${tell(peer.value)}, ratio ${peer.ratio.toFixed(2)}`)
  return `${verdict}  ${name}: ${tell(value)} ${unit}${told ?? ''}${peers.length > 0 ? `  (${peers.join('; ')})` : ''}`
}

/** A machine, as text. */
export function tellMachine({ cpu, cores, memoryGiB, node, coreSpeeds = [] }: Machine): string {
  const speed = coreSpeeds.length === 0 ? '' : `, a core at ${coreSpeeds.map(tell).join(' to ')} MB of JSON a second`
  return `${cores} cores (${cpu}), ${memoryGiB} GiB, Node ${node}${speed}`
}

/** A value, as text. */
export function tell(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
}
