import type { DomainName } from '@zonewright/dns'

/** Above so many changes a second, a zone waits after it was announced: a millisecond for each, but never this long. */
const busy = { perSecond: 300, longestGapMs: 1_500 }

/**
 * Keeps a few busy zones from costing a transfer for every single change: a quiet installation announces each at once; a
 * busy one lets a zone that changes all the time gather what comes, the longer the busier it is. A zone that changes now
 * and then never waits.
 */
export class Pace {
  /** Changes within about the last second, older ones counting less and less. */
  #perSecond = 0
  #countedAtMs = performance.now()
  /** When each zone was announced last, the longest ago first. */
  readonly #startedAtMs = new Map<DomainName, number>()

  /** A change is to be announced. */
  changed(): void {
    const nowMs = performance.now()
    this.#perSecond = this.#decayed(nowMs) + 1
    this.#countedAtMs = nowMs
  }

  /** How long this zone has to wait now. */
  waitMs(origin: DomainName): number {
    const nowMs = performance.now()
    const startedMs = this.#startedAtMs.get(origin)
    const perSecond = this.#decayed(nowMs)
    if (startedMs === undefined || perSecond < busy.perSecond) return 0
    return Math.max(0, startedMs + Math.min(perSecond, busy.longestGapMs) - nowMs)
  }

  /** The zone's announcement goes out. */
  started(origin: DomainName): void {
    const nowMs = performance.now()
    this.#startedAtMs.delete(origin)
    this.#startedAtMs.set(origin, nowMs)
    for (const [name, startedMs] of this.#startedAtMs) {
      if (startedMs > nowMs - busy.longestGapMs) break
      this.#startedAtMs.delete(name)
    }
  }

  #decayed(nowMs: number): number {
    return this.#perSecond * Math.exp((this.#countedAtMs - nowMs) / 1_000)
  }
}
