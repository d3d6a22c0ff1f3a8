/** Lets at most so many pieces of work run at once; the others wait in the order they came. */
export class Slots {
  readonly #max: number
  #taken = 0
  readonly #waiting: (() => void)[] = []

  constructor(max: number) {
    this.#max = max
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#taken < this.#max) this.#taken++
    // Whoever finishes hands its place on.
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#taken--
    }
  }
}
