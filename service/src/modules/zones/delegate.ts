import type { Actor } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import type { Tx } from '#platform/postgres/index.ts'
import { readZone } from './store.ts'

/** A name in a zone at which another zone hosted here begins (`present`), or no longer begins. */
export interface Cut {
  readonly name: string
  readonly present: boolean
  /** The nameservers to delegate to. Default: the nameservers of this process's configuration. */
  readonly nameservers?: readonly string[]
}

/**
 * Writes or removes the service's own NS records at cuts of a live zone, in this transaction. Call it once per zone and
 * transaction. The zone's row must be locked, or be the only one that the transaction locks from then on.
 *
 * Records are a higher level, so `compose` passes this in.
 */
export type Delegate = (tx: Tx, actor: Actor, parentId: string, cuts: readonly Cut[]) => Promise<void>

/** Whether something in the zone above prevents a delegation. A failure such as an outage does not count, because it says nothing about the zone. */
export function isObstacle(error: unknown): error is Refusal {
  return error instanceof Refusal && (error.code === 'validation_failed' || error.code === 'service_owned')
}

/** A cut, and the zone that contains it. */
export interface ParentCut extends Cut {
  readonly parentId: string
}

/** Delegates at these cuts from the live, locked zones above. Make no other call for these zones in the transaction. */
export async function delegateAll(tx: Tx, delegate: Delegate, actor: Actor, cuts: readonly ParentCut[]): Promise<void> {
  for (const [parentId, its] of Map.groupBy(cuts, (cut) => cut.parentId)) {
    const parent = await readZone(tx, parentId)
    if (parent?.state === 'live') await delegate(tx, actor, parentId, its)
  }
}
