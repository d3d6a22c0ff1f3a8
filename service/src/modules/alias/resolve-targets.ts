import type { Database } from '#platform/postgres/index.ts'
import { Slots } from '#platform/work/slots.ts'
import type { TargetLookup } from './look-up-target.ts'
import { afterLookup, newTarget, type TargetResult } from './rules.ts'
import { readTargets, recordResults } from './target-store.ts'

/** How long a write waits for its targets (design: product, "ALIAS"). */
const writeTimeoutMs = 2_000
/** Maximum number of targets that all writes of a process look up at once. */
const atOnce = 50

/**
 * Looks up targets (host names without the final dot) before a write publishes their addresses. Call it outside of transactions. Targets whose
 * addresses are known and still count are not looked up again. Lookups that take more than two seconds are left to the worker.
 */
export type ResolveTargets = (targets: readonly string[]) => Promise<void>

export function resolveTargetsWith(database: Database, lookup: TargetLookup): ResolveTargets {
  const slots = new Slots(atOnce)
  return async (targets) => {
    const asked = [...new Set(targets)]
    if (asked.length === 0) return
    const known = await readTargets(database.db, asked)
    const due = asked.filter((target) => !known.get(target)?.isFresh)
    const untilMs = performance.now() + writeTimeoutMs
    const results = await Promise.all(
      due.map((target) =>
        slots.run(async (): Promise<TargetResult | undefined> => {
          const leftMs = untilMs - performance.now()
          if (leftMs <= 0) return undefined
          const found = await lookup.addresses(target, leftMs)
          return afterLookup(known.get(target) ?? newTarget(target), found, (address) => lookup.isPublic(address))
        }),
      ),
    )
    await recordResults(
      database.db,
      results.filter((result) => result !== undefined),
    )
  }
}
