import type { SecondaryZone } from './secondary-zone.ts'

/** The zones that are known to be older here than at the primary, and since when. */
export class Lag {
  readonly #sinceMs = new Map<SecondaryZone, number>()

  get zonesBehind(): number {
    return this.#sinceMs.size
  }

  /** How long the one that is behind for longest has been so; 0 when none is. The order of a Map is that of entry. */
  get longestMs(): number {
    for (const sinceMs of this.#sinceMs.values()) return performance.now() - sinceMs
    return 0
  }

  /** The primary has something newer. */
  begin(zone: SecondaryZone): void {
    if (!this.#sinceMs.has(zone)) this.#sinceMs.set(zone, performance.now())
  }

  /** The zone has caught up, or is not served any longer. */
  end(zone: SecondaryZone): void {
    this.#sinceMs.delete(zone)
  }
}
