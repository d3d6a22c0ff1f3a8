import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A function that ran. `at`: where it begins in its file, which tells those of one name apart. */
export interface Ran {
  readonly url: string
  readonly name: string
  readonly at: number
}

const hook = fileURLToPath(new URL('../coverage-hook.cjs', import.meta.url))

/** Which functions ran in the main thread of a program of ours. */
export class Coverage {
  readonly #portFile: string
  readonly #program: string

  /** `program`: its path in the repository. */
  constructor(folder: string, program: string) {
    this.#portFile = join(folder, `port-${program.replaceAll('/', '-')}`)
    this.#program = program
  }

  /** Adds what the program has to be started with to its environment. */
  addTo(env: Record<string, string | undefined>): void {
    env['NODE_OPTIONS'] = `${process.env['NODE_OPTIONS'] ?? ''} --require ${hook}`
    env['ZONEWRIGHT_COVERAGE_PORT_FILE'] = this.#portFile
    env['ZONEWRIGHT_COVERAGE_PROGRAM'] = this.#program
  }

  /** The functions that ran since this was last asked. */
  async take(): Promise<Ran[]> {
    const port = await readFile(this.#portFile, 'utf8')
    return (await (await fetch(`http://127.0.0.1:${port}`)).json()) as Ran[]
  }
}

/** What runs in each of so many runs. Timers run in some. */
export async function common(runs: number, run: () => Promise<Ran[]>): Promise<readonly Ran[]> {
  let found: Ran[] = await run()
  for (let i = 1; i < runs; i++) {
    const keys = new Set((await run()).map(keyOf))
    found = found.filter((each) => keys.has(keyOf(each)))
  }
  return found
}

/** The functions of the first list that are not in the second one. */
export function without(ran: readonly Ran[], others: readonly Ran[]): readonly Ran[] {
  const keys = new Set(others.map(keyOf))
  return ran.filter((each) => !keys.has(keyOf(each)))
}

/** How many of the functions are in each file below `root`, sorted by file. */
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
