import type { Logger } from '#platform/log.ts'

/** A deleted zone must be refused everywhere within this time (design: dns, "Publication"). */
const promisedMs = 5_000
/** How often it is checked, and after how long it is given up and left to the nameservers' own timers. */
const lookMs = 250
const patienceMs = 60_000
/** Zones that are checked together. */
const maxAtOnce = 200

interface Removal {
  readonly sinceMs: number
  isLate: boolean
}

/** Watches that every nameserver stops serving deleted zones, and logs when one takes too long. */
export class RemovalWatch {
  readonly #log: Logger
  readonly #isServed: (zone: string) => Promise<boolean>
  readonly #removals = new Map<string, Removal>()
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  /** `isServed`: whether any nameserver still serves the zone. */
  constructor(log: Logger, isServed: (zone: string) => Promise<boolean>) {
    this.#log = log
    this.#isServed = isServed
  }

  add(zones: readonly string[]): void {
    for (const zone of zones) this.#removals.set(zone, { sinceMs: performance.now(), isLate: false })
    this.#lookLater()
  }

  /** They are served again, as intended. */
  forget(zones: readonly string[]): void {
    for (const zone of zones) this.#removals.delete(zone)
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  #lookLater(): void {
    if (this.#isStopped || this.#timer !== undefined || this.#removals.size === 0) return
    this.#timer = setTimeout(() => void this.#look(), lookMs)
  }

  async #look(): Promise<void> {
    const some = [...this.#removals].slice(0, maxAtOnce)
    await Promise.all(some.map(([zone, removal]) => this.#lookAt(zone, removal)))
    this.#timer = undefined
    this.#lookLater()
  }

  async #lookAt(zone: string, removal: Removal): Promise<void> {
    const isServed = await this.#isServed(zone)
    if (this.#isStopped || this.#removals.get(zone) !== removal) return
    const tookMs = Math.round(performance.now() - removal.sinceMs)
    if (!isServed && removal.isLate) this.#log.info({ zone, tookMs }, 'a deleted zone is no longer served')
    if (isServed && !removal.isLate && tookMs > promisedMs) {
      removal.isLate = true
      this.#log.warn({ zone, tookMs }, 'a deleted zone is still served')
    }
    this.#removals.delete(zone)
    // Behind the others: a slow one must not hide them.
    if (isServed && tookMs < patienceMs) this.#removals.set(zone, removal)
  }
}
