import { slowAfterMs } from './rules.ts'

/** How many requests a process has on the way at once: for lanes that go well, and for the slow and failing ones. */
export interface LaneLimits {
  readonly healthy: number
  readonly struggling: number
}

/**
 * The shares of requests on the way. A thousand dead endpoints fill their own share and never a healthy lane's.
 *
 * A request that takes over a second moves to the share of the slow ones while it runs, so that endpoints that have just died
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

  /** Takes a slot; the function returned gives it back. `onMoved` hears that it became a slow one. */
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
