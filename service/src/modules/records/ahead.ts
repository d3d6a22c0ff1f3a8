import { parseZoneRef } from '#modules/zones/index.ts'
import { readableTargets } from './rrset-change.ts'
import type { AheadRow, LockedZone } from './store.ts'

/** After so long somebody else has most likely changed the zone: a slow body, or a wait for other changes. */
export const freshMs = 200

/**
 * A zone and the rrsets at one owner name, read without a lock in the statement that looked the caller up
 * (docs/decisions/0017). Good for planning a change that is then written only if the zone has not moved.
 */
export class Ahead {
  readonly #zone: LockedZone
  readonly #ownerName: string
  readonly #readAtMs = performance.now()

  constructor(ownerName: string, { createdAt, now, ...row }: AheadRow) {
    this.#ownerName = ownerName
    this.#zone = { ...row, createdAt: new Date(createdAt), now: new Date(now) }
  }

  /**
   * The zone, where this is what a change of these owner names needs to know; undefined where it is not, is too old, or was read before
   * `changedAtMs`, by `performance.now()`.
   */
  zoneFor(
    zoneId: string,
    ownerNames: readonly string[] | undefined,
    changedAtMs = Number.NEGATIVE_INFINITY,
  ): LockedZone | undefined {
    const isAsked = zoneId === this.#zone.id && ownerNames?.every((name) => name === this.#ownerName)
    const isFresh = this.#readAtMs > changedAtMs && performance.now() - this.#readAtMs < freshMs
    return isAsked && isFresh ? this.#zone : undefined
  }
}

/** The owner name that `/zones/{zone}/rrsets/{name}/{type}` means; undefined where it cannot be told without the zone, or at all. */
export function ownerNameOf({ zone = '', name = '', type = '' }: Readonly<Record<string, string>>): string | undefined {
  const ref = parseZoneRef(zone)
  return 'name' in ref && ref.name !== '' ? readableTargets(ref.name, [{ name, type }])[0]?.name : undefined
}
