import type { Log } from '../log.ts'
import { reasonOf } from '../startup-fault.ts'

/** Minimum time between two lines. */
const pauseMs = 1000

/**
 * Logs that queries were not answered because of a bug: at most once a second, with their number. Someone who
 * finds out how to trigger it must not be able to fill the log.
 */
export class FaultLog {
  readonly #log: Log
  #nowMs = 0
  #toldAtMs = Number.NEGATIVE_INFINITY
  #count = 0

  constructor(log: Log) {
    this.#log = log
  }

  /** Milliseconds since 1970. */
  tick(nowMs: number): void {
    this.#nowMs = nowMs
  }

  note(error: unknown): void {
    this.#count++
    // The clock may have been set back.
    if (Math.abs(this.#nowMs - this.#toldAtMs) < pauseMs) return
    const stack = error instanceof Error ? error.stack : ''
    this.#log.error('query not answered', { reason: reasonOf(error), stack, queries: this.#count })
    this.#toldAtMs = this.#nowMs
    this.#count = 0
  }
}
