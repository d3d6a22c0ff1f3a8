import { type Db, sql } from '#platform/db.ts'
import type { Logger } from '#platform/log.ts'
import { Gauge, type Registry } from '#platform/metrics.ts'

/** What `/metrics` tells of the lanes of the whole installation: asked of the database whenever it is asked for. */
export function showLanes(metrics: Registry, { db, log }: { db: Db; log: Logger }): void {
  const oldest = new Gauge({
    name: 'webhook_oldest_due_seconds',
    help: 'For how long the lane that has waited longest for a worker has been due.',
    registers: [metrics],
  })
  const retrying = new Gauge({
    name: 'webhook_lanes_failing',
    help: 'Webhook endpoints whose latest deliveries have all failed.',
    registers: [metrics],
  })
  new Gauge({
    name: 'webhook_lanes_due',
    help: 'Webhook endpoints that have something to send and wait for a worker.',
    registers: [metrics],
    async collect() {
      try {
        const lanes = await readLanes(db)
        this.set(lanes.due)
        oldest.set(lanes.oldestS)
        retrying.set(lanes.failing)
      } catch (error) {
        // The other figures are told while PostgreSQL is away.
        for (const gauge of [this, oldest, retrying]) gauge.set(Number.NaN)
        log.debug({ err: error }, 'the lanes could not be counted')
      }
    },
  })
}

async function readLanes(db: Db): Promise<{ due: number; oldestS: number; failing: number }> {
  const { rows } = await sql<{ due: number; oldestS: number; failing: number }>`
    select count(*) filter (where due_at <= app_now())::int as due,
      coalesce(extract(epoch from app_now() - min(due_at) filter (where due_at <= app_now())), 0)::float8 as "oldestS",
      count(*) filter (where failing_since is not null)::int as failing
    from webhook_lanes`.execute(db)
  return rows[0] ?? { due: 0, oldestS: 0, failing: 0 }
}
