import { setTimeout as wait } from 'node:timers/promises'
import { nextSerial, takeMoves } from '#modules/zones/index.ts'
import type { Logger } from '#platform/log.ts'
import type { Database } from '#platform/postgres/index.ts'
import { Rounds } from '#platform/work/rounds.ts'
import { catalogStatements, lockCatalog, readMembersNamed, removeMembersStatement } from './catalog-store.ts'
import type { IsLeading } from './leader-lease.ts'
import type { LeaderPolls } from './leader-polls.ts'
import { type CatalogPlan, planCatalog } from './rules.ts'
import { deleteSightings } from './store.ts'

/** The catalog gets at most one serial in this time (design: dns, "Publication"). */
const batchMs = 200

/** Publishes added and removed zones: a single one immediately, many in batches of 200 ms. Only the leader has one. */
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
      // The current leader would not learn of a batch that is published here.
      if (!isLeading()) return false
      const startedAtMs = performance.now()
      const batch = await publishCatalog(database)
      if (batch.serial !== undefined) publishedAtMs = startedAtMs
      published(batch)
      return batch.isFull
    },
  })
}

/** Maximum number of zones that are added or removed in one serial of the catalog. */
const maxMoves = 2_000

/** One batch of catalog changes, with its serial. */
export interface CatalogBatch extends CatalogPlan {
  /** Undefined if the changes cancelled out. */
  readonly serial: number | undefined
  /** More changes are waiting. */
  readonly isFull: boolean
}

/** Takes the waiting changes and publishes their net effect as one new serial, all in one transaction. */
export async function publishCatalog(database: Database): Promise<CatalogBatch> {
  return database.transact(async (tx) => {
    const moves = await takeMoves(tx, maxMoves)
    const isFull = moves.length === maxMoves
    if (moves.length === 0) return { serial: undefined, isFull, removed: [], added: [] }
    const from = await lockCatalog(tx)
    const names = [...new Set(moves.map(({ zoneName }) => zoneName))]
    const plan = planCatalog(moves, await readMembersNamed(tx, names))
    if (plan.removed.length + plan.added.length === 0) return { serial: undefined, isFull, ...plan }
    const serial = nextSerial(from.serial, from.serialClock)
    await removeMembersStatement(plan.removed).execute(tx)
    await tx.runTogether(catalogStatements(from, serial, plan))
    await deleteSightings(
      tx,
      plan.removed.map(({ zoneId }) => zoneId),
    )
    return { serial, isFull, ...plan }
  })
}
