import type { Logger } from '#platform/log.ts'
import { type Database, databaseNow, type Tx } from '#platform/postgres/index.ts'
import type { Payments, Verified } from '#ports/payments.ts'
import { judgePayment, nextLookS } from './rules.ts'
import { lockPayment, type PaymentOfOrder, updatePayment } from './store.ts'

/** What the work on payments needs from outside. */
export interface PaymentWork {
  readonly database: Database
  readonly payments: Payments
  readonly log: Logger
}

/** Money that has come by an attempt. */
export interface Arrival {
  readonly paid: Verified
  /** It is the amount that was asked for. */
  readonly isDue: boolean
}

/**
 * Asks the gateway about an attempt that is not paid. If it still is not, stores that and when to ask next. If money has come, returns it
 * and stores nothing: what it does is up to the order.
 */
export async function verifyPayment(
  { database, payments, log }: PaymentWork,
  payment: PaymentOfOrder,
): Promise<Arrival | undefined> {
  const verified = await payments.verify(payment.reference)
  if (verified.kind === 'unavailable')
    log.warn({ payment: payment.id, why: verified.why }, 'the card gateway did not respond')
  if (verified.kind === 'verified' && verified.status === 'succeeded') {
    const isDue = judgePayment(payment, verified) === 'due'
    if (!isDue) log.error({ payment: payment.id, ...verified }, 'a payment differs from the amount requested')
    return { paid: verified, isDue }
  }
  await database.transact(async (tx) => {
    const locked = await lockPayment(tx, payment.id)
    if (locked === undefined || locked.status === 'succeeded') return
    const tries = locked.tries + 1
    const stepInS = nextLookS(tries, await ageS(tx, locked))
    if (verified.kind === 'unavailable')
      return updatePayment(tx, locked.id, { tries, isAsked: true, stepInS: stepInS ?? 3_600 })
    // A declined card is not the end: its payer may still pay with another one by the same reference.
    const isFailed = stepInS === null || (verified.kind === 'verified' && verified.status === 'failed')
    const change = { tries, isAsked: true, isLookedAt: true, stepInS } as const
    await updatePayment(tx, locked.id, isFailed ? { ...change, status: 'failed' } : change)
  })
}

async function ageS(tx: Tx, payment: PaymentOfOrder): Promise<number> {
  return ((await databaseNow(tx)).getTime() - payment.createdAt.getTime()) / 1_000
}
