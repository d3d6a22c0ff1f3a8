import type { DomainName } from '@zonewright/dns'
import { ExpirySearch } from './expiry-search.ts'
import { noRef } from './layout.ts'
import { isEarlier } from './read-name.ts'
import type { Segments } from './segments.ts'
import type { ZoneBlock } from './zone-block.ts'

/** Metrics of the signed zones. */
export interface SignedFigures {
  /** Signed zones, by how they prove that a name does not exist. */
  readonly zones: Readonly<Record<'nsec' | 'nsec3' | 'none', number>>
  readonly signatures: number
  /** When the first signature expires, in seconds since 1970; `undefined` without any. */
  readonly earliestExpiryS: number | undefined
  /** Zones with a signature that has expired: resolvers that validate refuse some of their answers. */
  readonly expiredZones: number
}

/** Maximum number of names whose signatures one reading of the metrics reads again, which blocks the thread for about 10 ms. */
export const namesEachReading = 16_384

/** The zones that have signatures. */
export class SignedZones {
  readonly #segments: Segments
  readonly #zones = new Map<DomainName, ZoneBlock>()
  /** The one search that has not ended yet. */
  #search: { readonly origin: DomainName; readonly steps: ExpirySearch } | undefined

  constructor(segments: Segments) {
    this.#segments = segments
  }

  /** A zone has been published or changed. */
  note(origin: DomainName, zone: ZoneBlock): void {
    if (zone.signatures === 0 || this.#zones.get(origin)?.ref !== zone.ref) this.forget(origin)
    if (zone.signatures > 0) this.#zones.set(origin, zone)
  }

  forget(origin: DomainName): void {
    this.#zones.delete(origin)
    if (this.#search?.origin === origin) this.#search = undefined
  }

  /**
   * If the signature of a zone that expires first was removed, searches for the next one, but only if this can change a metric. It reads `names`
   * names, or a block of an order more; the next readings continue. Until the search ends, such a zone counts as before.
   */
  figures(nowS: number, names = namesEachReading): SignedFigures {
    const zones = { nsec: 0, nsec3: 0, none: 0 }
    let signatures = 0
    let expiredZones = 0
    let earliest: number | undefined
    let left = names - this.#advance(names)
    for (const [origin, zone] of this.#zones) {
      zones[zone.hashing !== noRef ? 'nsec3' : zone.nsecs !== noRef ? 'nsec' : 'none']++
      signatures += zone.signatures
      const mayMatter = isEarlier(zone.expiry, nowS) || earliest === undefined || isEarlier(zone.expiry, earliest)
      if (!mayMatter) continue
      if (zone.isExpiryOld && this.#search === undefined) {
        this.#search = { origin, steps: new ExpirySearch(this.#segments, zone) }
        left -= this.#advance(left)
      }
      const { expiry } = zone
      if (isEarlier(expiry, nowS)) expiredZones++
      if (earliest === undefined || isEarlier(expiry, earliest)) earliest = expiry
    }
    // Times of signatures are modulo 2³² (RFC 4034 §3.1.5): the one closest to now is meant.
    const earliestExpiryS = earliest === undefined ? undefined : nowS + ((earliest - nowS) | 0)
    return { zones, signatures, earliestExpiryS, expiredZones }
  }

  /** Continues the search, if any. @returns how many names it read. */
  #advance(names: number): number {
    const { steps } = this.#search ?? {}
    if (steps === undefined) return 0
    const read = steps.advance(names)
    if (steps.isDone) this.#search = undefined
    return read
  }
}
