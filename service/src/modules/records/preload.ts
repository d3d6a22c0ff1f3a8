import type { PreloadTarget } from '#http/call.ts'
import { parseZoneRef } from '#modules/zones/index.ts'
import { readableTarget } from './rrset-change.ts'
import type { FoundRrset, RrsetPreloadRow, ZonePreloadRow } from './store.ts'
import type { LockedZone } from './zone-draft.ts'

/** After so long somebody else has most likely changed the zone: a slow body, or a wait for other changes. */
export const freshMs = 200

/**
 * A zone and the rrsets at one owner name, read without a lock in the statement that looked the caller up
 * (docs/decisions/0017). Good for planning a change that is then written only if the zone has not moved.
 */
export class ZonePreload {
  readonly #zone: LockedZone
  readonly #ownerName: string
  readonly #readAtMs = performance.now()

  constructor(ownerName: string, { createdAt, now, ...row }: ZonePreloadRow) {
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

/** One rrset as it stood when the caller was looked up, for who reads it: that was after the request had come. */
export class RrsetPreload {
  readonly found: FoundRrset
  readonly #target: PreloadTarget

  constructor(target: PreloadTarget, { version, rrset }: RrsetPreloadRow) {
    this.#target = target
    this.found = { version, rrset: rrset && { ...rrset, updatedAt: new Date(rrset.updatedAt) } }
  }

  isOf(name: string, type: string): boolean {
    return name === this.#target.ownerName && type === this.#target.type
  }
}

/**
 * What `/zones/{zone}/rrsets/{name}/{type}` means to a reader; undefined where it cannot be told without the zone, or at all.
 */
export function rrsetToPreload({
  zone = '',
  name = '',
  type = '',
}: Readonly<Record<string, string>>): PreloadTarget | undefined {
  const ref = parseZoneRef(zone)
  const target = 'name' in ref && ref.name !== '' ? readableTarget(ref.name, { name, type }) : undefined
  return target && { ownerName: target.name, type: target.type }
}

/** The same to who changes it. */
export function zoneToPreload(params: Readonly<Record<string, string>>): PreloadTarget | undefined {
  const shown = rrsetToPreload(params)
  return shown && { ownerName: shown.ownerName }
}
