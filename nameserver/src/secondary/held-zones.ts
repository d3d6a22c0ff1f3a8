import { type DomainName, Zone, type ZoneDiff } from '@zonewright/dns'
import type { StoredZone } from '../store.ts'
import type { ZoneTable } from '../zone-table.ts'
import type { Saver } from './saver.ts'
import { SecondaryZone } from './secondary-zone.ts'

/**
 * The zones that follow the primary, kept the same in three places: here, in the table that is answered from, and,
 * a moment later, on disk.
 */
export class HeldZones {
  readonly #table: ZoneTable
  readonly #saver: Saver
  readonly #zones: Map<DomainName, SecondaryZone>

  /** `zones` is the map that the saver reads; only this class writes it. */
  constructor(table: ZoneTable, saver: Saver, zones: Map<DomainName, SecondaryZone>) {
    this.#table = table
    this.#saver = saver
    this.#zones = zones
  }

  get(origin: DomainName): SecondaryZone | undefined {
    return this.#zones.get(origin)
  }

  all(): Iterable<SecondaryZone> {
    return this.#zones.values()
  }

  /** Whether `zone` is still held: it may have been dropped, or reset, while the primary was asked. */
  has(zone: SecondaryZone): boolean {
    return this.#zones.get(zone.origin) === zone
  }

  /** Takes over a zone as the last process left it: answered at once, unless it expired meanwhile. */
  restore(stored: StoredZone, nowMs: number): SecondaryZone {
    const zone = new SecondaryZone(stored.origin, stored.label)
    zone.contactAtMs = stored.contactAtMs
    if (stored.rrsets.length > 0) zone.zone = Zone.fromRrsets(stored.origin, stored.rrsets)
    this.#zones.set(zone.origin, zone)
    if (zone.zone) this.#table.publish(zone.zone, zone.isCatalog)
    else this.#table.withhold(zone.origin, zone.isCatalog)
    this.expireIfDue(zone, nowMs)
    return zone
  }

  /** A zone of which nothing is known but the name; answered SERVFAIL until it has been transferred. */
  add(origin: DomainName, label: string | undefined): SecondaryZone {
    const zone = new SecondaryZone(origin, label)
    this.#zones.set(origin, zone)
    this.#table.withhold(origin, zone.isCatalog)
    this.#saver.whole(origin)
    return zone
  }

  /** The zone is answered REFUSED from now on, and deleted from disk. */
  drop(zone: SecondaryZone): void {
    this.#zones.delete(zone.origin)
    this.#table.remove(zone.origin)
    this.#saver.whole(zone.origin)
  }

  change(zone: SecondaryZone, diff: ZoneDiff): void {
    zone.zone = zone.zone?.apply(diff)
    this.#saver.records(zone.origin, diff.removed, diff.added)
  }

  replace(zone: SecondaryZone, content: Zone): void {
    zone.zone = content
    this.#saver.whole(zone.origin)
  }

  /** What is held is what the primary has: it is answered, and every timer starts over. */
  vouchedFor(zone: SecondaryZone, nowMs: number): void {
    zone.refreshed(nowMs)
    if (zone.zone) this.#table.publish(zone.zone, zone.isCatalog)
    this.#saver.contact(zone.origin)
  }

  /** @returns whether the zone has just expired; it is answered SERVFAIL until the primary vouches for it. */
  expireIfDue(zone: SecondaryZone, nowMs: number): boolean {
    if ((zone.expiresAtMs ?? Number.POSITIVE_INFINITY) > nowMs) return false
    zone.isExpired = true
    this.#table.withhold(zone.origin, zone.isCatalog)
    return true
  }
}
