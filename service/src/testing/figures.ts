import type { FigureSource } from '#platform/figures/database-figures.ts'
import { createMetrics } from '#platform/figures/metrics.ts'
import { createLogger } from '#platform/log.ts'
import type { Db } from '#platform/postgres/index.ts'

/** Reads a figure of the whole installation as `/metrics` tells it at the moment. */
export function figuresOf(db: Db, show: (source: FigureSource) => void): (name: string) => Promise<number> {
  const metrics = createMetrics()
  show({ metrics, db, log: createLogger('test', 'silent') })
  return async (name) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await metrics.metrics())?.[1])
}
