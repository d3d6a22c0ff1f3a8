import { auditStatement } from '#modules/audit/index.ts'
import { eventStatements } from '#modules/events/index.ts'
import { actorNamed } from '#platform/caller.ts'
import { byIndexAlone, type Database, type Tx } from '#platform/postgres/index.ts'
import { Slots } from '#platform/work/slots.ts'
import { orderEvent } from './events.ts'
import { planMove } from './moves.ts'
import type { Order } from './order.ts'
import { cancelExpired, findExpired, hurryLastLooks, lockExpired } from './store.ts'

/** Maximum number of orders that one query returns. The query scans all expired orders. */
const found = 20_000
/** Maximum number of orders that one transaction cancels. */
const batch = 500
/** Concurrent transactions: while PostgreSQL writes for one, this process prepares the next. */
const atOnce = 2

const actor = actorNamed('system', 'expiry')

/** Cancels expired unpaid orders, many at once. Returns their number. */
export async function expireOrders(database: Database): Promise<number> {
  await database.transact(hurryLastLooks)
  for (let total = 0; ; ) {
    const ids = await database.transact(async (tx) => {
      const [, expired] = await Promise.all([tx.apply(byIndexAlone), findExpired(tx, found)])
      return expired
    })
    const cancelled = await expireAll(database, ids)
    total += cancelled
    // Orders that another transaction has locked are found in a later run.
    if (ids.length < found || cancelled === 0) return total
  }
}

async function expireAll(database: Database, ids: readonly string[]): Promise<number> {
  const transactions = new Slots(atOnce)
  const batches = Array.from({ length: Math.ceil(ids.length / batch) }, (_, i) => ids.slice(i * batch, (i + 1) * batch))
  const cancelled = await Promise.all(
    batches.map((some) => transactions.run(() => database.transact((tx) => expireSome(tx, some)))),
  )
  return cancelled.reduce((sum, count) => sum + count, 0)
}

/** The same transition for each order as for a single one, written with few statements. */
async function expireSome(tx: Tx, ids: readonly string[]): Promise<number> {
  const [, locked] = await Promise.all([tx.apply(byIndexAlone), lockExpired(tx, ids)])
  const expired = locked.filter((order) => planMove(order, { kind: 'expired' }))
  if (expired.length === 0) return 0
  const cancelled = await cancelExpired(
    tx,
    expired.map(({ id }) => id),
  )
  await tx.runTogether([
    ...eventStatements(cancelled.map((order) => orderEvent('order.cancelled', order))),
    auditStatement(cancelled.map(auditEntry)),
  ])
  tx.wakeAfterCommit('events_ready')
  return cancelled.length
}

function auditEntry(order: Order) {
  return {
    accountId: order.accountId,
    actor,
    action: 'order.cancelled',
    domain: order.name,
    summary: `The order for ${order.name} was not paid in time and was cancelled`,
    reference: { order: order.id, status: order.status },
  }
}
