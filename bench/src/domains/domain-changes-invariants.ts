import { runSequences } from '../random-sequences.ts'
import type { Figure } from '../report.ts'

/**
 * Random sequences of changes of a domain, answers of its registry, kills and jumps of the clock, on a real PostgreSQL, with a registry in
 * memory behind the port. The invariants are listed in `service/src/testing/domain-invariants.ts`.
 */
export function domainChangesInvariants(count = 10_000): Promise<Figure[]> {
  return runSequences(
    {
      file: 'service/src/modules/domains/invariants.test.ts',
      prefix: 'DOMAIN',
      figure: 'random sequences after which no change of a domain was sent twice or forgotten',
    },
    count,
  )
}
