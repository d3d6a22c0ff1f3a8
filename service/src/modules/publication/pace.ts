import type { DomainName } from '@zonewright/dns'

/** Above so many changes a second, a zone waits until `gapMs` have passed since it was last announced. */
const busy = { perSecond: 300, gapMs: 500 }

/**
 * Keeps a few busy zones from costing a transfer for every single change: a quiet installation announces each at once, a
 * busy one each zone twice a second, however often it changes. Zones that change now and then never wait.
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
    const startedMs = this.#startedAtMs.get(origin)
    if (startedMs === undefined || this.#decayed(performance.now()) < busy.perSecond) return 0
    return Math.max(0, startedMs + busy.gapMs - performance.now())
  }

  /** The zone's announcement goes out. */
  started(origin: DomainName): void {
    const nowMs = performance.now()
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
