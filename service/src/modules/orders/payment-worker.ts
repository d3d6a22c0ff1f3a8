import { Rounds } from '#platform/rounds.ts'
import { claimPayments, isAnyPaymentDue, type PaymentOfOrder } from './payment-store.ts'
import { refundPayment } from './refund-payment.ts'
import { type PaymentWork, verifyPayment } from './settle-payment.ts'

/** Questions to the gateway at once in a process. */
const maxAsking = 8
/** A worker has a payment for so long; longer than the gateway is waited for. */
const leaseS = 60

/** Asks the gateway about payments and refunds when that is due. Any number of processes may run it. */
export class PaymentWorker {
  readonly #work: PaymentWork
  readonly #rounds: Rounds
  readonly #asking = new Set<Promise<void>>()

  constructor(work: PaymentWork) {
    this.#work = work
    this.#rounds = new Rounds({
      name: 'payments',
      log: work.log,
      look: work.database.lookFor(isAnyPaymentDue),
      round: () => this.#claim(),
    })
  }

  start(): void {
    this.#rounds.start()
  }

  wake(): void {
    this.#rounds.wake()
  }

  /** Claims no more, and finishes what is under way. */
  async stop(): Promise<void> {
    await this.#rounds.stop()
    await Promise.all(this.#asking)
  }

  async #claim(): Promise<boolean> {
    const free = maxAsking - this.#asking.size
    if (free === 0) return false
    const payments = await this.#work.database.transact((tx) => claimPayments(tx, free, leaseS))
    for (const payment of payments) this.#start(payment)
    return false
  }

  #start(payment: PaymentOfOrder): void {
    const asking = workPayment(this.#work, payment)
      .catch((error: unknown) => {
        this.#work.log.error({ err: error, payment: payment.id }, 'a step of a payment broke; it is taken again')
      })
      .finally(() => {
        this.#asking.delete(asking)
        this.#rounds.wake()
      })
    this.#asking.add(asking)
  }
}

/** Takes a payment's next step: what came of it, or of its refund. */
export async function workPayment(work: PaymentWork, payment: PaymentOfOrder): Promise<void> {
  // One that had failed is asked about again only when the gateway has told of it: its bank was late.
  if (payment.status !== 'succeeded') await verifyPayment(work, payment)
  else if (payment.refundState !== null) await refundPayment(work, payment)
}
