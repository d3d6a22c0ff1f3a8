import { auditStatement } from '#modules/audit/index.ts'
import { eventStatements } from '#modules/events/index.ts'
import { actorNamed } from '#platform/caller.ts'
import { type Database, runTogether, type Tx, wakeAfterCommit } from '#platform/db.ts'
import { orderEvent } from './events.ts'
import { planMove } from './moves.ts'
import type { Order } from './order.ts'
import { hurryLastLooks } from './payment-store.ts'
import { cancelExpired, lockExpired } from './store.ts'

/** Orders that are cancelled in one transaction. */
const batch = 500
/** Transactions at once: while PostgreSQL writes for one, the next is put together here. */
const atOnce = 2

const actor = actorNamed('system', 'expiry')

/** Cancels unpaid orders whose time is over, so many at once. Returns how many there were. */
export async function expireOrders(database: Database): Promise<number> {
  await database.transact(hurryLastLooks)
  const totals = await Promise.all(Array.from({ length: atOnce }, () => expireInTurn(database)))
  return totals.reduce((sum, total) => sum + total, 0)
}

async function expireInTurn(database: Database): Promise<number> {
  for (let total = 0; ; ) {
    const cancelled = await database.transact(expireSome)
    total += cancelled
    if (cancelled < batch) return total
  }
}

/** The same move for each of them as for one alone, written with few statements. */
async function expireSome(tx: Tx): Promise<number> {
  const expired = (await lockExpired(tx, batch)).filter((order) => planMove(order, { kind: 'expired' }))
  if (expired.length === 0) return 0
  const cancelled = await cancelExpired(
    tx,
    expired.map(({ id }) => id),
  )
  await runTogether(tx, [
    ...eventStatements(cancelled.map((order) => orderEvent('order.cancelled', order))),
    auditStatement(cancelled.map(auditEntry)),
  ])
  wakeAfterCommit(tx, 'events_ready')
  return cancelled.length
}

function auditEntry(order: Order) {
  return {
    accountId: order.accountId,
    actor,
    action: 'order.cancelled',
    domain: order.name,
    summary: `The order for ${order.name} was not paid in time and is cancelled`,
    reference: { order: order.id, status: order.status },
  }
}
