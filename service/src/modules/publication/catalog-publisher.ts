import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from '#platform/log.ts'
import type { Database } from '#platform/postgres/index.ts'
import { Rounds } from '#platform/work/rounds.ts'
import type { IsLeading } from './leader-lease.ts'
import type { LeaderPolls } from './leader-polls.ts'
import { type CatalogBatch, publishCatalog } from './publish-catalog.ts'

/** The catalog gets at most one serial in this time (design: dns, "Publication"). */
const batchMs = 200

/** Publishes zones that come and go: a lone one at once, many in batches of 200 ms. Only the leader has one. */
export function catalogPublisher(
  {
    database,
    log,
    polls,
    isLeading,
  }: { database: Database; log: Logger; polls: Pick<LeaderPolls, 'hasAnyZoneMoved'>; isLeading: IsLeading },
  published: (batch: CatalogBatch) => void,
): Rounds {
  let publishedAtMs = Number.NEGATIVE_INFINITY
  return new Rounds({
    name: 'catalog',
    log,
    look: polls.hasAnyZoneMoved,
    round: async () => {
      const waitMs = publishedAtMs + batchMs - performance.now()
      if (waitMs > 0) await wait(waitMs)
      // Who leads now would not hear of a batch that is published here.
      if (!isLeading()) return false
      const startedAtMs = performance.now()
      const batch = await publishCatalog(database)
      if (batch.serial !== undefined) publishedAtMs = startedAtMs
      published(batch)
      return batch.isFull
    },
  })
}
