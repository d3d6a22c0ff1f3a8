import type { Logger } from '#platform/log.ts'
import { type Database, databaseNow, type Tx } from '#platform/postgres/index.ts'
import type { Payments, Verified } from '#ports/payments.ts'
import { type ChargeStanding, judgePayment, nextLookS } from './rules.ts'
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
 * Queries the gateway about an unpaid attempt. If it is still unpaid, stores this and when to query next. If it was paid, returns the payment
 * and stores nothing, because the order decides what it does.
 */
export async function verifyPayment(
  { database, payments, log }: PaymentWork,
  payment: PaymentOfOrder,
): Promise<Arrival | undefined> {
  const verified = await payments.verify(payment.reference)
  if (verified.kind === 'unavailable')
    log.warn({ payment: payment.id, why: verified.why }, 'the card gateway did not respond')
  if (verified.kind === 'verified' && verified.status === 'succeeded') return arrivalOf(log, payment, verified)
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

/** Compares a payment that was made with what was requested. */
export function arrivalOf(log: Logger, payment: PaymentOfOrder, paid: Verified): Arrival {
  const isDue = judgePayment(payment, paid) === 'due'
  const { amountKobo, currency } = paid
  if (!isDue) log.error({ payment: payment.id, amountKobo, currency }, 'a payment differs from the amount requested')
  return { paid, isDue }
}

/**
 * Stores the state of an unpaid charge, and when to query it next. Its row is locked. True if the charge has ended, or waits for its owner, who must
 * then be notified.
 */
export async function noteCharge(
  tx: Tx,
  payment: PaymentOfOrder,
  standing: Exclude<ChargeStanding, { is: 'paid' }>,
): Promise<boolean> {
  const tries = payment.tries + 1
  const stepInS = nextLookS(tries, await ageS(tx, payment))
  if (standing.is === 'lost') {
    await updatePayment(tx, payment.id, { charge: 'wanted', tries, isAsked: true, isLookedAt: true, stepInS: 0 })
    tx.wakeAfterCommit('payments_due')
    return false
  }
  if (standing.is === 'unknown') {
    const { isAnswered } = standing
    await updatePayment(tx, payment.id, {
      ...{ tries, isAsked: true },
      ...(isAnswered && { isLookedAt: true }),
      ...(stepInS === null && isAnswered ? { status: 'failed', stepInS } : { stepInS: stepInS ?? 3_600 }),
    })
    return false
  }
  const looked = { tries, isAsked: true, isLookedAt: true, stepInS } as const
  await updatePayment(
    tx,
    payment.id,
    standing.is === 'declined'
      ? { ...looked, status: 'failed', declineReason: standing.reason }
      : { ...looked, charge: 'confirm' },
  )
  return true
}

async function ageS(tx: Tx, payment: PaymentOfOrder): Promise<number> {
  return ((await databaseNow(tx)).getTime() - payment.createdAt.getTime()) / 1_000
}
