import type { Tx } from '#platform/postgres/index.ts'
import { moveReleased, type Placed, type PlacedEvent } from './store.ts'

export type { PlacedEvent }

/**
 * Gives up to `max` released events their place in the one order, oldest first, and returns them in it; fewer when they are large.
 *
 * Only for fan-out, whose lock makes it the one writer of positions: positions become visible in their own order, which
 * lanes build on. Sequence numbers drawn by the writers themselves would commit out of order.
 */
export async function placeEvents(tx: Tx, max: number): Promise<Placed> {
  return await moveReleased(tx, max)
}
