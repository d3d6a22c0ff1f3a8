import { takeMoves } from '#modules/zones/index.ts'
import { type Database, runTogether } from '#platform/postgres/index.ts'
import { catalogStatements, lockCatalog, readMembersNamed, removeMembersStatement } from './catalog-store.ts'
import { type CatalogPlan, planCatalog } from './rules.ts'
import { deleteSightings } from './store.ts'

/** Zones that come or go in one serial of the catalog. */
const maxMoves = 2_000

/** One batch of moves, made into a serial of the catalog. */
export interface CatalogBatch extends CatalogPlan {
  /** Undefined when the moves cancelled out: nothing to tell. */
  readonly serial: number | undefined
  /** More moves are waiting. */
  readonly isFull: boolean
}

/** Takes the moves that wait and publishes what they come to as one new serial, all in one transaction. */
export async function publishCatalog(database: Database): Promise<CatalogBatch> {
  return database.transact(async (tx) => {
    const moves = await takeMoves(tx, maxMoves)
    const isFull = moves.length === maxMoves
    if (moves.length === 0) return { serial: undefined, isFull, removed: [], added: [] }
    const from = await lockCatalog(tx)
    const names = [...new Set(moves.map(({ zoneName }) => zoneName))]
    const plan = planCatalog(moves, await readMembersNamed(tx, names))
    if (plan.removed.length + plan.added.length === 0) return { serial: undefined, isFull, ...plan }
    const serial = Math.max(from.serial + 1, from.unixSeconds)
    await removeMembersStatement(plan.removed).execute(tx)
    await runTogether(tx, catalogStatements(from, serial, plan))
    await deleteSightings(
      tx,
      plan.removed.map(({ zoneId }) => zoneId),
    )
    return { serial, isFull, ...plan }
  })
}
