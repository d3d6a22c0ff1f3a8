import { Refusal } from '../errors.ts'

/**
 * Limits how many pieces of work run at once. The others wait, and owners take turns, each in the order in which its work came: an owner with a
 * thousand pieces of work does not delay another one with a single piece.
 */
export class Slots {
  readonly #max: number
  readonly #maxWaiting: number
  readonly #maxOfOwner: number
  #taken = 0
  /** The running work of each owner. */
  readonly #running = new Map<string, number>()
  /** The waiting work of each owner; the owner whose turn is next comes first. */
  readonly #waiting = new Map<string, (() => void)[]>()

  /**
   * @param maxWaiting how many pieces of work of one owner may wait
   * @param maxOfOwner how many of them may run at once, even if there is room for more
   */
  constructor(max: number, maxWaiting = Number.POSITIVE_INFINITY, maxOfOwner = max) {
    this.#max = max
    this.#maxWaiting = maxWaiting
    this.#maxOfOwner = maxOfOwner
  }

  /**
   * @param owner whose work it is, such as an account's id. Work without an owner shares one turn.
   * @throws Refusal `unavailable` if too much work of the owner is waiting; the work is not started then
   */
  async run<T>(work: () => Promise<T>, owner = ''): Promise<T> {
    if (this.#taken < this.#max && this.#mayRun(owner)) this.#begin(owner)
    // Work that ends gives its place to the next.
    else await new Promise<void>((resolve) => this.#wait(owner, resolve))
    try {
      return await work()
    } finally {
      this.#end(owner)
      this.#next()?.()
    }
  }

  #mayRun(owner: string): boolean {
    return (this.#running.get(owner) ?? 0) < this.#maxOfOwner
  }

  #begin(owner: string): void {
    this.#taken++
    this.#running.set(owner, (this.#running.get(owner) ?? 0) + 1)
  }

  #end(owner: string): void {
    this.#taken--
    const left = (this.#running.get(owner) ?? 1) - 1
    if (left > 0) this.#running.set(owner, left)
    else this.#running.delete(owner)
  }

  #wait(owner: string, begin: () => void): void {
    const waiting = this.#waiting.get(owner)
    if (waiting === undefined) this.#waiting.set(owner, [begin])
    else if (waiting.length < this.#maxWaiting) waiting.push(begin)
    else throw tooManyWait()
  }

  /** The work that gets the free place. */
  #next(): (() => void) | undefined {
    for (const [owner, waiting] of this.#waiting) {
      if (!this.#mayRun(owner)) continue
      const begin = waiting.shift()
      this.#waiting.delete(owner)
      if (waiting.length > 0) this.#waiting.set(owner, waiting)
      this.#begin(owner)
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
