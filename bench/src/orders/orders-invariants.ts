import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Figure } from '../report.ts'

const sequences = 10_000
/** At once, each with a cluster, a registry and a gateway of its own: one cannot fill two cores. */
const processes = 2
const file = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url))

/**
 * Ten thousand random sequences of calls, webhooks, registry faults, kills and jumps of the clock, on a real PostgreSQL, over EPP
 * and the gateway's API: the same test that `npm test` runs with 150. A failure prints its seed and its sequence.
 */
export async function ordersInvariants(): Promise<Figure[]> {
  const began = performance.now()
  const codes = await Promise.all(Array.from({ length: processes }, () => run(sequences / processes)))
  const minutes = (performance.now() - began) / 60_000
  const kept = (codes.filter((code) => code === 0).length * sequences) / processes
  return [
    {
      name: 'random sequences after which money, promo codes, commands and domains are accounted for, of 10,000',
      unit: '',
      value: kept,
      bar: { kind: 'at least', value: sequences },
      samples: [kept],
    },
    { name: 'the time that took', unit: 'minutes', value: minutes, samples: [minutes] },
  ]
}

/** So many sequences of a seed of their own. Resolves to the exit code. */
function run(count: number): Promise<number | null> {
  const seed = randomInt(2 ** 31)
  process.stdout.write(`seed ${seed}: ${count} sequences\n`)
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      file('tools/test.ts'),
      file('service/src/modules/orders/invariants.test.ts'),
    ],
    { stdio: 'inherit', env: { ...process.env, ORDER_SEED: String(seed), ORDER_SEQUENCES: String(count) } },
  )
  return new Promise((resolve) => child.once('close', resolve))
}
