import type { Logger } from '#platform/log.ts'
import { type Database, databaseNow, type Tx } from '#platform/postgres/index.ts'
import type { Payments, Verified } from '#ports/payments.ts'
import { judgePayment, nextLookS } from './rules.ts'
import { lockPayment, type PaymentOfOrder, updatePayment } from './store.ts'

/** What the work on payments needs from other modules. */
export interface PaymentWork {
  readonly database: Database
  readonly payments: Payments
  readonly log: Logger
}

/** A payment that was made through an attempt. */
export interface Arrival {
  readonly paid: Verified
  /** Whether it is the requested amount. */
  readonly isDue: boolean
}

/**
 * Queries the gateway about an unpaid attempt. If it still is unpaid, stores that and when to query next. If it was paid, returns the payment
 * and stores nothing, because the order decides what it does.
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
    // A declined card is not the end: the payer may still pay with another card and the same reference.
    const isFailed = stepInS === null || (verified.kind === 'verified' && verified.status === 'failed')
    const declineReason = verified.kind === 'verified' ? verified.declineReason : null
    const change = { tries, isAsked: true, isLookedAt: true, stepInS, declineReason } as const
    await updatePayment(tx, locked.id, isFailed ? { ...change, status: 'failed' } : change)
  })
}

async function ageS(tx: Tx, payment: PaymentOfOrder): Promise<number> {
  return ((await databaseNow(tx)).getTime() - payment.createdAt.getTime()) / 1_000
}
