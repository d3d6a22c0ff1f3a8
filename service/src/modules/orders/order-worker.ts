import { inRequest } from '#platform/request-id.ts'
import { Rounds } from '#platform/rounds.ts'
import { expireOrders } from './expire-orders.ts'
import { isAnyExpiryDue, isAnyStepDue } from './store.ts'
import { type Next, type OrderWork, takeOrders, workOrder } from './work-order.ts'

/** Orders under way at once in a process. */
const maxWorking = 32
/** A worker has an order for so long; one that dies leaves it to others then. Longer than any registry is waited for. */
const leaseS = 120

/** Takes orders' next steps when they are due. Any number of processes may run it. */
export class OrderWorker {
  readonly #work: OrderWork
  readonly #rounds: Rounds
  readonly #expiry: Rounds
  readonly #working = new Set<Promise<void>>()

  constructor(work: OrderWork) {
    this.#work = work
    this.#rounds = new Rounds({
      name: 'orders',
      log: work.log,
      look: work.database.lookFor(isAnyStepDue),
      round: () => this.#claim(),
    })
    this.#expiry = new Rounds({
      name: 'expiry of orders',
      log: work.log,
      look: work.database.lookFor(isAnyExpiryDue),
      round: async () => {
        await expireOrders(work.database)
        return false
      },
    })
  }

  start(): void {
    this.#rounds.start()
    this.#expiry.start()
  }

  wake(): void {
    this.#rounds.wake()
  }

  /** Claims no more, and finishes what is under way. */
  async stop(): Promise<void> {
    await Promise.all([this.#rounds.stop(), this.#expiry.stop()])
    await Promise.all(this.#working)
  }

  async #claim(): Promise<boolean> {
    const free = maxWorking - this.#working.size
    if (free === 0) return false
    const taken = await this.#work.database.transact((tx) => takeOrders(tx, this.#work, free, leaseS))
    for (const next of taken) this.#start(next)
    return false
  }

  #start(next: Next): void {
    const working = inRequest(next.order.requestId, () => workOrder(this.#work, next))
      .catch((error: unknown) => {
        this.#work.log.error(
          { err: error, order: next.order.id },
          'a step of an order broke; it is taken again when its lease is over',
        )
      })
      .finally(() => {
        this.#working.delete(working)
        // A slot is free, and there may be more than was claimed.
        this.#rounds.wake()
      })
    this.#working.add(working)
  }
}
