/**
 * Lets at most so many pieces of work run at once. The others wait in the order they came, and those of different owners take turns: one who
 * asks for a thousand does not hold up another who asks for one.
 */
export class Slots {
  readonly #max: number
  #taken = 0
  /** Of each owner whose work waits, the one whose turn is next first. */
  readonly #waiting = new Map<string, (() => void)[]>()

  constructor(max: number) {
    this.#max = max
  }

  /** @param owner whose work it is, such as an account's id; left out: of one owner with all others that leave it out. */
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
    else waiting.push(begin)
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
