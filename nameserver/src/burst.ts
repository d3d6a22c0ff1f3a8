/** Counts units of work, and calls back once when a pause follows many units. */
export class Burst {
  readonly #many: number
  readonly #quietMs: number
  readonly #after: () => void
  #count = 0
  #timer: NodeJS.Timeout | undefined

  /** Fewer units than `many` leave too little garbage to matter. */
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
