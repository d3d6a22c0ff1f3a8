import type { SecondaryZone } from './secondary-zone.ts'

/** The zones that are known to be older here than at the primary, and since when. */
export class Lag {
  readonly #sinceMs = new Map<SecondaryZone, number>()

  get zonesBehind(): number {
    return this.#sinceMs.size
  }

  /** How long the zone that has been behind longest has been behind; 0 if none is. A Map keeps its entries in insertion order. */
  get longestMs(): number {
    for (const sinceMs of this.#sinceMs.values()) return performance.now() - sinceMs
    return 0
  }

  /** The primary has something newer. */
  begin(zone: SecondaryZone): void {
    if (!this.#sinceMs.has(zone)) this.#sinceMs.set(zone, performance.now())
  }

  /** The zone has caught up, or is no longer served. */
  end(zone: SecondaryZone): void {
    this.#sinceMs.delete(zone)
  }
}
