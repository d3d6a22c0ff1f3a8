import { apexStep, readConfiguredNames } from '#modules/primary/index.ts'
import type { Database } from '#platform/postgres/index.ts'
import { lockMoving, pageOfFormer, writeMoves } from './apex-store.ts'

/** What one batch came to. */
export interface ApexBatch {
  /** Zones that were given a serial with the new nameservers, by id. */
  readonly moved: readonly string[]
  /** Zones that wait for new nameservers, which do not serve them yet, and who these are. */
  readonly waiting: number
  readonly unseen: readonly string[]
  /** Where the next batch goes on; undefined: from the beginning. */
  readonly after: string | undefined
}

/**
 * Lets up to `max` zones that still name former nameservers name the configured ones: a serial and a journal step each.
 *
 * A zone waits until each new nameserver was seen to serve it: a name is never published that does not answer. One that a
 * customer is just changing is left for the next time round.
 */
export async function moveApexes(database: Database, after: string | undefined, max: number): Promise<ApexBatch> {
  const page = await pageOfFormer(database.db, after, max)
  const next = page.length < max ? undefined : page.at(-1)?.id
  if (page.length === 0) return { moved: [], waiting: 0, unseen: [], after: next }
  return database.transact(async (tx) => {
    const locked = await lockMoving(
      tx,
      page.map(({ id }) => id),
    )
    const configured = await readConfiguredNames(tx)
    const ready = locked.filter(({ unseen }) => unseen.length === 0)
    const moves = ready.map((zone) => ({ zone, step: apexStep(zone, zone.former, configured) }))
    if (moves.length > 0) await writeMoves(tx, moves)
    const unseen = [...new Set(locked.flatMap((zone) => zone.unseen))].sort()
    return { moved: ready.map(({ id }) => id), waiting: locked.length - ready.length, unseen, after: next }
  })
}
