import { registryShares } from '#modules/tlds/index.ts'
import { ClaimedWork } from '#platform/work/claimed-work.ts'
import { Rounds } from '#platform/work/rounds.ts'
import { advanceOrder, type Next, type OrderWork, takeOrders } from './advance-order.ts'
import { expireOrders } from './expire-orders.ts'
import { isAnyExpiryDue, isAnyStepDue } from './store.ts'

/** Orders that a process works on at once: at all registries, and at each. */
const maxWorking = 128
const maxOfRegistry = 32

/** Claims due orders and takes their next steps. Any number of processes may run it. */
export class OrderQueue {
  readonly #steps: ClaimedWork<Next>
  readonly #expiry: Rounds

  constructor(work: OrderWork) {
    const { database, log, registries } = work
    const shares = registryShares(registries, maxOfRegistry)
    this.#steps = new ClaimedWork({
      name: 'orders',
      log,
      max: maxWorking,
      look: database.pollFor(isAnyStepDue),
      claim: (max, full) => database.transact((tx) => takeOrders(tx, work, max, shares.tldsOf(full))),
      shares: { ...shares, of: ({ order }) => shares.of(order) },
      work: (next) => advanceOrder(work, next),
      about: ({ order }) => ({ order: order.id }),
      requestOf: ({ order }) => order.requestId,
    })
    this.#expiry = new Rounds({
      name: 'expiry of orders',
      log,
      look: database.pollFor(isAnyExpiryDue),
      round: async () => {
        await expireOrders(database)
        return false
      },
    })
  }

  /** Whether orders are in progress in this process. */
  get isBusy(): boolean {
    return this.#steps.isBusy
  }

  start(): void {
    this.#steps.start()
    this.#expiry.start()
  }

  wake(): void {
    this.#steps.wake()
  }

  /** Stops claiming orders, and finishes those in progress. */
  async stop(): Promise<void> {
    await Promise.all([this.#steps.stop(), this.#expiry.stop()])
  }
}
