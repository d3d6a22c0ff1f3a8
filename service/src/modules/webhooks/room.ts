import { GivenUp } from '#ports/webhook-http.ts'

/** How many bytes of large bodies a process holds at once, and how long a delivery waits for its body to be among them. */
export interface RoomLimits {
  readonly bytes: number
  readonly waitMs: number
}

interface Waiting {
  readonly bytes: number
  readonly enter: () => void
}

/**
 * The memory that a process has for large bodies: however many lanes send some, it holds no more of them than that. A body that is
 * larger than all of it goes alone. First come, first served.
 */
export class Room {
  readonly #limits: RoomLimits
  readonly #waiting = new Set<Waiting>()
  #usedBytes = 0

  constructor(limits: RoomLimits) {
    this.#limits = limits
  }

  /**
   * Does work that holds so many bytes, as soon as there is room for them.
   *
   * @throws GivenUp when there is none in time, or the signal is aborted before
   */
  async holding<T>(bytes: number, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#enter(bytes, signal)
    try {
      return await work()
    } finally {
      this.#usedBytes -= bytes
      this.#letIn()
    }
  }

  async #enter(bytes: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw new GivenUp('stopped')
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiting: Waiting = { bytes, enter: resolve }
    const leave = () => {
      this.#waiting.delete(waiting)
      reject(new GivenUp('no room for the body'))
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
      if (this.#usedBytes > 0 && this.#usedBytes + waiting.bytes > this.#limits.bytes) return
      this.#waiting.delete(waiting)
      this.#usedBytes += waiting.bytes
      waiting.enter()
    }
  }
}
