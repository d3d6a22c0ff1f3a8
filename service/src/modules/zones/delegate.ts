import type { Actor } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import type { Tx } from '#platform/postgres/index.ts'
import { readZone } from './store.ts'

/** A name in a zone at which another zone hosted here begins (`present`), or begins no more. */
export interface Cut {
  readonly name: string
  readonly present: boolean
  /** To whom it is delegated; left out: the nameservers that this process was configured with. */
  readonly nameservers?: readonly string[]
}

/**
 * Writes or removes the service's own NS records at cuts of a live zone, with this transaction. One call a zone and
 * transaction; the zone's row must be locked, or be the only one that the transaction locks from then on.
 *
 * Records lie above zones, so whoever composes the service hands this in.
 */
export type Delegate = (tx: Tx, actor: Actor, parentId: string, cuts: readonly Cut[]) => Promise<void>

/** Does something in the zone above stand in the way of a delegation? An outage, above all, is no obstacle: it says nothing of the zone. */
export function isObstacle(error: unknown): error is Refusal {
  return error instanceof Refusal && (error.code === 'validation_failed' || error.code === 'service_owned')
}

/** A cut, and the zone that it is in. */
export interface ParentCut extends Cut {
  readonly parentId: string
}

/** Delegates at these cuts from the zones above that are live, which are locked. No other call for these may be in the transaction. */
export async function delegateAll(tx: Tx, delegate: Delegate, actor: Actor, cuts: readonly ParentCut[]): Promise<void> {
  for (const [parentId, its] of Map.groupBy(cuts, (cut) => cut.parentId)) {
    const parent = await readZone(tx, parentId)
    if (parent?.state === 'live') await delegate(tx, actor, parentId, its)
  }
}
