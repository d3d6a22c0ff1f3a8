import { Slots } from '#platform/work/slots.ts'

/** Maximum number of whole zones that are sent at once (design: dns, "Publication"). */
const maxTransfers = 32

/**
 * Decides which transfer of a whole zone may continue. Thirty-two are in progress at once, and each round of the event loop prepares
 * one message of one of them, so that many empty nameservers do not delay those that fetch differences.
 */
export class TransferTurns {
  readonly #slots: Slots
  readonly #waiting: (() => void)[] = []
  #isPassing = false

  /** @param maxOfOwner how many transfers of one owner may be in progress at once: a slow client keeps its slot for a long time */
  constructor(maxOfOwner = maxTransfers) {
    this.#slots = new Slots(maxTransfers, Number.POSITIVE_INFINITY, maxOfOwner)
  }

  /** Runs a transfer as soon as fewer than thirty-two are in progress, and its owner is below its limit. Owners take turns. */
  run<T>(transfer: () => Promise<T>, owner?: string): Promise<T> {
    return this.#slots.run(transfer, owner)
  }

  /** Waits for the transfer's next turn. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      if (!this.#isPassing) this.#pass()
    })
  }

  #pass(): void {
    this.#isPassing = true
    setImmediate(() => {
      this.#waiting.shift()?.()
      this.#isPassing = false
      if (this.#waiting.length > 0) this.#pass()
    })
  }
}
