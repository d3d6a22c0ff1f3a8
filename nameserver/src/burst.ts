/** Hears of every piece of work, and says so once when many have come and then none for a while. */
export class Burst {
  readonly #many: number
  readonly #quietMs: number
  readonly #after: () => void
  #count = 0
  #timer: NodeJS.Timeout | undefined

  /** Fewer than `many` leave no garbage worth the trouble. */
  constructor(many: number, after: () => void, quietMs = 2_000) {
    this.#many = many
    this.#after = after
    this.#quietMs = quietMs
  }

  count(): void {
    if (++this.#count < this.#many) return
    this.#timer = this.#timer?.refresh() ?? setTimeout(() => this.#end(), this.#quietMs).unref()
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #end(): void {
    this.#timer = undefined
    this.#count = 0
    this.#after()
  }
}
