import { setImmediate as nextTurn } from 'node:timers/promises'

/** Each of them reads some 32 datagrams of a socket, or 64 KiB of a connection. */
const lastLookTurns = 16

/**
 * Until when an answer has to come from elsewhere.
 *
 * A timer alone is no measure of that: the event loop runs timers that are due before it reads its sockets, so that to a process which
 * stood still (stopped, or moved to another machine) answers that had come in time would be silence. When the time is up, what lies
 * there is read first.
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

  /** The answer has arrived, or is not needed any longer. */
  met(): void {
    this.#isMet = true
    clearTimeout(this.#timer)
  }
}
