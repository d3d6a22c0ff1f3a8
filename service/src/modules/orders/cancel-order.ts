import type { Actor } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import type { Tx } from '#platform/postgres/index.ts'
import { moveOrder } from './move-order.ts'
import type { Order } from './order.ts'
import { lockOrder } from './store.ts'

/** Cancels an unpaid order. Throws `conflict` if the order is paid or has ended. */
export async function cancelOrder(tx: Tx, actor: Actor, id: string): Promise<Order> {
  const order = await lockOrder(tx, id)
  const cancelled = order && (await moveOrder(tx, actor, order, { kind: 'cancelled_by_owner' }))
  if (cancelled === undefined)
    throw new Refusal('conflict', `Only an unpaid order can be cancelled. This order is ${order?.status ?? 'gone'}.`)
  return cancelled
}
