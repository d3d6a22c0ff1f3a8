import type { Actor } from '#platform/caller.ts'
import type { Tx } from '#platform/db.ts'

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
