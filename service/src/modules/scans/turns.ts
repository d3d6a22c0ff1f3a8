import { setTimeout as delay } from 'node:timers/promises'
import { maxScanQuestions } from '@zonewright/contract'

/** A little more than a tenth of a second, so that no second has more than ten messages, even if a timer is early. */
export const usualPauseMs = 110
/** How long one attempt at a scan may take. */
const maxScanMs = 180_000
/** How often the progress is recorded, which also keeps the scan's lease. */
const noteMs = 1_000

/** Lets the messages of a scan be sent one after the other, and counts them. */
export class Turns {
  asked: number
  readonly #pauseMs: number
  readonly #note: (asked: number) => Promise<boolean>
  readonly #endMs = performance.now() + maxScanMs
  #lastMs = Number.NEGATIVE_INFINITY
  #notedMs = Number.NEGATIVE_INFINITY
  #isOver = false

  /**
   * @param asked messages that the scan sent before
   * @param note records the progress; false: the scan belongs to someone else now
   */
  constructor(asked: number, pauseMs: number, note: (asked: number) => Promise<boolean>) {
    this.asked = asked
    this.#pauseMs = pauseMs
    this.#note = note
  }

  /** No more messages may be sent. */
  get isOver(): boolean {
    return this.#isOver || this.asked >= maxScanQuestions || performance.now() > this.#endMs
  }

  /** Ends the scan before its next message. */
  end(): void {
    this.#isOver = true
  }

  /** Waits until the next message may be sent. False: none may. */
  readonly next = async (): Promise<boolean> => {
    const waitMs = this.#lastMs + this.#pauseMs - performance.now()
    if (!this.isOver && waitMs > 0) await delay(waitMs)
    if (!this.isOver && performance.now() - this.#notedMs > noteMs) {
      this.#notedMs = performance.now()
      if (!(await this.#note(this.asked))) this.end()
    }
    if (this.isOver) return false
    this.#lastMs = performance.now()
    this.asked++
    return true
  }
}
