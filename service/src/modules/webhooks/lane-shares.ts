import { slowAfterMs } from './rules.ts'

/** How many requests a process has in flight at once: for healthy lanes, and for slow or failing ones. */
export interface LaneLimits {
  readonly healthy: number
  readonly struggling: number
}

/**
 * The shares of requests in flight. A thousand dead endpoints fill only their own share, never that of healthy lanes.
 *
 * A request that takes over a second moves to the share of slow ones while it runs, so that endpoints that have just died
 * free their healthy slots within that second and not after ten.
 */
export class LaneShares {
  readonly #limits: LaneLimits
  readonly #used = { healthy: 0, struggling: 0 }

  constructor(limits: LaneLimits) {
    this.#limits = limits
  }

  free(): LaneLimits {
    return {
      healthy: Math.max(0, this.#limits.healthy - this.#used.healthy),
      struggling: Math.max(0, this.#limits.struggling - this.#used.struggling),
    }
  }

  /** Takes a slot; the returned function gives it back. `onMoved` is called when it becomes a slow one. */
  take(struggling: boolean, onMoved: () => void): () => void {
    let share: keyof LaneLimits = struggling ? 'struggling' : 'healthy'
    this.#used[share] += 1
    const timer = setTimeout(() => {
      if (share === 'struggling') return
      this.#used.healthy -= 1
      this.#used.struggling += 1
      share = 'struggling'
      onMoved()
    }, slowAfterMs)
    return () => {
      clearTimeout(timer)
      this.#used[share] -= 1
    }
  }
}
