import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A function that ran. `at`: its position in the file, which distinguishes functions with the same name. */
export interface Ran {
  readonly url: string
  readonly name: string
  readonly at: number
}

const hook = fileURLToPath(new URL('../coverage-hook.cjs', import.meta.url))

/** The functions that ran in the main thread of one of our programs. */
export class Coverage {
  readonly #portFile: string
  readonly #program: string

  /** `program`: its path in the repository. */
  constructor(folder: string, program: string) {
    this.#portFile = join(folder, `port-${program.replaceAll('/', '-')}`)
    this.#program = program
  }

  /** Adds the variables that the program needs to its environment. */
  addTo(env: Record<string, string | undefined>): void {
    env['NODE_OPTIONS'] = `${process.env['NODE_OPTIONS'] ?? ''} --require ${hook}`
    env['ZONEWRIGHT_COVERAGE_PORT_FILE'] = this.#portFile
    env['ZONEWRIGHT_COVERAGE_PROGRAM'] = this.#program
  }

  /** The functions that ran since the last call. */
  async take(): Promise<Ran[]> {
    const port = await readFile(this.#portFile, 'utf8')
    return (await (await fetch(`http://127.0.0.1:${port}`)).json()) as Ran[]
  }
}

/** The functions of each of this many runs. */
export async function repeat(runs: number, run: () => Promise<Ran[]>): Promise<readonly Ran[][]> {
  const all: Ran[][] = []
  for (let i = 0; i < runs; i++) all.push(await run())
  return all
}

/** The functions that ran in at least half of the runs. What depends on timing runs only in some. */
export function usual(runs: readonly (readonly Ran[])[]): readonly Ran[] {
  return ranIn(runs, runs.length / 2)
}

/** The functions that ran in every run. */
export function always(runs: readonly (readonly Ran[])[]): readonly Ran[] {
  return ranIn(runs, runs.length)
}

function ranIn(runs: readonly (readonly Ran[])[], least: number): readonly Ran[] {
  const byKey = Map.groupBy(runs.flat(), keyOf)
  return [...byKey.values()].filter((same) => same.length >= least).flatMap(([ran]) => ran ?? [])
}

/** The functions of the first list that are not in the second one. */
export function without(ran: readonly Ran[], others: readonly Ran[]): readonly Ran[] {
  const keys = new Set(others.map(keyOf))
  return ran.filter((each) => !keys.has(keyOf(each)))
}

/** The number of functions in each file below `root`, sorted by file. */
export function filesOf(ran: readonly Ran[], root: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { url } of ran) {
    const file = fileURLToPath(url).slice(root.length)
    if (file.startsWith('bench/')) continue // the hook itself
    counts.set(file, (counts.get(file) ?? 0) + 1)
  }
  return new Map([...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function keyOf({ url, name, at }: Ran): string {
  return `${url} ${at} ${name}`
}
