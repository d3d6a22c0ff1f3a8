/**
 * Zones that have to wait for the beat (`Pace`) are read together with everything that changes within this time, but this long before the beat.
 * The measured time of replication starts when they are read.
 */
const gather = { forMs: 100, beforeBeatMs: 20 }

/** How changed zones are processed. */
export interface ChangedZonesParts {
  /** How long a zone's announcement would have to wait now; 0 also if nothing is known about the zone. */
  readonly pacedMs: (zoneId: string) => number
  /** Reads zones and announces them; for each, whether it is a new member of the catalog. Does not throw. */
  readonly read: (changed: ReadonlyMap<string, boolean>) => Promise<void>
}

/**
 * Zones with unread changes: all that changed at the same moment are read in one statement.
 *
 * A zone that would be announced immediately is read immediately, and the others together with it. Those that change all the time are announced
 * on the beat: reading each as soon as it changes cost a client that writes one change after another a statement for each.
 */
export class ChangedZones {
  readonly #parts: ChangedZonesParts
  readonly #changed = new Map<string, boolean>()
  #isReading = false
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(parts: ChangedZonesParts) {
    this.#parts = parts
  }

  has(zoneId: string): boolean {
    return this.#changed.has(zoneId)
  }

  add(zoneIds: readonly string[], areNew: boolean): void {
    // It stays new, even if it also changes before it is read.
    for (const id of zoneIds) this.#changed.set(id, areNew || this.#changed.get(id) === true)
    this.#readSoon(zoneIds)
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  #readSoon(zoneIds: Iterable<string>): void {
    if (this.#isStopped || this.#isReading || this.#changed.size === 0) return
    const waitMs = this.#gatherMs(zoneIds)
    if (waitMs <= 0) void this.#read()
    else this.#timer ??= setTimeout(() => void this.#read(), waitMs)
  }

  #gatherMs(zoneIds: Iterable<string>): number {
    let waitMs = gather.forMs
    for (const id of zoneIds) {
      waitMs = Math.min(waitMs, this.#parts.pacedMs(id) - gather.beforeBeatMs)
      if (waitMs <= 0) break
    }
    return waitMs
  }

  async #read(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const changed = new Map(this.#changed)
    this.#changed.clear()
    this.#isReading = true
    await this.#parts.read(changed)
    this.#isReading = false
    this.#readSoon(this.#changed.keys())
  }
}
