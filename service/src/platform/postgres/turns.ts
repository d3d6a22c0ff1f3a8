import { Refusal } from '../errors.ts'

/**
 * Runs the work of one key one after another, in the order requested. Work of different keys does not wait for each other.
 *
 * For work that would otherwise hold a connection while it waits for the same lock: some fifteen writers of one zone would hold all connections of a
 * process.
 */
export class Turns {
  readonly #withinMs: number
  readonly #maxWaiting: number
  /** For each key with work in progress: the callers that wait for it. */
  readonly #waiting = new Map<string, (() => void)[]>()

  /** Work is refused after a longer wait, or if this many are waiting for the same key: work that comes in faster than it is done must not pile up. */
  constructor(withinMs: number, maxWaiting: number) {
    this.#withinMs = withinMs
    this.#maxWaiting = maxWaiting
  }

  /** @throws Refusal `unavailable` if the turn did not come in time, or too many wait; the work is not begun then. */
  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const waiting = this.#waiting.get(key)
    if (waiting === undefined) this.#waiting.set(key, [])
    else if (waiting.length >= this.#maxWaiting) throw busy()
    else await this.#turnAmong(waiting)
    try {
      return await work()
    } finally {
      this.#pass(key)
    }
  }

  #turnAmong(waiting: (() => void)[]): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(tooLate)
        resolve()
      }
      const tooLate = setTimeout(() => {
        waiting.splice(waiting.indexOf(begin), 1)
        reject(busy())
      }, this.#withinMs)
      waiting.push(begin)
    })
  }

  #pass(key: string): void {
    const next = this.#waiting.get(key)?.shift()
    if (next) next()
    else this.#waiting.delete(key)
  }
}

function busy(): Refusal {
  return new Refusal(
    'unavailable',
    'Too many requests are waiting for the same resource. Nothing was changed. Try again in a few seconds.',
    {
      headers: { 'retry-after': '5' },
    },
  )
}
