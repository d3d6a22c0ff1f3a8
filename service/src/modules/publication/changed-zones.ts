/**
 * Zones that wait for the beat anyway (`Pace`) are read together with whatever changes within so long; but by that much before the beat.
 * What is measured of replication begins when they are read.
 */
const gather = { forMs: 100, beforeBeatMs: 20 }

/** What is done with changed zones. */
export interface ChangedZonesParts {
  /** How long a zone's announcement would be kept now; 0 also where nothing is known of it. */
  readonly pacedMs: (zoneId: string) => number
  /** Reads zones and announces them; of each, whether it is a new member of the catalog. Does not throw. */
  readonly read: (changed: ReadonlyMap<string, boolean>) => Promise<void>
}

/**
 * Zones of which it was told that they have changed, until they are read: all of a moment's in one statement.
 *
 * A zone that would be announced at once is read at once, and the others along with it. Those that change all the time are announced on the
 * beat: to read each as soon as it changes cost a client that writes one change after another a statement for each.
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
    // New it stays, though it also changes before it is read.
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
