import type { DomainName } from '@zonewright/dns'

/** Above so many announcements a second, a zone waits until `gapMs` have passed since its last one. */
const busy = { perSecond: 300, gapMs: 100 }

/**
 * Keeps a few busy zones from costing a transfer for every single change: a quiet nameserver hears of each at once, a
 * busy one of each zone ten times a second, however many zones there are.
 */
export class Pace {
  /** Announcements within about the last second, older ones counting less and less. */
  #perSecond = 0
  #countedAtMs = performance.now()
  /** When each zone was announced last, the longest ago first. */
  readonly #startedAtMs = new Map<DomainName, number>()

  /** How long this zone has to wait now. */
  waitMs(origin: DomainName): number {
    const startedMs = this.#startedAtMs.get(origin)
    if (startedMs === undefined || this.#decayed(performance.now()) < busy.perSecond) return 0
    return Math.max(0, startedMs + busy.gapMs - performance.now())
  }

  started(origin: DomainName): void {
    const nowMs = performance.now()
    this.#perSecond = this.#decayed(nowMs) + 1
    this.#countedAtMs = nowMs
    this.#startedAtMs.delete(origin)
    this.#startedAtMs.set(origin, nowMs)
    for (const [name, startedMs] of this.#startedAtMs) {
      if (startedMs > nowMs - busy.gapMs) break
      this.#startedAtMs.delete(name)
    }
  }

  #decayed(nowMs: number): number {
    return this.#perSecond * Math.exp((this.#countedAtMs - nowMs) / 1_000)
  }
}
