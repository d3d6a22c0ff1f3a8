import { Slots } from '#platform/work/slots.ts'

/** Whole zones under way at once (design: dns, "Publication"). */
const maxTransfers = 32

/**
 * Who of the cold transfers may go on. Thirty-two are under way at once, and one message of one of them is made in each
 * round of the event loop, so that a fleet of empty nameservers does not hold up those that follow step by step.
 */
export class TransferTurns {
  readonly #slots = new Slots(maxTransfers)
  readonly #waiting: (() => void)[] = []
  #isPassing = false

  /** Runs a transfer as soon as fewer than thirty-two are under way. */
  run<T>(transfer: () => Promise<T>): Promise<T> {
    return this.#slots.run(transfer)
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
