import type { Tx } from '#platform/postgres/index.ts'
import { moveReleased, type Placed, type PlacedEvent } from './store.ts'

export type { PlacedEvent }

/**
 * Gives up to `max` released events their position in the total order, oldest first, and returns them in this order. Large events reduce
 * the number.
 *
 * Only for fan-out, whose lock makes it the only writer of positions. So positions become visible in order, which
 * lanes rely on. Sequence numbers taken by the writers themselves would commit out of order.
 */
export async function placeEvents(tx: Tx, max: number): Promise<Placed> {
  return await moveReleased(tx, max)
}
