import { inRequest } from '../request-id.ts'

/** How a Gather batches. */
export interface GatherOptions<Q> {
  /** Most questions in one batch. */
  readonly maxItems: number
  /** Least time between the starts of two batches; 0 by default. */
  readonly gapMs?: number
  /** Most batches in progress at once; 1 by default. */
  readonly slots?: number
  /** Fewest waiting questions that start a batch while another is in progress; 1 by default. */
  readonly besides?: number
  /** Two batches in progress never have questions with the same key. */
  readonly keyOf?: (question: Q) => string
}

interface Waiting<Q, A> {
  readonly question: Q
  readonly resolve: (answer: A) => void
  readonly reject: (error: unknown) => void
}

/**
 * Combines the questions of many callers into one statement: those that arrive while a batch is in progress go into the next.
 *
 * A single question is not delayed, and any number of questions costs one round trip at a time.
 */
export class Gather<Q, A> {
  readonly #work: (questions: readonly Q[]) => Promise<readonly A[]>
  readonly #options: Required<Omit<GatherOptions<Q>, 'keyOf'>> & Pick<GatherOptions<Q>, 'keyOf'>
  #waiting: Waiting<Q, A>[] = []
  #running = 0
  #isScheduled = false
  #startedAtMs = Number.NEGATIVE_INFINITY
  /** Keys of the batches in progress. */
  readonly #busy = new Set<string>()

  /** `work` answers each question, in their order. If it throws, the whole batch fails. */
  constructor(options: GatherOptions<Q>, work: (questions: readonly Q[]) => Promise<readonly A[]>) {
    this.#options = { gapMs: 0, slots: 1, besides: 1, ...options }
    this.#work = work
  }

  ask(question: Q): Promise<A> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ question, resolve, reject })
      this.#schedule()
    })
  }

  #schedule(): void {
    if (this.#isScheduled || this.#running >= this.#options.slots || this.#waiting.length < this.#leastWaiting) return
    this.#isScheduled = true
    const waitMs = this.#startedAtMs + this.#options.gapMs - performance.now()
    // Never synchronously, so that other questions of this turn are in the same batch.
    if (waitMs > 0) setTimeout(() => void this.#run(), waitMs)
    else queueMicrotask(() => void this.#run())
  }

  get #leastWaiting(): number {
    return this.#running === 0 ? 1 : this.#options.besides
  }

  async #run(): Promise<void> {
    this.#isScheduled = false
    const batch = this.#take()
    if (batch.length === 0) return // all of them wait for a batch in progress
    const keys = this.#keysOf(batch)
    for (const key of keys) this.#busy.add(key)
    this.#running += 1
    this.#startedAtMs = performance.now()
    this.#schedule()
    await this.#answer(batch)
    this.#running -= 1
    for (const key of keys) this.#busy.delete(key)
    this.#schedule()
  }

  async #answer(batch: readonly Waiting<Q, A>[]): Promise<void> {
    try {
      const answers = await inRequest(null, () => this.#work(batch.map(({ question }) => question)))
      for (const [index, { resolve, reject }] of batch.entries()) {
        if (index < answers.length) resolve(answers[index] as A)
        else reject(new RangeError('a batch left a question without an answer'))
      }
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  /** The next batch, in the order of the questions. */
  #take(): Waiting<Q, A>[] {
    const { maxItems, keyOf } = this.#options
    if (!keyOf || this.#busy.size === 0) return this.#waiting.splice(0, maxItems)
    const batch: Waiting<Q, A>[] = []
    this.#waiting = this.#waiting.filter((waiting) => {
      if (batch.length >= maxItems || this.#busy.has(keyOf(waiting.question))) return true
      batch.push(waiting)
      return false
    })
    return batch
  }

  #keysOf(batch: readonly Waiting<Q, A>[]): Set<string> {
    const { keyOf } = this.#options
    return new Set(keyOf ? batch.map(({ question }) => keyOf(question)) : [])
  }
}
