import { setImmediate as nextTurn } from 'node:timers/promises'

/** Each turn reads some 32 datagrams of a socket, or 64 KiB of a connection. */
const lastLookTurns = 16

/**
 * The time by which an answer has to come from elsewhere.
 *
 * A timer alone cannot decide this: the event loop runs timers that are due before it reads its sockets. A process that stood still (stopped, or
 * moved to another machine) would therefore miss answers that had come in time. When the time is up, what has arrived is read first.
 */
export class Deadline {
  readonly #timer: NodeJS.Timeout
  #isMet = false

  /** `missed` is called once, `ms` from now or a moment later, unless it is met before. */
  constructor(ms: number, missed: () => void) {
    this.#timer = setTimeout(async () => {
      for (let turn = 0; turn < lastLookTurns && !this.#isMet; turn++) await nextTurn()
      if (!this.#isMet) missed()
    }, ms)
  }

  /** The answer has arrived, or is no longer needed. */
  met(): void {
    this.#isMet = true
    clearTimeout(this.#timer)
  }
}
