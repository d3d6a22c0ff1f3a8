import type { BenchPrimary } from './bench-primary.ts'

const tickMs = 5

/** Changes one zone after another at a rate, and notifies one nameserver of each change. */
export class Churn {
  readonly #primary: BenchPrimary
  readonly #zones: number
  readonly #perSecond: number
  /** Changes made so far. */
  changes = 0
  #next = 0

  constructor(primary: BenchPrimary, zones: number, perSecond: number) {
    this.#primary = primary
    this.#zones = zones
    this.#perSecond = perSecond
  }

  /** Changes zones for the duration of the work. If it falls behind the clock, it catches up, by at most a tenth of a second. */
  async during<T>(port: number, work: () => Promise<T>): Promise<T> {
    let doneMs = performance.now()
    const timer = setInterval(() => {
      const nowMs = performance.now()
      doneMs = Math.max(doneMs, nowMs - 100)
      for (; doneMs < nowMs; doneMs += 1000 / this.#perSecond) this.#change(port)
    }, tickMs)
    try {
      return await work()
    } finally {
      clearInterval(timer)
    }
  }

  /** Sends NOTIFY for every zone again, changed or not, because messages may have been lost. */
  tellAll(port: number): void {
    for (let zone = 0; zone < this.#zones; zone++) this.#primary.notify(port, zone)
  }

  #change(port: number): void {
    this.#primary.book.change(this.#next)
    this.#primary.notify(port, this.#next)
    this.#next = (this.#next + 1) % this.#zones
    this.changes++
  }
}
