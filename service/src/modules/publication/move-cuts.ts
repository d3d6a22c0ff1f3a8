import { readConfiguredNames } from '#modules/primary/index.ts'
import { type Delegate, lockZone } from '#modules/zones/index.ts'
import { actorNamed } from '#platform/caller.ts'
import type { Database, Tx } from '#platform/postgres/index.ts'
import { type FormerCut, forgetFormerCuts, pageOfFormerCuts, readyCuts } from './cut-store.ts'

const actor = actorNamed('system', 'nameservers')

/** The result of one batch. */
export interface CutBatch {
  /** Delegations that name the configured nameservers now. */
  readonly moved: number
  /** Where the next batch starts; undefined: from the beginning. */
  readonly after: FormerCut | undefined
}

/**
 * Makes up to `max` delegations between zones here name the configured nameservers, if the zone below already does: a
 * change of the zone above like any other, with history and event, in one transaction per zone.
 *
 * A delegation in a deleted zone waits until the zone is restored, or is erased with it.
 */
export async function moveCuts(
  { database, delegate }: { readonly database: Database; readonly delegate: Delegate },
  after: FormerCut | undefined,
  max: number,
): Promise<CutBatch> {
  const page = await pageOfFormerCuts(database.db, after, max)
  let moved = 0
  for (const [zoneId, cuts] of Map.groupBy(page, (cut) => cut.zoneId)) {
    const names = cuts.map(({ name }) => name)
    moved += await database.transact((tx) => moveIn(tx, delegate, zoneId, names))
  }
  return { moved, after: page.length < max ? undefined : page.at(-1) }
}

async function moveIn(tx: Tx, delegate: Delegate, zoneId: string, names: readonly string[]): Promise<number> {
  const zone = await lockZone(tx, zoneId)
  if (zone?.state !== 'live') return 0
  const ready = await readyCuts(tx, zoneId, names)
  if (ready.length === 0) return 0
  const nameservers = await readConfiguredNames(tx)
  await forgetFormerCuts(tx, zoneId, ready)
  await delegate(
    tx,
    actor,
    zoneId,
    ready.map((name) => ({ name, present: true, nameservers })),
  )
  return ready.length
}
