import { Deadline } from '#platform/work/deadline.ts'

/**
 * The time limit of one request, for all its steps together.
 *
 * A step registers in `onOver` how to abort it. The steps run one after the other, so one registration is enough.
 */
export class TimeLimit {
  readonly #deadline: Deadline
  readonly #signal: AbortSignal | undefined
  readonly #giveUp = (): void => this.#end()
  #isOver = false
  #onOver: (() => void) | undefined

  /** @param signal also ends the request when it is aborted */
  constructor(ms: number, signal?: AbortSignal) {
    this.#signal = signal
    this.#deadline = new Deadline(ms, () => this.#end())
    signal?.addEventListener('abort', this.#giveUp)
  }

  /** Registers what aborts the current step. Called immediately if the time is already over. */
  set onOver(breakOff: (() => void) | undefined) {
    this.#onOver = breakOff
    if (this.#isOver) breakOff?.()
  }

  /** The request has ended. */
  release(): void {
    this.#onOver = undefined
    this.#deadline.met()
    this.#signal?.removeEventListener('abort', this.#giveUp)
  }

  #end(): void {
    this.#isOver = true
    this.#onOver?.()
  }
}
