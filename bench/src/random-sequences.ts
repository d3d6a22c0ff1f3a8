import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Figure } from './report.ts'

/** The number of concurrent runs, each on a cluster of its own, because one cannot use two cores. */
const processes = 2
const file = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/** A test that runs random sequences. One environment variable has their number, and another the seed. */
export interface SequenceTest {
  /** Relative to the root of the repository. */
  readonly file: string
  /** The variables are `PREFIX_SEED` and `PREFIX_SEQUENCES`. */
  readonly prefix: string
  /** What a passed sequence proves. */
  readonly figure: string
}

/**
 * Runs `count` sequences of a test that `npm test` runs with fewer. A failure prints its seed and its sequence, and counts all sequences of the
 * process as failed.
 */
export async function runSequences(test: SequenceTest, count: number): Promise<Figure[]> {
  const began = performance.now()
  const each = Math.ceil(count / processes)
  const codes = await Promise.all(Array.from({ length: processes }, () => run(test, each)))
  const minutes = (performance.now() - began) / 60_000
  const kept = codes.filter((code) => code === 0).length * each
  return [
    {
      name: `${test.figure}, of ${count.toLocaleString('en')}`,
      unit: '',
      value: kept,
      bar: { kind: 'at least', value: count },
      samples: [kept],
    },
    { name: 'the time that took', unit: 'minutes', value: minutes, samples: [minutes] },
  ]
}

/** Runs this many sequences from a random seed. Resolves to the exit code. */
function run({ file: path, prefix }: SequenceTest, count: number): Promise<number | null> {
  const seed = randomInt(2 ** 31)
  process.stdout.write(`seed ${seed}: ${count} sequences\n`)
  const variables = { [`${prefix}_SEED`]: String(seed), [`${prefix}_SEQUENCES`]: String(count) }
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file('tools/test.ts'), file(path)], {
    stdio: 'inherit',
    env: { ...process.env, ...variables },
  })
  return new Promise((resolve) => child.once('close', resolve))
}
