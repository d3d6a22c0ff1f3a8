/** How a Gather batches. */
export interface GatherOptions {
  /** Most questions in one batch. */
  readonly maxItems: number
  /** Least time between the starts of two batches; 0 by default. */
  readonly gapMs?: number
}

interface Waiting<Q, A> {
  readonly question: Q
  readonly resolve: (answer: A) => void
  readonly reject: (error: unknown) => void
}

/**
 * Makes one statement out of what many ask at once: whatever is asked while a batch is under way goes into the next.
 *
 * A lone question is not held back, and a flood costs one round trip at a time, however large it is.
 */
export class Gather<Q, A> {
  readonly #work: (questions: readonly Q[]) => Promise<readonly A[]>
  readonly #maxItems: number
  readonly #gapMs: number
  #waiting: Waiting<Q, A>[] = []
  #isRunning = false
  #startedAtMs = Number.NEGATIVE_INFINITY

  /** `work` answers each question, in their order. Where it throws, all of the batch fail. */
  constructor(options: GatherOptions, work: (questions: readonly Q[]) => Promise<readonly A[]>) {
    this.#work = work
    this.#maxItems = options.maxItems
    this.#gapMs = options.gapMs ?? 0
  }

  ask(question: Q): Promise<A> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ question, resolve, reject })
      if (!this.#isRunning) this.#schedule()
    })
  }

  #schedule(): void {
    this.#isRunning = true
    const waitMs = this.#startedAtMs + this.#gapMs - performance.now()
    // Not at once, either way: what else is asked in this turn shall come along.
    if (waitMs > 0) setTimeout(() => void this.#run(), waitMs)
    else queueMicrotask(() => void this.#run())
  }

  async #run(): Promise<void> {
    this.#startedAtMs = performance.now()
    const batch = this.#waiting.splice(0, this.#maxItems)
    try {
      const answers = await this.#work(batch.map(({ question }) => question))
      for (const [index, { resolve, reject }] of batch.entries()) {
        if (index < answers.length) resolve(answers[index] as A)
        else reject(new RangeError('a batch left a question without an answer'))
      }
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
    this.#isRunning = false
    if (this.#waiting.length > 0) this.#schedule()
  }
}
