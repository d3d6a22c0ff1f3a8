import { ClaimedWork } from '#platform/work/claimed-work.ts'
import { claimPayments, isAnyPaymentDue, type PaymentOfOrder } from './store.ts'
import type { PaymentWork } from './verify.ts'

/** Maximum number of concurrent queries to the gateway in a process. */
const maxAsking = 8
/** How long a worker holds a payment: longer than six consecutive queries can take, for a refund that the gateway refuses. */
const leaseS = 120

/**
 * Works on payments when the gateway has to be queried about them. Any number of processes may run it.
 *
 * @param settle takes a payment's next step
 */
export function paymentWorker(
  { database, log }: Pick<PaymentWork, 'database' | 'log'>,
  settle: (payment: PaymentOfOrder) => Promise<void>,
): ClaimedWork<PaymentOfOrder> {
  return new ClaimedWork({
    name: 'payments',
    log,
    max: maxAsking,
    look: database.pollFor(isAnyPaymentDue),
    claim: (max) => database.transact((tx) => claimPayments(tx, max, leaseS)),
    work: settle,
    about: ({ id }) => ({ payment: id }),
  })
}
