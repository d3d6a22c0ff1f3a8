import { Refusal } from '../errors.ts'

/**
 * Limits how many pieces of work run at once. The others wait, and owners take turns, each in the order in which its work came: an owner with
 * a thousand pieces of work does not hold up another one with a single piece.
 */
export class Slots {
  readonly #max: number
  readonly #maxWaiting: number
  #taken = 0
  /** The waiting work of each owner; the owner whose turn is next comes first. */
  readonly #waiting = new Map<string, (() => void)[]>()

  /** @param maxWaiting how many pieces of work of one owner may wait */
  constructor(max: number, maxWaiting = Number.POSITIVE_INFINITY) {
    this.#max = max
    this.#maxWaiting = maxWaiting
  }

  /**
   * @param owner whose work it is, such as an account's id. Work without an owner shares one turn.
   * @throws Refusal `unavailable` if too much work of the owner is waiting; the work is not started then
   */
  async run<T>(work: () => Promise<T>, owner = ''): Promise<T> {
    if (this.#taken < this.#max) this.#taken++
    // Whoever finishes hands its place on.
    else await new Promise<void>((resolve) => this.#wait(owner, resolve))
    try {
      return await work()
    } finally {
      const next = this.#next()
      if (next) next()
      else this.#taken--
    }
  }

  #wait(owner: string, begin: () => void): void {
    const waiting = this.#waiting.get(owner)
    if (waiting === undefined) this.#waiting.set(owner, [begin])
    else if (waiting.length < this.#maxWaiting) waiting.push(begin)
    else throw tooManyWait()
  }

  #next(): (() => void) | undefined {
    for (const [owner, waiting] of this.#waiting) {
      const begin = waiting.shift()
      this.#waiting.delete(owner)
      if (waiting.length > 0) this.#waiting.set(owner, waiting)
      return begin
    }
    return undefined
  }
}

function tooManyWait(): Refusal {
  return new Refusal(
    'unavailable',
    'Too many large requests of this account are waiting. Nothing was changed. Try again in a few seconds.',
    { headers: { 'retry-after': '5' } },
  )
}
