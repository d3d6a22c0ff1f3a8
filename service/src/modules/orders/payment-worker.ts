import { claimPayments, isAnyPaymentDue, type PaymentOfOrder } from '#modules/payments/index.ts'
import { ClaimedWork } from '#platform/work/claimed-work.ts'
import { refundPayment } from './refund-payment.ts'
import { type PaymentWork, verifyPayment } from './settle-payment.ts'

/** Questions to the gateway at once in a process. */
const maxAsking = 8
/** A worker has a payment for so long; longer than the gateway is waited for, six times in a row for a refund that it refuses. */
const leaseS = 120

/** Asks the gateway about payments and refunds when that is due. Any number of processes may run it. */
export function paymentWorker(work: PaymentWork): ClaimedWork<PaymentOfOrder> {
  const { database, log } = work
  return new ClaimedWork({
    name: 'payments',
    log,
    max: maxAsking,
    look: database.pollFor(isAnyPaymentDue),
    claim: (max) => database.transact((tx) => claimPayments(tx, max, leaseS)),
    work: (payment) => workPayment(work, payment),
    about: ({ id }) => ({ payment: id }),
  })
}

/** Takes a payment's next step: what came of it, or of its refund. */
export async function workPayment(work: PaymentWork, payment: PaymentOfOrder): Promise<void> {
  // One that has failed, too: its payer may have tried another card.
  if (payment.status !== 'succeeded') await verifyPayment(work, payment)
  else if (payment.refundState !== null) await refundPayment(work, payment)
}
