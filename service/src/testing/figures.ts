import { type DatabaseFigures, showFromDatabase } from '#platform/figures/database-figures.ts'
import { createMetrics } from '#platform/figures/metrics.ts'
import { createLogger } from '#platform/log.ts'
import type { Db } from '#platform/postgres/index.ts'

/** Reads the current value of a metric of the whole installation, as `/metrics` reports it. */
export function figuresOf<Name extends string>(
  db: Db,
  figures: DatabaseFigures<Name>,
): (name: Name) => Promise<number> {
  const metrics = createMetrics()
  showFromDatabase({ metrics, db, log: createLogger('test', 'silent') }, figures)
  return async (name) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await metrics.metrics())?.[1])
}
