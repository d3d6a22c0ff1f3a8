import type { Actor } from '#platform/caller.ts'
import type { Tx } from '#platform/postgres/index.ts'
import { moveOrder } from './move-order.ts'
import { isUnderWay } from './order.ts'
import { lockUnfinished, type UnfinishedOrder } from './store.ts'

/**
 * Cancels the unpaid orders of an account that is about to close; a later payment for one of them is refunded. Returns the paid orders that are
 * not finished, and those with a payment whose refund is in progress. The account is locked.
 */
export async function closeOrders(tx: Tx, actor: Actor, accountId: string): Promise<UnfinishedOrder[]> {
  const unfinished = await lockUnfinished(tx, accountId)
  for (const order of unfinished)
    if (order.status === 'pending_payment') await moveOrder(tx, actor, order, { kind: 'cancelled_by_owner' })
  return unfinished.filter((order) => isUnderWay(order) || order.isMoneyGoingBack)
}
