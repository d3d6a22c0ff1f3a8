import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Figure, type Machine, tell, tellMachine } from './report.ts'

const folder = fileURLToPath(new URL('../results/', import.meta.url))
const page = fileURLToPath(new URL('../README.md', import.meta.url))

/** The results of a bench in `bench/results`. */
interface Results {
  readonly machine: Machine
  readonly at: string
  readonly figures: readonly (Figure & { readonly reached: boolean })[]
}

/** Writes `bench/README.md`: every value of every bench's last run, its bar, the values measured with it, and the machine. */
export function writePage(order: readonly string[]): void {
  const names = readdirSync(folder).flatMap((file) => (file.endsWith('.json') ? [file.slice(0, -5)] : []))
  const known = order.filter((name) => names.includes(name))
  const sections = known.map((name) =>
    sectionOf(name, JSON.parse(readFileSync(`${folder}${name}.json`, 'utf8')) as Results),
  )
  const missing = order.filter((name) => !names.includes(name))
  const notRun = missing.length === 0 ? '' : `\nNot run yet: ${missing.join(', ')}.\n`
  writeFileSync(
    page,
    `# Bench\n\nWritten by \`npm run bench\` from \`bench/results\`: the medians of each bench's latest run. [METHOD.md](METHOD.md) describes the
benches. A ratio is our figure divided by the other one of the same run. **MISSED** bars are not reached.\n${notRun}\n${sections.join('\n')}`,
  )
}

function sectionOf(name: string, { machine, at, figures }: Results): string {
  const missed = figures.filter(({ reached }) => !reached).length
  const rows = figures.map(rowOf).join('\n')
  return `## ${name}\n\n${at.slice(0, 10)}, ${tellMachine(machine)}${
    missed === 0 ? '' : `; ${missed} missed`
  }\n\n| figure | value | bar | |  beside it |\n| --- | --- | --- | --- | --- |\n${rows}\n`
}

function rowOf({ name, value, unit, bar, beside = [], reached }: Results['figures'][number]): string {
  const told =
    bar === undefined ? '' : `${bar.kind} ${bar.value}${bar.against === undefined ? '' : ` × ${bar.against}`}`
  const verdict = bar === undefined ? '' : reached ? 'reached' : '**MISSED**'
  const peers = beside
    .map((peer) => `${peer.name}: ${tell(peer.value)} (${Number(peer.ratio ?? Number.NaN).toFixed(2)})`)
    .join('; ')
  return `| ${name} | ${tell(value)} ${unit} | ${told} | ${verdict} | ${peers} |`
}
