import { lockAccount } from '#modules/accounts/index.ts'
import { recordAudit } from '#modules/audit/index.ts'
import { orderCommands } from '#modules/registry-commands/index.ts'
import type { Actor } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import type { Db, Tx } from '#platform/postgres/index.ts'
import { conclude, type OrderWork } from './advance-order.ts'
import { type StuckOrder, stepNow, stuckOrders } from './operator-store.ts'
import { isUnderWay, type Order } from './order.ts'
import { lockOrder, readOrder } from './store.ts'

/**
 * Orders that were paid at least this many minutes ago and are not finished, transfers that were paid ten days ago and are still in progress,
 * and orders with a refund that needs attention.
 */
export function readStuckOrders(db: Db, minutes: number): Promise<StuckOrder[]> {
  return stuckOrders(db, minutes)
}

/** Makes the next steps of an order and of its payments due now. */
export async function retryOrder(tx: Tx, actor: Actor, id: string): Promise<{ due: number }> {
  const order = await lockOrder(tx, id)
  if (order === undefined) throw noSuch(id)
  const due = await stepNow(tx, id)
  if (due === 0) throw new Refusal('conflict', `${id} has nothing to retry. It is ${order.status}.`)
  await note(tx, actor, order, 'order.retried', 'is retried')
  return { due }
}

/** The outcome of an order that an operator has learned from the registry, for example by telephone. */
export interface Decision {
  readonly isDone: boolean
  /** For the customer if the order was refused; otherwise for the audit log. */
  readonly reason: string
}

/**
 * Ends an order with the outcome that the operator gives: the registry executed it, or will not. For a started transfer: the domain has arrived,
 * or the transfer has failed. Later messages of the registry about its commands then have no effect. The daily check of the domain finds what
 * the registry really did.
 */
export async function decideOrder(
  tx: Tx,
  parts: Pick<OrderWork, 'giveZone'>,
  actor: Actor,
  id: string,
  { isDone, reason }: Decision,
): Promise<{ status: string }> {
  const found = await readOrder(tx, id)
  if (found === undefined) throw noSuch(id)
  await lockAccount(tx, found.accountId)
  const order = await lockOrder(tx, id)
  if (order === undefined || !isUnderWay(order))
    throw new Refusal(
      'conflict',
      `Only a processing order or a transfer in progress can be marked. ${id} is ${order?.status}.`,
    )
  await orderCommands.close(tx, [{ owner: id, state: isDone ? 'done' : 'refused' }])
  await note(tx, actor, order, 'order.decided', `was marked as ${isDone ? 'done' : 'refused'}: ${reason}`)
  await conclude(tx, parts, order, isDone ? { state: 'done' } : { state: 'refused', message: reason }, true)
  return { status: (await readOrder(tx, id))?.status ?? 'gone' }
}

function noSuch(id: string): Refusal {
  return new Refusal('not_found', `The order ${JSON.stringify(id)} does not exist.`)
}

function note(tx: Tx, actor: Actor, order: Order, action: string, what: string): Promise<void> {
  return recordAudit(tx, {
    accountId: order.accountId,
    actor,
    action,
    domain: order.name,
    summary: `The order for ${order.name} ${what}`,
    reference: { order: order.id },
  })
}
