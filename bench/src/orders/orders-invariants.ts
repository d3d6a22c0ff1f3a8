import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Figure } from '../report.ts'

const sequences = 10_000
const file = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url))

/**
 * Ten thousand random sequences of calls, webhooks, registry faults, kills and jumps of the clock, on a real PostgreSQL, over EPP
 * and the gateway's API: the same test that `npm test` runs with some hundreds. A failure prints its seed and its sequence.
 */
export async function ordersInvariants(): Promise<Figure[]> {
  const began = performance.now()
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      file('tools/test.ts'),
      file('service/src/modules/orders/invariants.test.ts'),
    ],
    { stdio: 'inherit', env: { ...process.env, ORDER_SEQUENCES: String(sequences) } },
  )
  const code = await new Promise((resolve) => child.once('close', resolve))
  const minutes = (performance.now() - began) / 60_000
  const kept = code === 0 ? sequences : 0
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
