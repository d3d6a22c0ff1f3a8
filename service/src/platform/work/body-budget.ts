/** How many bytes may be held at once, and how long work waits for room. */
export interface BodyBudgetLimits {
  readonly bytes: number
  readonly waitMs: number
}

/** There was no room in time, or the process is stopping. The work was not started. */
export class BudgetExceeded extends Error {}

interface Waiting {
  readonly bytes: number
  readonly enter: () => void
}

/** Limits the memory that a process uses for one purpose: at most `bytes` are held at once. */
export class BodyBudget {
  readonly #limits: BodyBudgetLimits
  readonly #waiting = new Set<Waiting>()
  #usedBytes = 0

  constructor(limits: BodyBudgetLimits) {
    this.#limits = limits
  }

  get usedBytes(): number {
    return this.#usedBytes
  }

  /** Takes bytes if there is room for them at once. `spareBytes` must stay free. */
  tryTake(bytes: number, spareBytes: number): boolean {
    if (!this.hasRoomFor(bytes, spareBytes)) return false
    this.take(bytes)
    return true
  }

  hasRoomFor(bytes: number, spareBytes = 0): boolean {
    return this.#usedBytes + bytes <= this.#limits.bytes - spareBytes
  }

  /** Counts bytes that are already in memory, whether or not there is room for them. */
  take(bytes: number): void {
    this.#usedBytes += bytes
  }

  leave(bytes: number): void {
    this.#usedBytes -= bytes
    this.#letIn()
  }

  /**
   * Runs work that holds this many bytes, as soon as there is room for them: first come, first served. Work that needs more than the
   * whole limit runs alone.
   *
   * @throws BudgetExceeded when there is none in time, or the signal is aborted before
   */
  async holding<T>(bytes: number, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#enter(bytes, signal)
    try {
      return await work()
    } finally {
      this.leave(bytes)
    }
  }

  async #enter(bytes: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw new BudgetExceeded('stopped')
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiting: Waiting = { bytes, enter: resolve }
    const leave = () => {
      this.#waiting.delete(waiting)
      reject(new BudgetExceeded('no room in time'))
      this.#letIn()
    }
    this.#waiting.add(waiting)
    this.#letIn()
    const timer = setTimeout(leave, this.#limits.waitMs)
    signal.addEventListener('abort', leave)
    try {
      await promise
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', leave)
    }
  }

  #letIn(): void {
    for (const waiting of this.#waiting) {
      if (this.#usedBytes > 0 && !this.hasRoomFor(waiting.bytes)) return
      this.#waiting.delete(waiting)
      this.take(waiting.bytes)
      waiting.enter()
    }
  }
}
