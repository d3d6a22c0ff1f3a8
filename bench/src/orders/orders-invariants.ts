import { runSequences } from '../random-sequences.ts'
import type { Figure } from '../report.ts'

/**
 * Random sequences of calls, webhooks, registry faults, kills and jumps of the clock, on a real PostgreSQL, over EPP and the gateway's API:
 * the same test that `npm test` runs with 150.
 */
export function ordersInvariants(count = 10_000): Promise<Figure[]> {
  return runSequences(
    {
      file: 'service/src/modules/orders/invariants.test.ts',
      prefix: 'ORDER',
      figure: 'random sequences after which money, promo codes, commands and domains are accounted for',
    },
    count,
  )
}
